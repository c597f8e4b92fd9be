/**
 * The HUD as it is shown: texts with their placeholders filled in, bars with their values.
 * Owns: its cache. It is computed once for each change of the world, and stays the same list while its content is equal.
 */

import type { HudElement } from '../../../shared/documents/hud.ts';
import type { World } from '../core/world.ts';
import { measuresFollowedBy } from '../hud/check-element.ts';
import { elementsOf } from '../hud/hud.ts';
import { ConditionLook } from './conditions/evaluate-condition.ts';
import { HudReading, type ShownElement } from './conditions/hud-reading.ts';

interface HudMemo {
	readonly version: number;
	readonly shown: readonly ShownElement[];
}

const memos = new WeakMap<World, HudMemo>();
/** Shown elements of lists that do not depend on the world. Forks share them. */
const constantLists = new WeakMap<readonly HudElement[], readonly ShownElement[]>();

/** Returns the elements in the order in which they are drawn, with their current values. */
export function shownHud(world: World): readonly ShownElement[] {
	const cached = memos.get(world);
	if (cached?.version === world.version) return cached.shown;
	const current = evaluateElements(world);
	const isSame =
		cached !== undefined &&
		(cached.shown === current || JSON.stringify(cached.shown) === JSON.stringify(current));
	const elementsShown = isSame ? cached.shown : current;
	memos.set(world, { version: world.version, shown: elementsShown });
	return elementsShown;
}

function evaluateElements(world: World): readonly ShownElement[] {
	const elements = elementsOf(world);
	const cached = constantLists.get(elements);
	if (cached !== undefined) return cached;
	const reading = new HudReading(new ConditionLook(world));
	const elementsShown = elements.map((element) => reading.readElement(element));
	if (elements.every((element) => measuresFollowedBy(element).length === 0))
		constantLists.set(elements, elementsShown);
	return elementsShown;
}
