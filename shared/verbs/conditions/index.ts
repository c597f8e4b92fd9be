/**
 * All kinds of condition, in the order in which rules fire within a tick. Derived from them: the typed form, subject
 * and source, and the names that they read. To add one, declare it in a new file here, list it below, and implement it
 * in `web/sim/rules/conditions/`.
 */

import * as z from 'zod';
import { titleOf } from '../../contract/title.ts';
import { filterText } from '../filter-text.ts';
import { alive } from './alive.ts';
import { all } from './all.ts';
import { allRenderableHaveTransform } from './all-renderable-have-transform.ts';
import { allTeamsHaveSpawnPoints } from './all-teams-have-spawn-points.ts';
import { and } from './and.ts';
import { any } from './any.ts';
import { arrived } from './arrived.ts';
import type {
	About,
	ConditionKind,
	ConditionLanguage,
	ConditionShape,
	ConditionWriter,
	InnerCondition,
} from './condition.ts';
import { dead } from './dead.ts';
import { death } from './death.ts';
import { digest } from './digest.ts';
import { distance } from './distance.ts';
import { elapsed } from './elapsed.ts';
import { enter } from './enter.ts';
import { entity } from './entity.ts';
import { entityBudget } from './entity-budget.ts';
import { entityCount } from './entity-count.ts';
import { entityExists } from './entity-exists.ts';
import { event } from './event.ts';
import { everyEntity } from './everybody.ts';
import { field } from './field.ts';
import { fieldCheck } from './field-check.ts';
import { gamePhase } from './game-phase.ts';
import { hasComponent } from './has-component.ts';
import { hasEffect } from './has-effect.ts';
import { hasItem } from './has-item.ts';
import { healthBelow } from './health-below.ts';
import { leave } from './leave.ts';
import { name } from './name.ts';
import { noOverlap } from './no-overlap.ts';
import { noZeroHealthAlive } from './no-zero-health-alive.ts';
import { noneAreDead } from './none-are-dead.ts';
import { not } from './not.ts';
import { phase } from './phase.ts';
import { quantified } from './quantified.ts';
import { role } from './role.ts';
import { score } from './score.ts';
import { tag } from './tag.ts';
import { team } from './team.ts';
import { text } from './text.ts';
import { tick } from './tick.ts';
import { timer } from './timer.ts';
import { winner } from './winner.ts';

const LIST = [
	death,
	timer,
	healthBelow,
	score,
	phase,
	tick,
	event,
	arrived,
	enter,
	leave,
	field,
	all,
	any,
	not,
	elapsed,
	winner,
	text,
	digest,
	alive,
	dead,
	hasItem,
	hasEffect,
	distance,
	everyEntity,
	entity,
	team,
	role,
	tag,
	name,
	hasComponent,
	and,
	entityExists,
	entityCount,
	fieldCheck,
	quantified,
	noneAreDead,
	noOverlap,
	entityBudget,
	gamePhase,
	allTeamsHaveSpawnPoints,
	noZeroHealthAlive,
	allRenderableHaveTransform,
] as const;

type Kinds = (typeof LIST)[number];

/** Names of the kinds of condition. */
export type ConditionName = Kinds['name'];

type FormOfKind<K> = K extends ConditionKind<string, ConditionShape, infer C> ? C : never;

/** A condition of one kind, in typed form. */
export type ConditionOf<N extends ConditionName> = FormOfKind<Extract<Kinds, { name: N }>>;

export type Condition = { [N in ConditionName]: ConditionOf<N> }[ConditionName];

export type { About, InnerCondition } from './condition.ts';

/** All kinds, in the order in which their rules fire within a tick. */
export const CONDITIONS = LIST as unknown as readonly ConditionKind[];

/** Returns the word that names the kind of a condition. */
export const wordOf = ({ name, word = name }: ConditionKind): string => word;

const WORDS: Readonly<Record<'kind' | 'type', Map<string, ConditionKind>>> = {
	kind: new Map(),
	type: new Map(),
};
for (const kind of CONDITIONS)
	for (const word of [wordOf(kind), ...(kind.aliases ?? [])]) WORDS[kind.key].set(word, kind);

/** Returns the kind of a condition in typed form. */
export function conditionKind({ kind, type }: InnerCondition): ConditionKind {
	return (kind === undefined ? WORDS.type.get(type!) : WORDS.kind.get(kind))!;
}

/** Maximum depth of nested conditions. */
export const MAX_DEPTH = 8;
/** Maximum number of conditions in one condition. Each is tested for every entity. */
export const MAX_PARTS = 300;

/** Keys under which a condition contains other conditions. */
const PART_KEYS = ['of', 'filters', 'filter'] as const;

/** Returns the conditions inside a condition, each with its path. Filters in text form are omitted. */
export function partsOf(
	condition: InnerCondition,
): { readonly path: string; readonly part: InnerCondition }[] {
	const fields = condition as Readonly<Record<string, unknown>>;
	return PART_KEYS.flatMap((key) => {
		const value = fields[key];
		if (Array.isArray(value)) return value.map((part, i) => ({ path: `${key}[${i}]`, part }));
		return typeof value === 'object' && value !== null ? [{ path: key, part: value }] : [];
	});
}

function isDeeper(sent: unknown, levels: number): boolean {
	if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return false;
	return levels === 0 || partsOf(sent).some(({ part }) => isDeeper(part, levels - 1));
}

/** Counts the conditions in a condition, including itself. Stops above `max`. */
function countParts(sent: unknown, max: number): number {
	if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return 0;
	let parts = 1;
	for (const { part } of partsOf(sent)) {
		parts += countParts(part, max - parts);
		if (parts > max) break;
	}
	return parts;
}

/** Returns the reason that the structure of a condition is refused; null if it is valid. */
function structureFault(sent: unknown): string | null {
	if (isDeeper(sent, MAX_DEPTH)) return `conditions nest at most ${MAX_DEPTH} deep`;
	return countParts(sent, MAX_PARTS) > MAX_PARTS
		? `a condition has at most ${MAX_PARTS} conditions in it`
		: null;
}

/** Returns a condition with the canonical key and word of its kind. Its parts stay unchanged. */
function toCanonicalWords(sent: unknown): unknown {
	if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent;
	const fields = sent as Readonly<Record<string, unknown>>;
	const key = typeof fields.kind === 'string' ? 'kind' : typeof fields.type === 'string' ? 'type' : undefined;
	if (key === undefined) return sent;
	const word = (fields[key] as string).trim().toLowerCase();
	const kindOfCondition = WORDS[key].get(word) ?? WORDS[key === 'kind' ? 'type' : 'kind'].get(word);
	if (kindOfCondition === undefined) return sent;
	const { kind: _, type: __, ...rest } = fields;
	return { [kindOfCondition.key]: wordOf(kindOfCondition), ...rest };
}

const LANGUAGE: ConditionLanguage = {
	condition: z.lazy((): z.ZodType<InnerCondition> => conditionDocument),
	filter: z.lazy((): z.ZodType<InnerCondition | string> => filterDocument),
};

const schemaOf = (kind: ConditionKind) =>
	z
		.strictObject({ [kind.key]: z.literal(wordOf(kind)), ...kind.fields(LANGUAGE) })
		.describe(kind.doc)
		.meta({ id: `${titleOf(kind.name)}Condition` });

const forms = (key: 'kind' | 'type') =>
	z.discriminatedUnion(
		key,
		CONDITIONS.filter((kind) => kind.key === key).map(schemaOf) as unknown as [z.ZodObject, ...z.ZodObject[]],
	);

/** A condition in typed form. */
export const conditionDocument = z
	.preprocess(
		(sent, context) => {
			const refusal = structureFault(sent);
			if (refusal === null) return toCanonicalWords(sent);
			context.addIssue({ code: 'custom', message: refusal });
			return z.NEVER;
		},
		z.union([forms('kind'), forms('type')]),
	)
	.describe(
		`A state that holds or an event that happens. Conditions nest at most ${MAX_DEPTH} deep, and one has at most ${MAX_PARTS} in it`,
	)
	.meta({ id: 'Condition' }) as unknown as z.ZodType<Condition>;

/** Filter: a short text or a condition in typed form. */
export const filterDocument = z
	.union([filterText, conditionDocument])
	.describe('Filter, as a short text or a typed condition')
	.meta({ id: 'Filter' }) as unknown as z.ZodType<Condition | string>;

/** Returns the presence of a subject and a source in a condition. */
export function aboutOf(condition: InnerCondition): About {
	const { about } = conditionKind(condition);
	return typeof about === 'function' ? about(condition, aboutOf) : about;
}

/** Returns true if a condition happens on single ticks instead of lasting. */
export function isMomentary(condition: InnerCondition): boolean {
	const { momentary = false } = conditionKind(condition);
	if (momentary === 'parts') return partsOf(condition).some(({ part }) => isMomentary(part));
	return typeof momentary === 'function' ? momentary(condition) : momentary;
}

/** Returns the names that a condition reads. `filterReads`: names that the filter of its subject reads. */
export function readsOf(condition: InnerCondition, filterReads: readonly string[] = ['entities']): string[] {
	const { reads } = conditionKind(condition);
	return [
		...(typeof reads === 'function' ? reads(condition) : reads),
		...partsOf(condition).flatMap(({ part }) => readsOf(part, filterReads)),
		...(aboutOf(condition).subject ? filterReads : []),
	];
}

/** Returns the short text of a condition, or its words if it has no short text. */
export function writeCondition(condition: InnerCondition): string {
	const { write } = conditionKind(condition);
	return write?.(condition, writeCondition) ?? sayCondition(condition, String);
}

/** Returns the short text of a filter. */
export const writeFilter = (filter: InnerCondition | string): string =>
	typeof filter === 'string' ? filter : writeCondition(filter);

/** Returns a condition in words. */
export function sayCondition(condition: InnerCondition, number: (value: number) => string): string {
	const voice: ConditionWriter = {
		number,
		inner: (part) => {
			const words = sayCondition(part, number);
			return partsOf(part).length > 1 ? `(${words})` : words;
		},
	};
	return conditionKind(condition).say(condition, voice);
}
