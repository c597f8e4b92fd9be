/**
 * The HUD as it is shown: texts with their placeholders filled in, bars with their values.
 * Owns: that it is worked out once for each change of the world, and stays the same list while nothing in it changes.
 */

import type { HudElement } from '../../../shared/documents/hud.ts';
import type { World } from '../core/world.ts';
import { elementsOf } from '../hud/hud.ts';
import { followedBy } from '../hud/sound-element.ts';
import { ConditionLook } from './conditions/evaluate-condition.ts';
import { HudReading, type ShownElement } from './conditions/hud-reading.ts';

interface HudMemo {
	readonly version: number;
	readonly shown: readonly ShownElement[];
}

const last = new WeakMap<World, HudMemo>();
/** Of lists in which nothing follows the world: forks share them. */
const cache = new WeakMap<readonly HudElement[], readonly ShownElement[]>();

/** Returns the elements in the order in which they are drawn, with what they show now. */
export function shownHud(world: World): readonly ShownElement[] {
	const cached = last.get(world);
	if (cached?.version === world.version) return cached.shown;
	const now = read(world);
	const isSame =
		cached !== undefined && (cached.shown === now || JSON.stringify(cached.shown) === JSON.stringify(now));
	const elementsShown = isSame ? cached.shown : now;
	last.set(world, { version: world.version, shown: elementsShown });
	return elementsShown;
}

function read(world: World): readonly ShownElement[] {
	const elements = elementsOf(world);
	const cached = cache.get(elements);
	if (cached !== undefined) return cached;
	const reading = new HudReading(new ConditionLook(world));
	const elementsShown = elements.map((element) => reading.shown(element));
	if (elements.every((element) => followedBy(element).length === 0)) cache.set(elements, elementsShown);
	return elementsShown;
}
