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
import { hasSubject } from '../../../shared/contract/event.ts';
import type { Condition, OPERATORS } from '../../../shared/documents/condition.ts';
import { type EventKind, eventType } from '../../../shared/documents/event.ts';
import type { RuleDocument } from '../../../shared/documents/rule.ts';
import { fieldPath } from '../../../shared/verbs/field-name.ts';
import { toTicks } from '../core/clock.ts';
import { handleOf, slotOf } from '../core/entities.ts';
import { rowFor, type SentEvent } from '../core/events.ts';
import { has, read, type World } from '../core/world.ts';
import { readField } from '../fields/field-path.ts';
import { eachMatch, type Filter, matchesKnown } from '../filters/filter.ts';
import { matchState } from '../match/match.ts';
import { placeOf, places } from '../space/place.ts';
import type { Occurrence } from './occurrence.ts';

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

/** Whom an event is about or who caused it, by the field that its declaration names for that. */
function named({ data }: SentEvent, field: string | undefined): Handle | null {
	return field === undefined ? null : ((data[field] ?? null) as Handle | null);
}

const keyOf = ({ id, generation }: Handle) => `${id}:${generation}`;

/** Occurrences by whom they are about, those met first before the others. */
function bySubject(list: readonly Occurrence[]): Map<number | undefined, Occurrence[]> {
	const groups = new Map<number | undefined, Occurrence[]>();
	for (const occurrence of list) {
		const group = groups.get(occurrence.subject?.id);
		if (group === undefined) groups.set(occurrence.subject?.id, [occurrence]);
		else group.push(occurrence);
	}
	return groups;
}

/** What a value has under a key, undefined when it has no such key of its own. */
function memberOf(value: unknown, key: string): unknown {
	return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
		? (value as Readonly<Record<string, unknown>>)[key]
		: undefined;
}

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
				return this.#occurrences('death', this.#moment.events('death'));
			case 'event':
				return this.#events(condition, path);
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

	/** Whether the filter takes whom an event is about; what the event remembers stands in for an entity that is gone. */
	#passes(event: SentEvent, field: string, { id }: Handle): boolean {
		return matchesKnown(this.#filter, id, (component) => rowFor(this.#world, event, field, component));
	}

	#occurrences(kind: EventKind, found: readonly SentEvent[]): Occurrence[] {
		const { subject: about, source } = eventType(kind);
		return found.flatMap((event) => {
			const subject = named(event, about);
			if (subject !== null && !this.#passes(event, about!, subject)) return [];
			return [{ subject, source: named(event, source) }];
		});
	}

	#events({ event, where }: Extract<Condition, { kind: 'event' }>, path: string): Holding {
		const found = this.#moment.events(event).filter(({ data }) =>
			(where ?? []).every(({ field, op, value }) => {
				const at = field.split('.').reduce(memberOf, data);
				const plain = memberOf(at, 'id') ?? at;
				if (typeof plain === 'number' && typeof value === 'number') return compare(plain, op, value);
				if (op === 'equal') return plain === value;
				return op === 'not_equal' && plain !== value;
			}),
		);
		const occurrences = this.#occurrences(event, found);
		// In a compound, news about nobody in particular are a condition about nobody.
		const general = occurrences.every(({ subject }) => subject === null) && !hasSubject(eventType(event));
		return path !== '' && general ? occurrences.length > 0 : occurrences;
	}

	#healthBelow(threshold: number): Occurrence[] {
		const world = this.#world;
		const found: Occurrence[] = [];
		const current = read(world, Health, 'current');
		eachMatch(world, this.#filter, [Health], (slot) => {
			const health = current[slot]!;
			if (health <= 0 || health >= threshold || has(world, slot, Dead)) return;
			found.push({ subject: handleOf(world, slot), source: null });
		});
		return found;
	}

	#field({ field, op, value }: Extract<Condition, { kind: 'field' }>): Occurrence[] {
		const world = this.#world;
		const path = fieldPath(field);
		const found: Occurrence[] = [];
		eachMatch(world, this.#filter, [path.component], (slot) => {
			if (compare(readField(world, slot, path)!, op, value))
				found.push({ subject: handleOf(world, slot), source: null });
		});
		return found;
	}

	/** Who is inside now is remembered; who newly is, or no longer is, occurs. */
	#crossing({ kind, zone }: Extract<Condition, { kind: 'enter' | 'leave' }>, path: string): Occurrence[] {
		const world = this.#world;
		const position = places(world);
		const inside = insideTest(world, zone);
		const found: Occurrence[] = [];
		eachMatch(world, this.#filter, [LocalTransform], (slot) => {
			if ('entity' in zone && zone.entity === slot) return;
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
		if (lists.length === 0) return true;
		// Two blows at once are two, in whatever order the parts stand: the part that knows of most decides how often.
		const bySubjects = lists.map(bySubject);
		return [...bySubjects[0]!.keys()].flatMap((id) => {
			const groups = bySubjects.map((subjects) => subjects.get(id) ?? []);
			if (groups.some((group) => group.length === 0)) return [];
			const most = groups.reduce((best, group) => (group.length > best.length ? group : best));
			const known = groups.flat().find(({ source }) => source !== null)?.source ?? null;
			return most.map(({ subject, source }) => ({ subject, source: source ?? known }));
		});
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
		eachMatch(world, this.#filter, [LocalTransform], (slot) => {
			if (!slots.has(slot)) found.push({ subject: handleOf(world, slot), source: null });
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
		center = placeOf(world, zone.entity);
	}
	const reach = zone.radius * zone.radius;
	const [cx, cy, cz] = center;
	return (x, y, z) => {
		const [dx, dy, dz] = [x - cx, y - cy, z - cz];
		return dx * dx + dy * dy + dz * dz < reach;
	};
}

const NOBODY: Occurrence = { subject: null, source: null };

/** Whether a condition can ever be about somebody, and whether somebody can have caused it: seen from it alone. */
export function canBeAbout(condition: Condition): { subject: boolean; source: boolean } {
	switch (condition.kind) {
		case 'timer':
		case 'tick':
		case 'score':
		case 'phase':
			return { subject: false, source: false };
		case 'death':
			return { subject: true, source: true };
		case 'event': {
			const { subject, source } = eventType(condition.event);
			return { subject: subject !== undefined, source: source !== undefined };
		}
		case 'health_below':
		case 'field':
		case 'enter':
		case 'leave':
			return { subject: true, source: false };
		case 'all':
		case 'any': {
			const parts = condition.of.map((part) => canBeAbout(part as Condition));
			return {
				subject: parts.some(({ subject }) => subject),
				source: parts.some(({ source }) => source),
			};
		}
		case 'not':
			return { subject: canBeAbout(condition.of as Condition).subject, source: false };
	}
}

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
