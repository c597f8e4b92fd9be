/** Data of worlds, as the panels use them. */

import type { WorldInfo } from '../../web/ui/worlds/fork-list.ts';

/** Returns the data of a fork of main at tick 100, with some values replaced. */
export const worldInfo = (id: string, overrides: Partial<WorldInfo> = {}): WorldInfo => ({
	id,
	name: '',
	parent: 'main',
	parentTick: 100,
	parentGone: false,
	tick: 100,
	digest: '0000000000000000',
	entityCount: 1,
	ruleCount: 0,
	playing: false,
	mark: 0,
	...overrides,
});
