/**
 * Application and removal of status effects.
 * Owns: the stack policies, and the first and last tick of an effect.
 */

import {
	type EffectDocument,
	Effects,
	modifierToText,
	parseModifier,
	parseStackPolicy,
	parseTickEffect,
	type StatusEffect,
	tickEffectToText,
} from '../../../shared/components/effects.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import { TICKS_PER_SECOND, toTicks } from '../core/clock.ts';
import { comingTick } from '../core/coming-tick.ts';
import { slotOf } from '../core/entities.ts';
import { spend } from '../core/tick-budget.ts';
import { add, count, each, get, has, read, type World, write } from '../core/world.ts';
import { resolveStats } from '../stats/resolve-stats.ts';

/** Returns the effects on an entity, oldest first. */
export function effectsOf(world: World, slot: number): readonly StatusEffect[] {
	return has(world, slot, Effects) ? read(world, Effects, 'list')[slot]! : [];
}

/**
 * Cost of recomputing an effect, in looks. A look is the cost of reading one entity. Each modifier of the effect adds to
 * the cost.
 */
const LOOKS_PER_EFFECT = 64;
const LOOKS_PER_MODIFIER = 24;

const looksOfList = (list: readonly Pick<EffectDocument, 'modifiers'>[]): number =>
	list.reduce(
		(sum, { modifiers }) => sum + LOOKS_PER_EFFECT + LOOKS_PER_MODIFIER * (modifiers?.length ?? 0),
		0,
	);

/** Returns the looks of an effect by itself. */
export const looksOfEffect = (effect: PartialEffect): number =>
	looksOfList([{ modifiers: effect.modifiers ?? [] }]);

/** Returns the looks that applying an effect to an entity costs: those of the effect and of the entity's other effects. */
export const looksToApply = (world: World, slot: number, effect: PartialEffect): number =>
	looksOfList(effectsOf(world, slot)) + looksOfEffect(effect);

/** Returns the maximum of the looks of one entity's effects. */
export function maxLooks(world: World): number {
	if (count(world, Effects) === 0) return 0;
	const lists = read(world, Effects, 'list');
	let max = 0;
	each(world, [Effects], (slot) => {
		max = Math.max(max, looksOfList(lists[slot]!));
	});
	return max;
}

/** Returns the number of effects on all entities. */
export function countEffects(world: World): number {
	const lists = read(world, Effects, 'list');
	let effects = 0;
	each(world, [Effects], (slot) => {
		effects += lists[slot]!.length;
	});
	return effects;
}

/** Returns the maximum number of copies of an effect on one entity. */
export const maxStacked = ({ stack_policy = 'replace' }: Pick<PartialEffect, 'stack_policy'>): number =>
	parseStackPolicy(stack_policy)?.most ?? 1;

/** Returns the looks that applying effects to a new entity costs (`searched`), and the looks of its final list. */
export function looksOfSpawn(effects: readonly PartialEffect[]): {
	readonly searched: number;
	readonly looks: number;
} {
	let [searched, looks] = [0, 0];
	for (const effect of effects) {
		looks += looksOfEffect(effect);
		searched += looks;
	}
	return { searched, looks };
}

/** Description of an effect. Missing fields have their default values. */
export type PartialEffect = Partial<EffectDocument>;

/**
 * Applies an effect to an entity and returns the id of the effect; null if the entity no longer exists, or if it has the
 * maximum number of stacks. The caller must have checked the texts of modifiers, tick effect and stack policy: invalid
 * ones throw a RangeError.
 */
export function applyEffect(
	world: World,
	entity: EntityHandle,
	document: PartialEffect,
	source: EntityHandle | null = null,
): number | null {
	const slot = slotOf(world, entity);
	if (slot < 0) return null;
	const { tag = 'effect', duration = 5, permanent, modifiers = [], stack_policy = 'replace' } = document;
	const policy = requireParsed(parseStackPolicy(stack_policy), stack_policy);
	const tick =
		document.tick_effect == null
			? null
			: requireParsed(parseTickEffect(document.tick_effect), document.tick_effect);
	const from = comingTick(world);
	const origin = {
		from,
		until: permanent === true ? null : from + Math.max(1, toTicks(duration)),
		source: source === null ? null : { id: source.id, generation: source.generation },
	};
	if (!has(world, slot, Effects)) add(world, slot, Effects);
	const row = get(world, slot, Effects)!;
	spend(world, 'searched', looksToApply(world, slot, document));
	const sameTagEffects = row.list.filter((effect) => effect.tag === tag);
	const oldest = sameTagEffects[0];
	const fields = {
		tag,
		modifiers: modifiers.map((text) => modifierToText(requireParsed(parseModifier(text), text))),
		stack_policy,
		tick_effect: tick === null ? null : tickEffectToText(tick),
		...origin,
	};
	if (oldest !== undefined && policy.refresh && sameTagEffects.length >= policy.most) {
		const refreshed = { ...fields, id: oldest.id, until: laterEnd(oldest.until, origin.until) };
		replaceList(
			world,
			slot,
			row.list.map((effect) => (effect === oldest ? refreshed : effect)),
		);
		return oldest.id;
	}
	if (policy.kind === 'stack' && sameTagEffects.length >= policy.most) return null;
	const effect: StatusEffect = { ...fields, id: row.next };
	const otherEffects = policy.kind === 'replace' ? row.list.filter((other) => other.tag !== tag) : row.list;
	write(world, Effects, 'next')[slot] = row.next + 1;
	replaceList(world, slot, [...otherEffects, effect]);
	return effect.id;
}

/** Returns the later of two end ticks; null for an effect that never ends. */
function laterEnd(a: number | null, b: number | null): number | null {
	return a === null || b === null ? null : Math.max(a, b);
}

function requireParsed<T>(parsed: T | null, text: string): T {
	if (parsed === null) throw new RangeError(`"${text}" was accepted without a check`);
	return parsed;
}

function replaceList(world: World, slot: number, list: readonly StatusEffect[]): void {
	write(world, Effects, 'list')[slot] = list;
	resolveStats(world, slot);
}

/** Removes the effects that match. Returns the removed effects. */
export function removeEffects(
	world: World,
	slot: number,
	matches: (effect: StatusEffect) => boolean,
): readonly StatusEffect[] {
	const list = effectsOf(world, slot);
	const removed = list.filter(matches);
	if (removed.length > 0)
		replaceList(
			world,
			slot,
			list.filter((effect) => !removed.includes(effect)),
		);
	return removed;
}

/** Returns the remaining time of an effect (s); null if it is permanent. */
export function remainingSeconds(world: World, { from, until }: StatusEffect): number | null {
	if (until === null) return null;
	return Math.max(0, until - Math.max(from, world.tick)) / TICKS_PER_SECOND;
}
