/** Loads the physics library. The only place that imports it as a value. */

import RAPIER from '@dimforge/rapier3d-compat';

let loading: Promise<void> | undefined;

/** Must have finished before a world is made. */
export function loadPhysics(): Promise<void> {
	loading ??= RAPIER.init();
	return loading;
}

export { RAPIER };
