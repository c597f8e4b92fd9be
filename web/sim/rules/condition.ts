/**
 * When a rule fires, and for whom.
 * Owns: what each condition means, and what of it must be remembered from tick to tick.
 *
 * A condition either is about entities and gives the ones it holds for, or is about no entity and holds or not.
 * What lasts (health, field, score, phase, and compounds of these) fires when it begins to hold; what happens
 * (death, timer, tick, event, enter, leave, a field with the edge `level`, and compounds with one of these) fires
 * on every tick on which it holds.
 */

import { Dead } from '../../../shared/components/dead.ts';
import { Health } from '../../../shared/components/health.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import type { RuleMemory } from '../../../shared/components/rule.ts';
import type { Handle } from '../../../shared/contract/component.ts';
import type { Condition, OPERATORS, RuleDocument } from '../../../shared/documents/rule.ts';
import { toTicks } from '../core/clock.ts';
import { eachEntity, handleOf, slotOf } from '../core/entities.ts';
import type { EventKind, SentEvent } from '../core/events.ts';
import { each, has, read, type World } from '../core/world.ts';
import { fieldPath, readField } from '../fields/field-path.ts';
import { type Filter, matches } from '../filters/filter.ts';
import { matchState } from '../match/match.ts';

/** One firing: for whom, and who caused it. */
export interface Occurrence {
	readonly subject: Handle | null;
	readonly source: Handle | null;
}

/** For whom a condition holds, or whether it does when it is about nobody. */
type Holding = boolean | readonly Occurrence[];

/** What a condition looks at besides the world. */
export interface Moment {
	/** Events that rules have not had yet, by kind. */
	events(kind: EventKind): readonly SentEvent[];
}

type Operator = (typeof OPERATORS)[number];

function compare(a: number, op: Operator, b: number): boolean {
	switch (op) {
		case 'greater':
			return a > b;
		case 'greater_equal':
			return a >= b;
		case 'less':
			return a < b;
		case 'less_equal':
			return a <= b;
		case 'equal':
			return a === b || a === Math.fround(b);
		case 'not_equal':
			return a !== b && a !== Math.fround(b);
	}
}

const MOMENTARY = new Set(['death', 'timer', 'tick', 'event', 'enter', 'leave']);

function isMomentary(condition: Condition): boolean {
	if (condition.kind === 'all' || condition.kind === 'any')
		return condition.of.some((part) => isMomentary(part as Condition));
	if (condition.kind === 'not') return isMomentary(condition.of as Condition);
	return MOMENTARY.has(condition.kind) || (condition.kind === 'field' && condition.edge === 'level');
}

const keyOf = ({ id, generation }: Handle) => `${id}:${generation}`;

/** Evaluates one rule on one tick. */
class Evaluation {
	readonly #world: World;
	readonly #moment: Moment;
	readonly #filter: Filter;
	readonly #created: number;
	readonly #before: ReadonlySet<string>;
	/** What is to be remembered of conditions inside compounds, `path|id:generation`. */
	readonly remembered: string[] = [];

	constructor(world: World, moment: Moment, filter: Filter, created: number, memory: RuleMemory) {
		this.#world = world;
		this.#moment = moment;
		this.#filter = filter;
		this.#created = created;
		this.#before = new Set(memory.entities);
	}

	holds(condition: Condition, path: string): Holding {
		const world = this.#world;
		switch (condition.kind) {
			case 'timer':
				return this.#due(Math.max(1, toTicks(condition.interval)));
			case 'tick':
				return this.#due(condition.every);
			case 'score':
				return matchState(world)?.scores.some(({ points }) => points >= condition.threshold) === true;
			case 'phase':
				return matchState(world)?.phase === condition.phase;
			case 'death':
				return this.#moment.events('death').flatMap(({ data }) => {
					const { entity, killer } = data as SentEvent<'death'>['data'];
					return this.#passes(entity) ? [{ subject: entity, source: killer }] : [];
				});
			case 'event':
				return this.#events(condition);
			case 'health_below':
				return this.#healthBelow(condition.threshold);
			case 'field':
				return this.#field(condition);
			case 'enter':
			case 'leave':
				return this.#crossing(condition, path);
			case 'all':
				return this.#all(condition.of as Condition[], path);
			case 'any':
				return this.#any(condition.of as Condition[], path);
			case 'not':
				return this.#not(condition.of as Condition, `${path}!`);
		}
	}

	#due(period: number): boolean {
		return (this.#world.tick + 1 - this.#created) % period === 0;
	}

	#passes(handle: Handle): boolean {
		return (
			this.#filter.type === 'any' ||
			(slotOf(this.#world, handle) >= 0 && matches(this.#world, handle.id, this.#filter))
		);
	}

	#events({ event, where }: Extract<Condition, { kind: 'event' }>): Holding {
		const found = this.#moment.events(event as EventKind).filter(({ data }) =>
			(where ?? []).every(({ field, op, value }) => {
				const at = field
					.split('.')
					.reduce<unknown>((v, key) => (v as Record<string, unknown> | null)?.[key], data);
				const plain = typeof at === 'object' && at !== null && 'id' in at ? at.id : at;
				if (typeof plain === 'number' && typeof value === 'number') return compare(plain, op, value);
				if (op === 'equal') return plain === value;
				return op === 'not_equal' && plain !== value;
			}),
		);
		return found.flatMap(({ data }) => {
			const named = data as {
				target?: Handle;
				entity?: Handle;
				a?: Handle;
				source?: Handle | null;
				killer?: Handle | null;
				b?: Handle;
			};
			const subject = named.target ?? named.entity ?? named.a ?? null;
			const source = named.source ?? named.killer ?? named.b ?? null;
			return subject === null || this.#passes(subject) ? [{ subject, source }] : [];
		});
	}

	#healthBelow(threshold: number): Occurrence[] {
		const world = this.#world;
		const found: Occurrence[] = [];
		const current = read(world, Health, 'current');
		each(world, [Health], (slot) => {
			const health = current[slot]!;
			if (health <= 0 || health >= threshold || has(world, slot, Dead)) return;
			if (matches(world, slot, this.#filter)) found.push({ subject: handleOf(world, slot), source: null });
		});
		return found;
	}

	#field({ field, op, value }: Extract<Condition, { kind: 'field' }>): Occurrence[] {
		const world = this.#world;
		const path = fieldPath(field);
		const found: Occurrence[] = [];
		each(world, [path.component], (slot) => {
			if (!compare(readField(world, slot, path)!, op, value) || !matches(world, slot, this.#filter)) return;
			found.push({ subject: handleOf(world, slot), source: null });
		});
		return found;
	}

	/** Who is inside now is remembered; who newly is, or no longer is, occurs. */
	#crossing({ kind, zone }: Extract<Condition, { kind: 'enter' | 'leave' }>, path: string): Occurrence[] {
		const world = this.#world;
		const position = read(world, LocalTransform, 'position');
		const inside = insideTest(world, zone);
		const found: Occurrence[] = [];
		each(world, [LocalTransform], (slot) => {
			if ('entity' in zone && zone.entity === slot) return;
			if (!matches(world, slot, this.#filter)) return;
			const subject = handleOf(world, slot);
			const key = `${path}|${keyOf(subject)}`;
			const was = this.#before.has(key);
			const is = inside(position[slot * 3]!, position[slot * 3 + 1]!, position[slot * 3 + 2]!);
			if (is) this.remembered.push(key);
			if (kind === 'enter' ? is && !was : was && !is) found.push({ subject, source: null });
		});
		return found;
	}

	#all(parts: readonly Condition[], path: string): Holding {
		const holdings = parts.map((part, i) => this.holds(part, `${path}${i}.`));
		if (holdings.some((holding) => holding === false)) return false;
		const lists = holdings.filter((holding) => typeof holding !== 'boolean') as (readonly Occurrence[])[];
		const [first, ...rest] = lists;
		if (first === undefined) return true;
		const slots = rest.map((list) => new Set(list.map(({ subject }) => subject?.id)));
		return first.filter(({ subject }) => slots.every((set) => set.has(subject?.id)));
	}

	#any(parts: readonly Condition[], path: string): Holding {
		const holdings = parts.map((part, i) => this.holds(part, `${path}${i}.`));
		if (holdings.some((holding) => holding === true)) return true;
		const bySlot = new Map<number | undefined, Occurrence>();
		let about = false;
		for (const holding of holdings) {
			if (typeof holding === 'boolean') continue;
			about = true;
			for (const occurrence of holding)
				if (!bySlot.has(occurrence.subject?.id)) bySlot.set(occurrence.subject?.id, occurrence);
		}
		if (!about) return false;
		return [...bySlot.values()].sort((a, b) => (a.subject?.id ?? -1) - (b.subject?.id ?? -1));
	}

	#not(part: Condition, path: string): Holding {
		const holding = this.holds(part, path);
		if (typeof holding === 'boolean') return !holding;
		const slots = new Set(holding.map(({ subject }) => subject?.id));
		const world = this.#world;
		const found: Occurrence[] = [];
		eachEntity(world, (slot) => {
			if (slots.has(slot) || !has(world, slot, LocalTransform) || !matches(world, slot, this.#filter)) return;
			found.push({ subject: handleOf(world, slot), source: null });
		});
		return found;
	}
}

type Zone = Extract<Condition, { kind: 'enter' }>['zone'];

function insideTest(world: World, zone: Zone): (x: number, y: number, z: number) => boolean {
	if ('half' in zone) {
		const [cx, cy, cz] = zone.center;
		const [hx, hy, hz] = zone.half;
		return (x, y, z) => Math.abs(x - cx) < hx && Math.abs(y - cy) < hy && Math.abs(z - cz) < hz;
	}
	let center: readonly [number, number, number];
	if ('center' in zone) center = zone.center;
	else {
		if (!has(world, zone.entity, LocalTransform)) return () => false;
		const position = read(world, LocalTransform, 'position');
		const at = zone.entity * 3;
		center = [position[at]!, position[at + 1]!, position[at + 2]!];
	}
	const reach = zone.radius * zone.radius;
	const [cx, cy, cz] = center;
	return (x, y, z) => {
		const [dx, dy, dz] = [x - cx, y - cy, z - cz];
		return dx * dx + dy * dy + dz * dz < reach;
	};
}

const NOBODY: Occurrence = { subject: null, source: null };

/** The firings of a rule on this tick, and what it remembers afterwards. */
export function evaluate(
	world: World,
	moment: Moment,
	document: RuleDocument,
	filter: Filter,
	created: number,
	memory: RuleMemory,
): { occurrences: readonly Occurrence[]; memory: RuleMemory } {
	const { when } = document;
	const evaluation = new Evaluation(world, moment, filter, created, memory);
	const holding = evaluation.holds(when, '');
	if (typeof holding === 'boolean') {
		const level = isMomentary(when);
		const fires = holding && (level || !memory.holds);
		const holds = level ? false : holding;
		return {
			occurrences: fires ? [NOBODY] : [],
			memory: remember(memory, holds, evaluation.remembered),
		};
	}
	if (isMomentary(when))
		return { occurrences: holding, memory: remember(memory, false, evaluation.remembered) };
	const before = new Set(memory.entities);
	const occurrences = holding.filter(({ subject }) => subject === null || !before.has(`|${keyOf(subject)}`));
	const now = holding.flatMap(({ subject }) => (subject === null ? [] : [`|${keyOf(subject)}`]));
	// Low health fires once in an entity's life, whatever happens to it afterwards.
	const kept =
		when.kind === 'health_below'
			? memory.entities.filter((key) => !now.includes(key) && lives(world, key))
			: [];
	return { occurrences, memory: remember(memory, false, [...evaluation.remembered, ...now, ...kept]) };
}

function lives(world: World, key: string): boolean {
	const [id, generation] = key.slice(1).split(':').map(Number) as [number, number];
	return slotOf(world, { id, generation }) >= 0;
}

function remember(memory: RuleMemory, holds: boolean, entities: string[]): RuleMemory {
	entities.sort();
	const same =
		holds === memory.holds &&
		entities.length === memory.entities.length &&
		entities.every((key, i) => key === memory.entities[i]);
	return same ? memory : { ...memory, holds, entities };
}
