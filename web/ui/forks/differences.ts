/**
 * Differences of a fork from main as numbered rows.
 * Owns: the listed fields, their order and texts, and the pins of rows. Never: calls the engine.
 */

import type { Answer } from '../../../shared/contract/route.ts';
import type { diffFork } from '../../../shared/routes/forks.ts';
import type { Entity, Vector } from '../entities/entity.ts';
import { entityLabel, teamName } from '../entities/entity.ts';
import { formatNumber } from '../numbers.ts';

export type Diff = Answer<typeof diffFork>;

/** Facts about an entity of a world that the rows need. */
export interface Known {
	readonly label: string;
	readonly team: number | null;
	readonly place: Vector | null;
}

/** Entities of a world by id. */
export type KnownEntities = ReadonlyMap<number, Known>;

export interface Difference {
	readonly key: string;
	/** Number of its pin; null without a place in the picture. */
	readonly number: number | null;
	readonly entity: number | null;
	readonly name: string;
	readonly field: string;
	/** Value in main, and in the fork. */
	readonly from: string;
	readonly to: string;
	/** Verdict for the played team; null if it is neutral. */
	readonly verdict: 'better' | 'worse' | null;
	/** Place of its pin in the fork (m). */
	readonly place: Vector | null;
	/** Place of its pin in main; null for what main does not have. */
	readonly placeInMain: Vector | null;
}

export interface Differences {
	readonly rows: readonly Difference[];
	/** Number of different fields without a row. */
	readonly others: number;
}

/** Fields to read of each entity. */
export const KNOWN_FIELDS = ['name', 'role', 'mesh', 'team', 'position', 'player', 'tags'] as const;

/** Maximum number of pins in a picture. */
const MAX_PINS = 12;
/** Minimum distance of a listed move (m). */
const MOVED = 0.2;

/** Reads a table of `KNOWN_FIELDS`. Returns the entities, and the team of the first played entity. */
export function readKnown(
	columns: readonly string[],
	rows: readonly (readonly unknown[])[],
): { readonly entities: KnownEntities; readonly team: number | null } {
	const entities = new Map<number, Known>();
	let team: number | null = null;
	for (const row of rows) {
		const entity = Object.fromEntries(
			columns.flatMap((column, at) => (row[at] == null ? [] : [[column, row[at]]])),
		) as unknown as Entity & { readonly position?: Vector };
		entities.set(entity.id, {
			label: entityLabel(entity),
			team: entity.team ?? null,
			place: entity.position ?? null,
		});
		if (entity.player !== undefined) team ??= entity.team ?? null;
	}
	return { entities, team };
}

type Draft = Omit<Difference, 'number' | 'key'> & {
	/** Rows of a lower rank come first. */
	readonly rank: number;
	/** Rows of a larger size come first within a rank. */
	readonly size: number;
};

interface Sides {
	readonly main: KnownEntities;
	readonly fork: KnownEntities;
	readonly team: number | null;
}

/** Fields whose increase is better, with their name, unit and rank. */
const AMOUNTS: Readonly<Record<string, readonly [words: string, unit: string, rank: number]>> = {
	'health.current': ['health', ' HP', 2],
	'gold.amount': ['gold', '', 4],
	'level.level': ['level', '', 4],
	'mana.current': ['mana', '', 5],
};

/** Fields that are neither better nor worse. */
const PLAIN: Readonly<Record<string, string>> = {
	'name.name': 'name',
	'tags.tags': 'tags',
	'mesh.mesh': 'shape',
	'color.color': 'colour',
	'local_transform.scale': 'size',
	'team.team': 'team',
	'role.role': 'role',
};

type FieldChange = Diff['changed'][number]['fields'][number];

/** Returns the plain fields of a component that only one of both worlds has; any other change as it is. */
function plainFields(change: FieldChange): readonly FieldChange[] {
	const { field, from, to } = change;
	if (from !== null && to !== null) return [change];
	const had = (from ?? {}) as Readonly<Record<string, unknown>>;
	const has = (to ?? {}) as Readonly<Record<string, unknown>>;
	const found = Object.keys({ ...had, ...has }).flatMap((key): FieldChange[] =>
		Object.hasOwn(PLAIN, `${field}.${key}`)
			? [{ field: `${field}.${key}`, from: had[key] ?? null, to: has[key] ?? null }]
			: [],
	);
	return found.length > 0 ? found : [change];
}

const isVector = (value: unknown): value is Vector =>
	Array.isArray(value) && value.length === 3 && value.every((part) => typeof part === 'number');

function words(value: unknown): string {
	if (value === null || value === undefined) return 'none';
	if (typeof value === 'number') return formatNumber(value, 2);
	if (typeof value === 'string') return value;
	if (typeof value === 'boolean') return value ? 'on' : 'off';
	if (Array.isArray(value)) return value.map(words).join(', ');
	return JSON.stringify(value);
}

/** Returns the rows of a fork's differences from main: new and removed entities first, then health, places and gold. */
export function differencesOf(diff: Diff, sides: Sides): Differences {
	const drafts: Draft[] = [];
	let others = 0;
	for (const { id, fields } of diff.changed) {
		const isDeath = fields.some(({ field }) => field === 'dead');
		for (const { field, from, to } of fields.flatMap(plainFields)) {
			// The dead have no health left, so that difference needs no row.
			if (isDeath && field === 'health.current') continue;
			const draft = fieldRow(id, field, from, to, sides);
			if (draft === null) others++;
			else drafts.push(draft);
		}
	}
	for (const { id } of diff.despawned) drafts.push(presenceRow(Number(id), 'gone', sides));
	for (const { id } of diff.spawned) drafts.push(presenceRow(Number(id), 'new', sides));
	for (const { name, from, to } of diff.resources) {
		const rows = resourceRows(name, from, to);
		if (rows.length === 0) others++;
		drafts.push(...rows);
	}
	drafts.sort((a, b) => a.rank - b.rank || b.size - a.size || (a.entity ?? 0) - (b.entity ?? 0));
	const pins = new Map<string, number>();
	const rows = drafts.map(
		({ rank: _, size: __, ...row }): Difference => ({
			...row,
			key: `${row.entity}/${row.name}/${row.field}`,
			number: pinNumber(row, pins),
		}),
	);
	return { rows, others };
}

/** Returns the number of a row's pin. Rows of one entity at one place share a pin: two pins would hide each other. */
function pinNumber(
	{ entity, place }: Pick<Draft, 'entity' | 'place'>,
	pins: Map<string, number>,
): number | null {
	if (place === null) return null;
	const at = `${entity} ${place}`;
	const known = pins.get(at);
	if (known !== undefined || pins.size === MAX_PINS) return known ?? null;
	pins.set(at, pins.size + 1);
	return pins.size;
}

/** A mark in a picture, for all rows of its place. */
interface Pin {
	readonly numbers: readonly number[];
	readonly place: Vector;
}

/** Returns the pins of rows in the picture of the fork, or of main. */
export function pinsOf(rows: readonly Difference[], inMain: boolean): readonly Pin[] {
	const pins = new Map<string, { readonly numbers: number[]; readonly place: Vector }>();
	for (const { number, place, placeInMain } of rows) {
		const position = inMain ? placeInMain : place;
		if (number === null || position === null) continue;
		const pin = pins.get(position.join());
		if (pin === undefined) pins.set(position.join(), { numbers: [number], place: position });
		else if (!pin.numbers.includes(number)) pin.numbers.push(number);
	}
	return [...pins.values()];
}

const labelIn = (id: number, { main, fork }: Sides): string =>
	(fork.get(id) ?? main.get(id))?.label ?? `Entity ${id}`;

/** Returns the verdict for the played team. `its` is the team of the entity, and `isGood` means good for that team. */
function verdictOn(its: number | null | undefined, isGood: boolean, { team }: Sides): Difference['verdict'] {
	if (team === null || its == null) return null;
	return (its === team) === isGood ? 'better' : 'worse';
}

function presenceRow(id: number, what: 'gone' | 'new', sides: Sides): Draft {
	const entity = (what === 'gone' ? sides.main : sides.fork).get(id);
	return {
		entity: id,
		name: entity?.label ?? `Entity ${id}`,
		field: '',
		from: what === 'gone' ? 'there' : '',
		to: what,
		verdict: verdictOn(entity?.team, what === 'new', sides),
		place: entity?.place ?? null,
		placeInMain: what === 'gone' ? (entity?.place ?? null) : null,
		// An entity without any of these is a rule, or similar ones.
		rank: entity?.place == null ? 6 : 0,
		size: entity?.team == null ? 0 : 1,
	};
}

function fieldRow(id: number, field: string, from: unknown, to: unknown, sides: Sides): Draft | null {
	const there = sides.main.get(id)?.place ?? null;
	const row = { entity: id, name: labelIn(id, sides), placeInMain: there };
	const here = sides.fork.get(id)?.place ?? there;
	const its = sides.fork.get(id)?.team;
	if (field === 'dead') {
		const [was, is] = from === null ? ['alive', 'fallen'] : ['fallen', 'alive'];
		const verdict = verdictOn(its, to === null, sides);
		return { ...row, field: '', from: was, to: is, verdict, place: here, rank: 1, size: 0 };
	}
	if (field === 'local_transform.position') {
		const gap = there === null || here === null ? distance(from, to) : distance(there, here);
		if (gap < MOVED) return null;
		const moved = `${formatNumber(gap, 1)} m`;
		// The pin is at the ghost, which is the place in main.
		return {
			...row,
			field: 'place',
			from: '',
			to: `${moved} away`,
			verdict: null,
			place: there,
			rank: 3,
			size: gap,
		};
	}
	const amount = AMOUNTS[field];
	if (amount !== undefined && typeof from === 'number' && typeof to === 'number') {
		const [name, unit, rank] = amount;
		const digits = Math.abs(to - from) < 1 ? 2 : 0;
		const shown = (value: number) => `${formatNumber(value, digits)}${unit}`;
		const verdict = verdictOn(its, to > from, sides);
		return {
			...row,
			field: name,
			from: formatNumber(from, digits),
			to: shown(to),
			verdict,
			place: here,
			rank,
			size: Math.abs(to - from) / Math.max(1, Math.abs(from)),
		};
	}
	const plain = PLAIN[field];
	if (plain === undefined) return null;
	return {
		...row,
		field: plain,
		from: words(from),
		to: words(to),
		verdict: null,
		place: here,
		rank: 5,
		size: 0,
	};
}

interface Match {
	readonly phase: string;
	readonly scores: readonly { readonly team: number | null; readonly points: number }[];
	readonly winner: { readonly team: number | null } | null;
}

/** Returns the points of each team, in the order of the teams: `14 to 9`. */
function scoreWords({ scores }: Match): string {
	const points = new Map<number, number>();
	for (const { team, points: count } of scores)
		if (team !== null) points.set(team, (points.get(team) ?? 0) + count);
	const teams = [...points].sort(([a], [b]) => a - b);
	return teams.length === 0 ? 'none' : teams.map(([, count]) => formatNumber(count)).join(' to ');
}

const MATCH_WORDS: readonly (readonly [field: string, words: (match: Match) => string])[] = [
	['score', scoreWords],
	['phase', ({ phase }) => phase],
	['winner', ({ winner }) => (winner?.team == null ? 'none' : teamName(winner.team))],
];

/** Names of the resources that a person sets. */
const SETTINGS: Readonly<Record<string, string>> = {
	sky: 'Sky',
	fog: 'Fog',
	postprocess: 'Post-processing',
	tuning: 'Tuning',
	feedback: 'Combat effects',
	mixer: 'Sound',
	materials: 'Materials',
	foliage: 'Plants',
	hud: 'HUD',
};

const NOWHERE = { entity: null, verdict: null, place: null, placeInMain: null, rank: 4 } as const;

/** Returns the rows of the match, or of a setting of the world; none for other resources. */
function resourceRows(name: string, from: unknown, to: unknown): Draft[] {
	if (name === 'match' && from !== null && to !== null)
		return MATCH_WORDS.flatMap(([field, shown]): Draft[] => {
			const [was, is] = [shown(from as Match), shown(to as Match)];
			return was === is ? [] : [{ ...NOWHERE, name: 'Match', field, from: was, to: is, size: 1 }];
		});
	const label = SETTINGS[name];
	if (label === undefined) return [];
	return settingChanges(from, to).map(([field, was, is]) => ({
		...NOWHERE,
		name: label,
		field,
		from: was,
		to: is,
		size: 0,
	}));
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the fields of a setting that differ, with their values in words. A list counts as one field. */
function settingChanges(
	from: unknown,
	to: unknown,
	path: readonly string[] = [],
): readonly (readonly [field: string, from: string, to: string])[] {
	if (JSON.stringify(from) === JSON.stringify(to)) return [];
	if (isRecord(from) && isRecord(to))
		return Object.keys({ ...from, ...to }).flatMap((key) =>
			settingChanges(from[key], to[key], [...path, key]),
		);
	const field = path.join(' ').replaceAll('_', ' ');
	const isLong = [from, to].some(
		(value) => isRecord(value) || (Array.isArray(value) && !value.every(isPlain)),
	);
	if (!isLong) return [[field, words(from), words(to)]];
	if (from != null && to != null) return [[field, '', 'changed']];
	return [from == null ? [field, 'none', 'set'] : [field, 'set', 'none']];
}

const isPlain = (value: unknown): boolean => typeof value === 'number' || typeof value === 'string';

function distance(a: unknown, b: unknown): number {
	if (!isVector(a) || !isVector(b)) return 0;
	return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}
