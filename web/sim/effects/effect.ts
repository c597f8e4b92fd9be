/**
 * Putting status effects on entities and taking them off.
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
 * The recomputation of an effect costs as much as reading this many entities, and so does each stat that it changes.
 */
const LOOKS = 64;
const MODIFIER_LOOKS = 24;

const looksAt = (list: readonly Pick<EffectDocument, 'modifiers'>[]): number =>
	list.reduce((sum, { modifiers }) => sum + LOOKS + MODIFIER_LOOKS * (modifiers?.length ?? 0), 0);

/** Looks that putting an effect on an entity counts for, without those of effects that it has already. */
export const looksOf = (effect: EffectGiven): number => looksAt([{ modifiers: effect.modifiers ?? [] }]);

/** Looks that putting an effect on an entity counts for. */
export const looksToApply = (world: World, slot: number, effect: EffectGiven): number =>
	looksAt(effectsOf(world, slot)) + looksOf(effect);

/** Greatest count of looks for the effects on any one entity. */
export function heaviestLooks(world: World): number {
	if (count(world, Effects) === 0) return 0;
	const lists = read(world, Effects, 'list');
	let most = 0;
	each(world, [Effects], (slot) => {
		most = Math.max(most, looksAt(lists[slot]!));
	});
	return most;
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

/** Maximum number of copies of an effect on one entity. */
export const mostStacked = ({ stack_policy = 'replace' }: Pick<EffectGiven, 'stack_policy'>): number =>
	parseStackPolicy(stack_policy)?.most ?? 1;

/** Looks that putting effects on a new entity costs, in order, and looks of all of them together. */
export function looksOfAll(effects: readonly EffectGiven[]): {
	readonly searched: number;
	readonly looks: number;
} {
	let [searched, looks] = [0, 0];
	for (const effect of effects) {
		looks += looksOf(effect);
		searched += looks;
	}
	return { searched, looks };
}

/** A description with what it leaves out taken from the defaults. */
export type EffectGiven = Partial<EffectDocument>;

/**
 * Puts an effect on an entity and returns its number. Null if the entity is gone, or if the maximum of stacks for the
 * tag is reached. Texts that are no modifier, tick effect or stack policy throw a RangeError: check them at the door.
 */
export function applyEffect(
	world: World,
	entity: EntityHandle,
	given: EffectGiven,
	source: EntityHandle | null = null,
): number | null {
	const slot = slotOf(world, entity);
	if (slot < 0) return null;
	const { tag = 'effect', duration = 5, permanent, modifiers = [], stack_policy = 'replace' } = given;
	const policy = requireParsed(parseStackPolicy(stack_policy), stack_policy);
	const tick =
		given.tick_effect == null ? null : requireParsed(parseTickEffect(given.tick_effect), given.tick_effect);
	const from = comingTick(world);
	const lasting = {
		from,
		until: permanent === true ? null : from + Math.max(1, toTicks(duration)),
		source: source === null ? null : { id: source.id, generation: source.generation },
	};
	if (!has(world, slot, Effects)) add(world, slot, Effects);
	const row = get(world, slot, Effects)!;
	spend(world, 'searched', looksToApply(world, slot, given));
	const alike = row.list.filter((effect) => effect.tag === tag);
	const oldest = alike[0];
	const fresh = {
		tag,
		modifiers: modifiers.map((text) => modifierToText(requireParsed(parseModifier(text), text))),
		stack_policy,
		tick_effect: tick === null ? null : tickEffectToText(tick),
		...lasting,
	};
	if (oldest !== undefined && policy.refresh && alike.length >= policy.most) {
		const refreshed = { ...fresh, id: oldest.id, until: longer(oldest.until, lasting.until) };
		replaceList(
			world,
			slot,
			row.list.map((effect) => (effect === oldest ? refreshed : effect)),
		);
		return oldest.id;
	}
	if (policy.kind === 'stack' && alike.length >= policy.most) return null;
	const effect: StatusEffect = { ...fresh, id: row.next };
	const others = policy.kind === 'replace' ? row.list.filter((other) => other.tag !== tag) : row.list;
	write(world, Effects, 'next')[slot] = row.next + 1;
	replaceList(world, slot, [...others, effect]);
	return effect.id;
}

/** Returns the later of two ends; null: never. */
function longer(a: number | null, b: number | null): number | null {
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

/** Takes off the effects for which `goes` holds; those taken off. */
export function removeEffects(
	world: World,
	slot: number,
	goes: (effect: StatusEffect) => boolean,
): readonly StatusEffect[] {
	const list = effectsOf(world, slot);
	const gone = list.filter(goes);
	if (gone.length > 0)
		replaceList(
			world,
			slot,
			list.filter((effect) => !gone.includes(effect)),
		);
	return gone;
}

/** Seconds that an effect will still last; null: for good. */
export function remaining(world: World, { from, until }: StatusEffect): number | null {
	if (until === null) return null;
	return Math.max(0, until - Math.max(from, world.tick)) / TICKS_PER_SECOND;
}
