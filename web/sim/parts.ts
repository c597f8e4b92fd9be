/** The explicit list of a world's parts: state that is not columns. */

import { Events } from './core/events.ts';
import type { WorldPart } from './core/part.ts';
import { Navigation } from './navigation/navigation.part.ts';
import { Physics } from './physics/physics.part.ts';
import { Scripts } from './scripts/scripts.part.ts';

export const parts: readonly WorldPart[] = [
	Events as WorldPart,
	Physics as WorldPart,
	Scripts as WorldPart,
	Navigation as WorldPart,
];

/** Loads the libraries that parts need. Must have finished before a world is created. */
export async function loadParts(all: readonly WorldPart[] = parts): Promise<void> {
	for (const part of all) await part.loadLibrary?.();
}
