/**
 * POST /sweep: variants of a world, each in a throw-away fork, as one table.
 * Owns: the columns of the table, and the statistics over many seeds.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import * as routes from '../../shared/routes/sweep.ts';
import type { Condition } from '../../shared/verbs/conditions/index.ts';
import { sayStatement } from '../../shared/verbs/conditions/reading.ts';
import { filterOf, untilCondition } from '../sim/assertions/condition.ts';
import { clone, dispose } from '../sim/core/clone.ts';
import { entityAt } from '../sim/core/entities.ts';
import type { World } from '../sim/core/world.ts';
import { conditionWarnings, filterWarnings } from '../sim/warnings/condition-warnings.ts';
import type { WorldEntry } from '../store/worlds.ts';
import type { Host } from './context.ts';
import { requireFields } from './entity-fields.ts';
import { findEdge } from './find-edge.ts';
import { handler } from './handler.ts';
import { type FieldRead, type Job, type JobCalls, type JobRow, JobWork, runJobs } from './jobs.ts';
import { type PastCalls, pastCalls } from './past-calls.ts';
import { type SweepBody, type SweepVariant, variantsOf } from './variants.ts';
import { warningsField } from './warnings-field.ts';
import { stampOf } from './world-stamp.ts';

/** Number of ticks that `until` looks ahead if the caller sends none. */
const DEFAULT_UNTIL_TICKS = 600;

interface SweepQuestion {
	readonly until: Condition | null;
	readonly conditions: ReadonlyMap<string, Condition>;
	readonly fields: ReadonlyMap<string, FieldRead>;
}

type UntilBody = Parameters<typeof untilCondition>[0];

function questionOf(world: World, { until, where, fields }: SweepBody): SweepQuestion {
	return {
		until: until == null ? null : untilCondition(until as UntilBody, 'until'),
		conditions: new Map(
			Object.entries(where ?? {}).map(([name, sent]) => [
				name,
				untilCondition(sent as UntilBody, `where.${name}`),
			]),
		),
		fields: new Map(
			Object.entries(fields ?? {}).map(([name, { field, of, take = 'sum' }]) => {
				requireFields([field], `fields.${name}.field`);
				const subject =
					typeof of === 'number'
						? entityAt(world, of).id
						: filterOf(of as Parameters<typeof filterOf>[0], `fields.${name}.of`);
				return [name, { field, of: subject, take: take as FieldRead['take'] }];
			}),
		),
	};
}

/** The start world, the variants and the columns of a sweep, and the runs of each variant. */
class Sweep {
	readonly work: JobWork;
	readonly question: SweepQuestion;
	readonly columns: string[];
	readonly variants: readonly SweepVariant[];
	readonly #host: Host;
	readonly #body: SweepBody;
	readonly #world: World;
	readonly #entry: WorldEntry;
	readonly #past: PastCalls | null;

	constructor(host: Host, entry: WorldEntry, world: World, body: SweepBody, past: PastCalls | null) {
		this.#host = host;
		this.#entry = entry;
		this.#world = world;
		this.#body = body;
		this.#past = past;
		this.work = new JobWork(host, body.max_ticks ?? 1_000_000);
		this.question = questionOf(world, body);
		const { columns, variants } = variantsOf(world, body);
		const withoutColumn = past === null ? [] : ['without'];
		this.columns = [...withoutColumn, ...columns, ...this.#resultColumns()];
		this.variants =
			past === null ? variants : past.labels.flatMap((label, at) => variantsWithout(variants, label, at));
	}

	get seeds(): readonly (number | undefined)[] {
		const { seeds } = this.#body;
		return seeds == null ? [undefined] : Array.from({ length: seeds }, (_, i) => i + 1);
	}

	#resultColumns(): string[] {
		const { until, conditions, fields } = this.question;
		const hasManySeeds = this.#body.seeds != null;
		const odds = (name: string) => (hasManySeeds ? [name, `${name}_count`] : [name]);
		const stats = (name: string) =>
			hasManySeeds ? [`${name}_mean`, `${name}_error`, `${name}_min`, `${name}_max`] : [name];
		return [
			...(until === null ? [] : [...odds('until'), ...stats('ticks')]),
			...[...conditions.keys()].flatMap(odds),
			...[...fields.keys()].flatMap(stats),
			...(hasManySeeds ? [] : ['state_digest']),
		];
	}

	/** Returns the runs of a variant, one for each seed. */
	#jobsOf(variant: SweepVariant): Job[] {
		const { until, conditions, fields } = this.question;
		const { ticks } = this.#body;
		const past = this.#past;
		const calls: JobCalls[] = [
			...(past?.callsWithout(variant.omittedIndex ?? null) ?? []),
			{
				tick: this.#world.tick,
				requests: variant.requests,
				values: variant.values,
				lenient: false,
			},
		].filter(({ requests }) => requests.length > 0);
		const job = {
			world: past?.world ?? this.#world,
			of: past === null ? this.#entry : undefined,
			calls,
			end:
				past === null
					? { ticks: ticks ?? DEFAULT_UNTIL_TICKS }
					: { tick: this.#world.tick + (ticks ?? DEFAULT_UNTIL_TICKS) },
			until,
			conditions: [...conditions.values()],
			fields: [...fields.values()],
			name: variantName(this.columns, variant),
		};
		return this.seeds.map((seed) => ({ ...job, seed: seed ?? variant.seed }));
	}

	/** Returns the rows of all runs per variant. Returns fewer variants if the work is spent first. */
	async rowsOf(variants: readonly SweepVariant[]): Promise<readonly (readonly JobRow[])[]> {
		const jobs = variants.flatMap((variant) => this.#jobsOf(variant));
		const rows = await runJobs(this.#host, jobs, this.work);
		const runsPerVariant = this.seeds.length;
		return Array.from({ length: Math.floor(rows.length / runsPerVariant) }, (_, i) =>
			rows.slice(i * runsPerVariant, (i + 1) * runsPerVariant),
		);
	}

	/** Returns a row of the table. */
	tableRow({ cells }: SweepVariant, rows: readonly JobRow[]): unknown[] {
		const { until, conditions, fields } = this.question;
		const hasManySeeds = this.#body.seeds != null;
		const odds = (read: (row: JobRow) => boolean): unknown[] =>
			hasManySeeds ? oddsOf(rows.map(read)) : [read(rows[0]!)];
		const stats = (read: (row: JobRow) => unknown): unknown[] =>
			hasManySeeds ? statsOf(rows.map(read)) : [read(rows[0]!)];
		return [
			...cells,
			...(until === null ? [] : [...odds((row) => row.until === true), ...stats(({ ticks }) => ticks)]),
			...[...conditions.keys()].flatMap((_, i) => odds(({ holds }) => holds[i]!)),
			...[...fields.keys()].flatMap((_, i) => stats(({ values }) => values[i])),
			...(hasManySeeds ? [] : [rows[0]!.state_digest]),
		];
	}

	/** Returns the fraction of runs in which the only condition, or else `until`, holds. */
	fractionOfHolding(rows: readonly JobRow[]): number {
		const isHolding = (row: JobRow) =>
			(this.question.conditions.size > 0 ? row.holds[0] : row.until) === true;
		return rows.filter(isHolding).length / rows.length;
	}
}

/** Returns the variants without one call of the past. The first label omits no call. */
const variantsWithout = (
	variants: readonly SweepVariant[],
	label: string | null,
	at: number,
): SweepVariant[] =>
	variants.map((variant) => ({
		...variant,
		cells: [label, ...variant.cells],
		omittedIndex: at === 0 ? null : at - 1,
	}));

const variantName = (columns: readonly string[], { cells }: SweepVariant): string =>
	cells.length === 0
		? 'The variant'
		: `The variant with ${cells.map((cell, i) => `${columns[i]} ${JSON.stringify(cell)}`).join(', ')}`;

const round = (value: number): number => Number(value.toPrecision(9));

function oddsOf(all: readonly boolean[]): [number, number] {
	const count = all.filter(Boolean).length;
	return [round(count / all.length), count];
}

/** Returns mean, standard error, minimum and maximum of the numbers among some values; nulls if there are none. */
function statsOf(all: readonly unknown[]): (number | null)[] {
	const numbers = all.filter((value) => typeof value === 'number');
	if (numbers.length === 0) return [null, null, null, null];
	const mean = numbers.reduce((total, value) => total + value, 0) / numbers.length;
	let [min, max] = [numbers[0]!, numbers[0]!];
	let squares = 0;
	for (const value of numbers) {
		min = Math.min(min, value);
		max = Math.max(max, value);
		squares += (value - mean) ** 2;
	}
	const error = numbers.length < 2 ? null : Math.sqrt(squares / (numbers.length - 1) / numbers.length);
	return [round(mean), error === null ? null : round(error), min, max];
}

/** Returns a warning if `until` holds before the first tick of some runs. */
function startWarnings(rows: readonly JobRow[]): string[] {
	const count = rows.filter(({ until, ticks }) => until === true && ticks === 0).length;
	if (count === 0) return [];
	return [
		`until: the condition holds already at tick 0 in ${count} of ${rows.length} runs, so they made no tick. Send a condition that does not hold yet, or "where" with "ticks" to look at the end.`,
	];
}

/** Returns the omitted parts of rows whose results differ from those of the row that omits nothing. */
function differingParts(
	sweep: Sweep,
	finishedRuns: readonly (readonly [SweepVariant, readonly JobRow[]])[],
): string[] {
	const at = sweep.columns.indexOf('without');
	const { until, conditions } = sweep.question;
	const hasQuestion = until !== null || conditions.size > 0;
	const answers = (rows: readonly JobRow[]) =>
		JSON.stringify(rows.map((row) => (hasQuestion ? [row.until, row.holds] : row.state_digest)));
	const otherCells = ({ cells }: SweepVariant) => JSON.stringify(cells.toSpliced(at, 1));
	const answersByRest = new Map<string, string>();
	for (const [variant, rows] of finishedRuns)
		if (variant.cells[at] === null) answersByRest.set(otherCells(variant), answers(rows));
	const differ = finishedRuns.filter(
		([variant, rows]) => answersByRest.get(otherCells(variant)) !== answers(rows),
	);
	return [...new Set(differ.map(([{ cells }]) => String(cells[at])))];
}

async function findValue(sweep: Sweep, { find, share = 1, vary }: SweepBody) {
	const numbers = sweep.variants.map(({ cells }) => cells[0]);
	const isAscending = numbers.every(
		(value, i) => typeof value === 'number' && (i === 0 || value > (numbers[i - 1] as number)),
	);
	if (!isAscending)
		throw new ApiError('invalid_body', 'vary[0].values: find needs numbers in ascending order.', {
			path: 'vary[0].values',
			fix: `Sort the values of "${vary![0]!.as}", or send from and to.`,
		});
	const rowsByIndex = new Map<number, readonly JobRow[]>();
	const edge = await findEdge(numbers as number[], find as 'smallest' | 'largest', async (indices) => {
		const all = await sweep.rowsOf(indices.map((at) => sweep.variants[at]!));
		return indices.map((at, i) => {
			const rows = all[i];
			if (rows === undefined) return null;
			rowsByIndex.set(at, rows);
			return sweep.fractionOfHolding(rows) >= share;
		});
	});
	const order = [...rowsByIndex].sort(([a], [b]) => a - b);
	return { edge, finishedRuns: order.map(([at, rows]) => [sweep.variants[at]!, rows] as const) };
}

async function runAllVariants(sweep: Sweep) {
	const rows = await sweep.rowsOf(sweep.variants);
	return {
		edge: null,
		finishedRuns: rows.map((variantRows, at) => [sweep.variants[at]!, variantRows] as const),
	};
}

async function sweepOf(host: Host, entry: WorldEntry, world: World, body: SweepBody, past: PastCalls | null) {
	const sweep = new Sweep(host, entry, world, body, past);
	const { edge, finishedRuns } =
		body.find == null ? await runAllVariants(sweep) : await findValue(sweep, body);
	const { limit = 200 } = body;
	const { until, conditions, fields } = sweep.question;
	const namedConditions: [string, Condition][] = [
		...(until === null ? [] : [['until', until] as const]),
		...conditions,
	].map(([name, condition]) => [name, condition]);
	const { complete: isFound = true, ...found } = edge ?? {};
	const complete = isFound && (edge !== null || finishedRuns.length === sweep.variants.length);
	return {
		...stampOf(world),
		columns: sweep.columns,
		rows: finishedRuns.slice(0, limit).map(([variant, rows]) => sweep.tableRow(variant, rows)),
		...(finishedRuns.length > limit ? { left_out: finishedRuns.length - limit } : {}),
		runs: sweep.work.runs,
		ticks_computed: sweep.work.ticks,
		complete,
		...(edge === null ? {} : { found: found as Omit<typeof edge, 'complete'> }),
		...(body.leave_out == null ? {} : { differ: differingParts(sweep, finishedRuns) }),
		reading: Object.fromEntries(namedConditions.map(([name, condition]) => [name, sayStatement(condition)])),
		...warningsField([
			...(complete ? [] : [unfinishedWarning(sweep, finishedRuns.length, body)]),
			...(past?.limitText == null
				? []
				: [`Only ${past.labels.length - 1} calls can be left out. ${past.limitText}`]),
			...startWarnings(finishedRuns.flatMap(([, rows]) => rows)),
			...namedConditions.flatMap(([name, condition]) =>
				conditionWarnings(world, condition, name, 'statement'),
			),
			...[...fields].flatMap(([name, { of }]) =>
				typeof of === 'number' ? [] : filterWarnings(world, of, `fields.${name}.of`),
			),
		]),
	};
}

/** Returns the warning of a sweep that could not run all variants. */
function unfinishedWarning(
	{ work, variants }: Sweep,
	done: number,
	{ max_ticks = 1_000_000 }: SweepBody,
): string {
	const why = work.ticksLeft <= 0 ? `max_ticks (${max_ticks}) was` : 'the time for one call was';
	return `Only ${done} of ${variants.length} variants ran: ${why} used up. Send fewer variants, seeds or ticks per call.`;
}

/** Throws `invalid_body` if a column has the name of another column, or of one that a sweep adds itself. */
function requireUniqueColumns({ vary, where, fields }: SweepBody): void {
	const usedNames = new Set(['variant', 'without', 'until', 'ticks', 'state_digest']);
	const all = [
		...(vary ?? []).map(({ as }, i) => [as, `vary[${i}].as`] as const),
		...Object.keys(where ?? {}).map((name) => [name, `where.${name}`] as const),
		...Object.keys(fields ?? {}).map((name) => [name, `fields.${name}`] as const),
	];
	for (const [name, path] of all) {
		if (usedNames.has(name))
			throw new ApiError('invalid_body', `${path}: the column "${name}" exists already.`, {
				path,
				fix: `Choose another name, such as ${name}_2.`,
			});
		usedNames.add(name);
	}
}

export const handlers = [
	handler(routes.sweep, async ({ host, entry }, { body }) => {
		requireUniqueColumns(body);
		const world = clone(entry.world);
		let past: PastCalls | null = null;
		try {
			const calls = body.leave_out?.calls;
			if (calls != null) past = await pastCalls(host, entry.id, world, { calls });
			return await sweepOf(host, entry, world, body, past);
		} finally {
			if (past !== null) dispose(past.world);
			dispose(world);
		}
	}),
];
