/** System that computes which observers see each entity. An entity that no observer sees gets an empty set and is hidden. */

import { CrowdControl } from '../../../shared/components/crowd-control.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Team } from '../../../shared/components/team.ts';
import { parseViewRule, ViewFilter, type ViewRule } from '../../../shared/components/view-filter.ts';
import { VisibleTo } from '../../../shared/components/visible-to.ts';
import { PLACE_READ } from '../../../shared/verbs/access.ts';
import { isInvisible } from '../combat/target-index.ts';
import { hasBit } from '../core/bits.ts';
import type { System } from '../core/system.ts';
import { spend } from '../core/tick-budget.ts';
import { maxEntities } from '../core/tick-maximum.ts';
import { add, count, each, has, presence, read, remove, type World } from '../core/world.ts';
import { globalPositions } from '../space/global-position.ts';
import { allows } from './view-rule.ts';

interface Observer {
	readonly slot: number;
	readonly rules: readonly ViewRule[];
}

/** Parsed rules by their list of texts. A list is never changed in place. */
const parsedRules = new WeakMap<readonly string[], readonly ViewRule[]>();

export const updateVisibility: System = {
	name: 'update-visibility',
	needs: [ViewFilter, VisibleTo],
	access: {
		reads: ['crowd_control', 'tags', 'team.team', 'trigger_zone', 'view_filter', 'visible_to', ...PLACE_READ],
		writes: ['visible_to'],
	},
	maximum(world, before) {
		const lists = read(world, ViewFilter, 'rules');
		let rules = 0;
		each(world, [ViewFilter], (slot) => {
			rules += Math.max(1, lists[slot]!.length);
		});
		return { searched: rules * maxEntities(world, before) };
	},
	run,
};

function run(world: World): void {
	if (count(world, ViewFilter) === 0) {
		removeAllSets(world);
		return;
	}
	const observers = observersOf(world);
	const positions = globalPositions(world);
	const posedSlots = presence(world, LocalTransform);
	each(world, [VisibleTo], (slot) => {
		if (!hasBit(posedSlots, slot)) remove(world, slot, VisibleTo);
	});
	const testsPerEntity = observers.reduce((sum, { rules }) => sum + Math.max(1, rules.length), 0);
	spend(world, 'searched', testsPerEntity * count(world, LocalTransform));
	const canHide = count(world, CrowdControl) > 0;
	each(world, [LocalTransform], (slot) => {
		const isHidden = canHide && isInvisible(world, slot);
		const observerIds: number[] = [];
		for (const { slot: observer, rules } of observers)
			if (
				observer === slot ||
				(allowsAll(world, rules, observer, slot, positions) &&
					!(isHidden && !areAllied(world, observer, slot)))
			)
				observerIds.push(observer);
		const storedIds = has(world, slot, VisibleTo) ? read(world, VisibleTo, 'observers')[slot]! : null;
		if (
			storedIds === null ||
			storedIds.length !== observerIds.length ||
			storedIds.some((id, i) => id !== observerIds[i])
		)
			add(world, slot, VisibleTo, { observers: observerIds });
	});
}

/** Removes all sets of observers. Without observers, every entity is visible. */
function removeAllSets(world: World): void {
	if (count(world, VisibleTo) === 0) return;
	each(world, [VisibleTo], (slot) => {
		remove(world, slot, VisibleTo);
	});
}

function observersOf(world: World): Observer[] {
	const texts = read(world, ViewFilter, 'rules');
	const observers: Observer[] = [];
	each(world, [ViewFilter], (slot) => {
		const list = texts[slot]!;
		let rules = parsedRules.get(list);
		if (rules === undefined) {
			rules = list.flatMap((text) => parseViewRule(text) ?? []);
			parsedRules.set(list, rules);
		}
		observers.push({ slot, rules });
	});
	return observers;
}

function allowsAll(
	world: World,
	rules: readonly ViewRule[],
	observer: number,
	slot: number,
	positions: Float32Array,
): boolean {
	for (const rule of rules) if (!allows(world, rule, observer, slot, positions)) return false;
	return true;
}

function areAllied(world: World, a: number, b: number): boolean {
	if (!has(world, a, Team) || !has(world, b, Team)) return false;
	const team = read(world, Team, 'team');
	return team[a] === team[b];
}
