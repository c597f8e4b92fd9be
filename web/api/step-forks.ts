/**
 * POST /fork/step: steps many forks in one call.
 * Owns: the order of the parts of a step, and the content of its row. A refused step does not affect other steps.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import { isolationOf } from '../../shared/contract/isolation.ts';
import { pathMatcher } from '../../shared/contract/path-matcher.ts';
import type { Answer, ExampleCall } from '../../shared/contract/route.ts';
import type { StepInput } from '../../shared/documents/input.ts';
import { MAX_VALUE_ROWS, type stepForks as route } from '../../shared/routes/forks.ts';
import { routes } from '../../shared/routes/index.ts';
import type { Condition } from '../../shared/verbs/conditions/index.ts';
import { requireFewLooks } from '../sim/assertions/assertion.ts';
import { filterOf, untilCondition } from '../sim/assertions/condition.ts';
import { digest } from '../sim/core/digest.ts';
import { eachEntity } from '../sim/core/entities.ts';
import { markChanged } from '../sim/core/version.ts';
import type { World } from '../sim/core/world.ts';
import { atPath } from '../sim/documents/at-path.ts';
import { environmentState } from '../sim/environment/environment.ts';
import { ConditionLook } from '../sim/rules/conditions/evaluate-condition.ts';
import { ConditionWatch } from '../sim/rules/conditions/watch.ts';
import type { WorldEntry } from '../store/worlds.ts';
import type { Host } from './context.ts';
import { fieldsReader, requireFields } from './entity-fields.ts';
import { queueStepInputs } from './input.ts';
import { isPortable } from './portable.ts';
import { type RequestList, runAll } from './run-requests.ts';
import { SharedWork, type WorkParts } from './shared-work.ts';

type Request = RequestList['requests'][number];
type Row = Answer<typeof route>['rows'][number];
type UntilBody = Parameters<typeof untilCondition>[0];

type RowRefusal = Pick<ApiError, 'code' | 'message' | 'fix'>;

export interface ForkStep {
	readonly fork_id: string;
	readonly from?: string | null | undefined;
	readonly seed?: number | null | undefined;
	readonly requests?: readonly Request[] | null | undefined;
	readonly inputs?: readonly StepInput[] | null | undefined;
	readonly ticks?: number | null | undefined;
}

export interface StepForksBody {
	readonly steps: readonly ForkStep[];
	readonly ticks: number;
	readonly until?: unknown;
	readonly where?: readonly unknown[] | Readonly<Record<string, unknown>> | null | undefined;
	readonly fields?: readonly string[] | null | undefined;
	readonly filter?: Parameters<typeof filterOf>[0] | null | undefined;
	readonly digest: boolean;
	readonly environment: boolean;
	readonly form: 'rows' | 'columns';
	readonly keep: boolean;
}

/** Fields of a row, in the order of their columns. */
const ROW_FIELDS = [
	'fork_id',
	'ok',
	'tick',
	'state_digest',
	'until',
	'where',
	'values',
	'environment',
	'error',
] as const;

/** Thrown if the world was paused during the requests of a step. It ends the whole call. */
class PausedError extends Error {}

/** Runs the steps, on the forks or on copies of them. */
export async function stepForks(host: Host, body: StepForksBody) {
	const answer = await stepOnForksOrCopies(host, body);
	return body.form === 'columns' ? { ...answer, rows: [], table: tableOf(answer.rows) } : answer;
}

/** Returns the rows as lists of values, with the names of their columns. */
function tableOf(rows: readonly Row[]) {
	const columns = ROW_FIELDS.filter((name) => rows.some((row) => row[name] !== undefined));
	return { columns: [...columns], rows: rows.map((row) => columns.map((name) => row[name] ?? null)) };
}

async function stepOnForksOrCopies(host: Host, body: StepForksBody) {
	if (body.keep) return stepAll(host, body);
	const { host: copies, rollback } = host.begin();
	try {
		return await stepAll(copies, body);
	} finally {
		rollback();
	}
}

async function stepAll(host: Host, body: StepForksBody) {
	const { running } = host;
	const { steps } = body;
	const until = body.until == null ? null : untilCondition(body.until as UntilBody);
	const reader = new RowReader(body);
	const worlds = independentWorlds(host, body);
	const sharedWork = worlds && new SharedWork(host, stepParts(body, worlds));
	const rows: Row[] = [];
	/** Runs a step, and adds its row. Returns true if the call ends after it. */
	const runStep = async (index: number): Promise<boolean> => {
		const forkStep = steps[index]!;
		try {
			// The call may also end between steps without ticks, so each step is an edge.
			running.countEdge();
			running.requireRunning();
			const step = new StepOfFork(host, forkStep, `steps[${index}]`);
			const entry = await step.applyRequests();
			const holds = await step.runTicks(entry, forkStep.ticks ?? body.ticks, until);
			rows.push(reader.row(entry, holds));
		} catch (error) {
			if (!(error instanceof ApiError) && !(error instanceof PausedError)) throw error;
			if (error instanceof ApiError && running.stop !== null && running.stop !== 'paused')
				throw endedEarlyError(error, rows, steps.length);
			if (error instanceof ApiError)
				rows.push(refusalRow(forkStep.fork_id, host.worlds.find(forkStep.fork_id), error));
		}
		const isLast = rows.length === steps.length;
		if (!isLast && running.stopAtEdge() === 'paused') return true;
		const pause = host.pauseIfDue();
		if (pause !== undefined) await pause;
		return false;
	};
	try {
		while (rows.length < (sharedWork?.end ?? steps.length)) {
			if (await runStep(rows.length)) break;
			sharedWork?.setProgress(rows.length);
		}
		for (const row of running.stop === null ? ((await sharedWork?.remainingResults()) ?? []) : []) {
			if (row !== undefined && reader.hasRoomFor(row)) {
				running.ticks += row.tick! - worlds![rows.length]!.tick;
				rows.push(row);
			} else if (await runStep(rows.length)) break;
		}
	} finally {
		sharedWork?.stop();
	}
	return {
		...reader.head(),
		rows,
		failed: rows.filter(({ ok }) => !ok).length,
		...(running.stop === 'paused' ? { stopped: 'paused' as const } : {}),
	};
}

/** Returns the world with which each step begins; null if a step depends on another one. */
function independentWorlds(
	{ worlds }: Host,
	{ steps, fields, keep }: StepForksBody,
): readonly World[] | null {
	if (keep) return null;
	const startWorlds = steps.map(({ fork_id, from }) => worlds.find(from ?? fork_id)?.world);
	if (startWorlds.includes(undefined)) return null;
	const steppedIds = new Set<string>();
	const readIds = new Set(steps.map(({ from }) => from));
	for (const { fork_id, from, requests } of steps) {
		const isChanged = (from == null && steppedIds.has(fork_id)) || readIds.has(fork_id);
		if (isChanged || requests?.every(isPortable) === false) return null;
		steppedIds.add(fork_id);
	}
	const entities = (startWorlds as World[]).reduce((sum, world) => sum + world.entities.count, 0);
	return fields != null && entities > MAX_VALUE_ROWS ? null : (startWorlds as World[]);
}

/** Task of a worker: the steps of each world run as one call. */
interface StepsTask {
	readonly body: StepForksBody;
	/** Steps in a row that begin with the same world. */
	readonly groups: readonly { readonly world: number; readonly steps: readonly ForkStep[] }[];
}

function stepParts(body: StepForksBody, worlds: readonly World[]): WorkParts<Row> {
	return {
		count: worlds.length,
		worldOf: (at) => worlds[at]!,
		taskOf(from, count) {
			const groups: { world: number; steps: ForkStep[] }[] = [];
			for (let at = from; at < from + count; at++) {
				const { version } = worlds[at]!;
				if (groups.at(-1)?.world !== version) groups.push({ world: version, steps: [] });
				groups.at(-1)!.steps.push({ ...body.steps[at]!, from: 'main' });
			}
			return {
				kind: 'steps',
				body: { body: { ...body, steps: [], form: 'rows' }, groups } satisfies StepsTask,
			};
		},
		resultsOf: (rows) => (rows as readonly Row[]).map((row) => (row.ok ? row : undefined)),
	};
}

/** Runs the steps of a task in a worker. Returns null if not all values fit into the rows. */
export async function stepTask(host: Host, worlds: ReadonlyMap<number, World>, task: StepsTask) {
	const { main } = host.worlds;
	const ownWorld = main.world;
	const rows: Row[] = [];
	try {
		for (const { world, steps } of task.groups) {
			main.world = worlds.get(world)!;
			const answer = await stepForks(host, { ...task.body, steps });
			if (answer.left_out !== undefined) return null;
			rows.push(...answer.rows);
		}
	} finally {
		main.world = ownWorld;
	}
	return rows;
}

const refusalRow = (
	fork_id: string,
	entry: WorldEntry | undefined,
	{ code, message, fix }: RowRefusal,
): Row => ({ fork_id, ok: false, tick: entry?.world.tick ?? null, error: { code, message, fix } });

/** Returns the refusal of a call that was ended before its last step. Completed steps are kept. */
function endedEarlyError({ code, message, fix }: ApiError, rows: readonly Row[], total: number): ApiError {
	return new ApiError(code, `${message} ${rows.length} of ${total} steps were completed before that.`, {
		fix,
		details: { rows: [...rows] },
	});
}

/** One step of a fork. The fork becomes a clone of `from`, gets the requests and inputs, and runs its ticks. */
class StepOfFork {
	readonly #host: Host;
	readonly #step: ForkStep;
	readonly #path: string;

	constructor(host: Host, step: ForkStep, path: string) {
		this.#host = host;
		this.#step = step;
		this.#path = path;
	}

	/** Runs everything before the ticks, whole or not at all. */
	async applyRequests(): Promise<WorldEntry> {
		const host = this.#host;
		const { fork_id, from, seed, requests, inputs } = this.#step;
		for (const [at, request] of requests?.entries() ?? [])
			requireOwnFork(request, `${this.#path}.requests[${at}]`);
		const parent = from == null ? host.worlds.fork(fork_id) : host.worlds.mainOrFork(from);
		const parts = (requests?.length ?? 0) + (inputs?.length ? 1 : 0);
		// A single request needs no copy, because it applies whole or not at all by itself.
		const becoming = from != null || parts > 1 ? host.become(fork_id, parent, seed ?? undefined) : null;
		const entry = becoming?.entry ?? parent;
		const { playing, speed } = entry;
		try {
			if (requests?.length) await this.#request(entry, requests);
			host.requireOwn(entry, inputs ?? []);
			if (inputs?.length) atPath(this.#path, () => queueStepInputs(entry.world, inputs));
		} catch (error) {
			becoming?.rollBack();
			if (entry.playing !== playing || entry.speed !== speed) host.setPlaying(entry, playing, speed);
			throw error;
		}
		becoming?.keep();
		if (seed != null && becoming === null) reseed(entry.world, seed);
		return entry;
	}

	async #request(entry: WorldEntry, requests: readonly Request[]): Promise<void> {
		const { results, bodies, ended } = await runAll(this.#host, entry.id, { requests, kind: 'batch' }, true);
		if (ended === null) return;
		if (ended === 'paused') throw new PausedError();
		this.#host.running.requireRunning();
		const at = results.length - 1;
		const { code, message, fix } = JSON.parse(new TextDecoder().decode(bodies[at])) as RowRefusal;
		const { method, path } = results[at]!;
		throw new ApiError(code, `requests[${at}] (${method} ${path}) was refused: ${message}`, { fix });
	}

	/** Runs the ticks. Returns true if `until` holds, false if not; undefined without one. */
	async runTicks(entry: WorldEntry, ticks: number, until: Condition | null): Promise<boolean | undefined> {
		if (until === null) {
			await this.#host.advance(entry, ticks, { isLight: true });
			return undefined;
		}
		const watch = new ConditionWatch(until, entry.world.tick);
		const holds = (world: World): boolean => {
			requireFewLooks(world, [until]);
			return watch.find(world).passed;
		};
		await this.#host.advance(entry, ticks, { isLight: true, isDone: holds });
		return holds(entry.world);
	}
}

function reseed(world: World, seed: number): void {
	if (world.seed === seed) return;
	world.seed = seed;
	markChanged(world);
}

const matchPath = pathMatcher(routes);

/** Throws `invalid_body` for a request that affects more than its fork. */
function requireOwnFork({ method = 'POST', path, body }: Request, position: string): void {
	const refuse = (reason: string, fix: string): never => {
		throw new ApiError('invalid_body', `${position}: ${reason}`, { fix, path: position });
	};
	const [routePath = '', query = ''] = path.split('?', 2);
	if (query.includes('$')) refuse('A query must have no references.', 'Write the values of the query.');
	const isolation = isolationOf(matchPath, { method, path, body } as ExampleCall);
	// A path that does not exist is refused as a request.
	const route = matchPath(routePath)?.byMethod.get(method);
	if (route === undefined) return;
	if (isolation.in === 'none') refuse(isolation.why, 'Send it as a call of its own.');
	if (route.effect === 'step') refuse(`${method} ${route.path} makes ticks.`, 'Use "ticks" of the step.');
}

/** Reads from the forks the values that the call selects. */
class RowReader {
	readonly #fields: readonly string[] | null;
	readonly #filter: Condition | null;
	readonly #conditions: readonly (readonly [name: string, condition: Condition])[];
	readonly #isList: boolean;
	readonly #digest: boolean;
	readonly #environment: boolean;
	#room = MAX_VALUE_ROWS;
	#omittedCount = 0;

	/** Throws `invalid_body` for a field, and `invalid_assertion` for a condition that is not one. */
	constructor({ fields, filter, where, digest, environment }: StepForksBody) {
		if (fields != null) requireFields(fields, 'fields');
		this.#fields = fields ?? null;
		this.#filter = filter == null ? null : filterOf(filter);
		if (filter != null && fields == null)
			throw new ApiError('invalid_body', 'filter: there are no fields to read.', {
				fix: 'Send "fields" too, or omit "filter".',
				path: 'filter',
			});
		this.#isList = Array.isArray(where);
		this.#conditions = Object.entries(where ?? {}).map(([name, sent]) => [
			name,
			untilCondition(sent as UntilBody, this.#isList ? `where[${name}]` : `where.${name}`),
		]);
		this.#digest = digest;
		this.#environment = environment;
	}

	row({ id, world }: WorldEntry, until: boolean | undefined): Row {
		const row: Row = { fork_id: id, ok: true, tick: world.tick };
		if (this.#digest) row.state_digest = digest(world);
		if (until !== undefined) row.until = until;
		try {
			if (this.#conditions.length > 0) row.where = this.#conditionResults(world);
			if (this.#environment) row.environment = environmentState(world);
			if (this.#fields !== null) row.values = this.#values(world, this.#fields);
		} catch (error) {
			if (error instanceof ApiError) return refusalRow(id, { world } as WorldEntry, error);
			throw error;
		}
		return row;
	}

	/** Counts the values of a row that a worker read. Returns false if they do not fit: the engine then reads the row and omits some. */
	hasRoomFor({ values = [] }: Row): boolean {
		if (values.length > this.#room) return false;
		this.#room -= values.length;
		return true;
	}

	#conditionResults(world: World): boolean[] | Record<string, boolean> {
		const verdicts = this.#conditions.map(([name, condition]) => {
			requireFewLooks(world, [condition]);
			return [name, new ConditionLook(world).find(condition).passed] as const;
		});
		return this.#isList ? verdicts.map(([, holds]) => holds) : Object.fromEntries(verdicts);
	}

	#values(world: World, fields: readonly string[]): unknown[][] {
		const read = fieldsReader(world, fields);
		const rows: unknown[][] = [];
		for (const id of this.#selectedEntities(world)) {
			if (this.#room === 0) this.#omittedCount++;
			else {
				this.#room--;
				rows.push([id, ...read(id)]);
			}
		}
		return rows;
	}

	#selectedEntities(world: World): number[] {
		if (this.#filter !== null) return [...new ConditionLook(world).members(this.#filter)];
		const all: number[] = [];
		eachEntity(world, (id) => all.push(id));
		return all;
	}

	head() {
		return {
			...(this.#fields === null ? {} : { columns: ['id', ...this.#fields] }),
			...(this.#omittedCount === 0 ? {} : { left_out: this.#omittedCount }),
		};
	}
}
