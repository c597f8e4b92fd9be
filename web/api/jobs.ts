/**
 * Runs of throw-away forks. A job has a world, calls at ticks, an end, and values to read at the end.
 * Owns: one run, and the limit of work that all runs of a call share. A job is plain data, apart from its world.
 * Never: changes a world that any other call sees.
 */

import { ApiError, type ErrorCode, MAX_PATH_LENGTH, shortenMiddle } from '../../shared/contract/errors.ts';
import type { Body } from '../../shared/contract/route.ts';
import type { batch } from '../../shared/routes/batch.ts';
import type { Condition } from '../../shared/verbs/conditions/index.ts';
import { requireFewLooks } from '../sim/assertions/assertion.ts';
import { hasStaleParts, rebuildParts } from '../sim/core/derived-parts.ts';
import { digest } from '../sim/core/digest.ts';
import { isAlive } from '../sim/core/entities.ts';
import { markChanged } from '../sim/core/version.ts';
import type { World } from '../sim/core/world.ts';
import { ConditionLook } from '../sim/rules/conditions/evaluate-condition.ts';
import { ConditionWatch } from '../sim/rules/conditions/watch.ts';
import { step } from '../sim/step.ts';
import type { WorldEntry } from '../store/worlds.ts';
import type { Aside, Host } from './context.ts';
import { fieldsReader } from './entity-fields.ts';
import { findRoute } from './find-route.ts';
import { isPortable } from './portable.ts';
import type { KnownAnswer } from './references.ts';
import { refusalIn, runAll } from './run-requests.ts';
import { SharedWork, type WorkParts } from './shared-work.ts';

export type Requests = Body<typeof batch>['requests'];

/** Calls at a tick. */
export interface JobCalls {
	/** The calls run as soon as the world reaches this tick. */
	readonly tick: number;
	readonly requests: Requests;
	/** Values that the requests may refer to. */
	readonly values?: Readonly<Record<string, unknown>>;
	/** False: a refused request ends the run; true: the run continues without it. */
	readonly lenient: boolean;
}

/** A field of entities. */
export interface FieldRead {
	readonly field: string;
	readonly of: number | Condition;
	readonly take: 'sum' | 'mean' | 'min' | 'max' | 'count';
}

export interface Job {
	/** World with a copy of which the run begins. */
	readonly world: World;
	/** Entry of `world`. The run has its snapshots. Undefined for a world of the past. */
	readonly of?: WorldEntry | undefined;
	readonly seed?: number | undefined;
	/** Calls in the order of their ticks. */
	readonly calls: readonly JobCalls[];
	/** Number of ticks after the first calls, or the tick to end with. */
	readonly end: { readonly ticks: number } | { readonly tick: number };
	/** Condition that ends the run; null for none. */
	readonly until: Condition | null;
	/** Conditions to evaluate at the end. */
	readonly conditions: readonly Condition[];
	readonly fields: readonly FieldRead[];
	/** Name of the job in refusals. */
	readonly name: string;
}

/** The end of a run. */
export interface JobRow {
	/** Number of ticks after the first calls. */
	readonly ticks: number;
	readonly tick: number;
	readonly state_digest: string;
	/** True if the run ended with `until`; null without it. */
	readonly until: boolean | null;
	/** Verdicts of the job's conditions. */
	readonly holds: readonly boolean[];
	/** Values of the job's fields. */
	readonly values: readonly unknown[];
	/** Refusals of lenient calls: the index of the call in the job, and the reason. */
	readonly refused: ReadonlyMap<number, string>;
}

/** Time after the arrival of a call in which ticks may run (ms). The queue ends longer reads soon after. */
const MAX_MS = 90_000;

/** Returns the time at which a call must stop its work, so that it can still answer with the results so far. */
export const workDeadline = ({ running }: Host): number => running.arrivalTime + MAX_MS;

/** Limit of the work of all runs of a call. */
export class JobWork {
	readonly #host: Host;
	readonly #maxTicks: number;
	readonly #deadline: number;
	readonly #ticksBefore: number;
	runs = 0;

	constructor(host: Host, maxTicks: number) {
		this.#host = host;
		this.#maxTicks = maxTicks;
		this.#deadline = workDeadline(host);
		this.#ticksBefore = host.running.ticks;
	}

	/** Ticks of all runs. */
	get ticks(): number {
		return this.#host.running.ticks - this.#ticksBefore;
	}

	/** Number of ticks that may still run. */
	get ticksLeft(): number {
		return this.#maxTicks - this.ticks;
	}

	/** Counts the run of a worker. */
	addRun(ticks: number): void {
		this.runs++;
		this.#host.running.ticks += ticks;
	}

	/** True if the ticks or the time are used up. */
	get isSpent(): boolean {
		return this.ticksLeft <= 0 || this.#host.now() >= this.#deadline;
	}
}

/**
 * Runs jobs in order, and shares them with workers. Returns fewer rows if the work is spent, or if `isDone` returns true for the
 * rows so far. Throws `variant_refused` with the reason if a job is refused.
 */
export async function runJobs(
	host: Host,
	jobs: readonly Job[],
	work: JobWork,
	isDone: (rows: readonly JobRow[]) => boolean = () => false,
): Promise<JobRow[]> {
	const rows: JobRow[] = [];
	const isShared = jobs.length > 1 && jobs.every(isPortableJob);
	const sharedWork = isShared ? new SharedWork(host, jobParts(jobs)) : null;
	/** Runs the next job here. Returns false if it is the last one. */
	const runNext = async (): Promise<boolean> => {
		const row = work.isSpent ? null : await runJob(host, jobs[rows.length]!, work);
		if (row === null) return false;
		rows.push(row);
		return !isDone(rows);
	};
	try {
		while (rows.length < (sharedWork?.end ?? jobs.length)) {
			if (!(await runNext())) return rows;
			sharedWork?.setProgress(rows.length);
		}
		for (const result of (await sharedWork?.remainingResults()) ?? []) {
			host.running.requireRunning();
			// A job that may reach the limit runs here, so that it ends as it would without workers.
			if (result === undefined || result.ticks >= work.ticksLeft) {
				if (!(await runNext())) return rows;
				continue;
			}
			work.addRun(result.ticks);
			rows.push(result.row);
			if (isDone(rows)) return rows;
		}
		return rows;
	} finally {
		sharedWork?.stop();
	}
}

/** A job as data. */
interface SentJob extends Omit<Job, 'world' | 'of'> {
	/** Version of the world. */
	readonly world: number;
}

/** A row, and the number of ticks that it took. */
interface JobResult {
	readonly row: JobRow;
	readonly ticks: number;
}

/**
 * Returns true for a job that a worker runs as the engine does. A worker has no snapshots of the world, which an action may read.
 */
const isPortableJob = ({ calls, of }: Job): boolean =>
	calls.every(({ requests }) =>
		requests.every(
			(request) =>
				isPortable(request) && (of === undefined || of.snapshots.length === 0 || !isAction(request.path)),
		),
	);

const isAction = (path: string): boolean => path.startsWith('/action/');

const jobParts = (jobs: readonly Job[]): WorkParts<JobResult> => ({
	count: jobs.length,
	worldOf: (index) => jobs[index]!.world,
	taskOf: (from, count) => ({
		kind: 'jobs',
		body: jobs
			.slice(from, from + count)
			.map(({ of: _, world, ...job }): SentJob => ({ ...job, world: world.version })),
	}),
	resultsOf: (results) => results as (JobResult | undefined)[],
});

/** Runs jobs in a worker, for an engine that shares its work. */
export async function jobsTask(
	host: Host,
	worlds: ReadonlyMap<number, World>,
	jobs: readonly SentJob[],
): Promise<(JobResult | undefined)[]> {
	const results: (JobResult | undefined)[] = [];
	for (const job of jobs) {
		const work = new JobWork(host, Number.POSITIVE_INFINITY);
		const row = await runJob(host, { ...job, world: worlds.get(job.world)! }, work).catch(unlessRefused);
		results.push(row === null ? undefined : { row, ticks: work.ticks });
	}
	return results;
}

/** Returns null for a refusal, so the engine runs the job again; rethrows any other error. */
function unlessRefused(error: unknown): null {
	if (error instanceof ApiError) return null;
	throw error;
}

/** Called after the calls of each tick. */
export type WorldViewer = (world: World) => void;

/** Runs one job. Returns null if the work is spent before its end. */
export async function runJob(
	host: Host,
	job: Job,
	work: JobWork,
	viewWorld?: WorldViewer,
): Promise<JobRow | null> {
	const aside = host.aside(job.world, job.of);
	try {
		work.runs++;
		return await new JobRun(host, job, aside).runToEnd(work, viewWorld);
	} finally {
		aside.dispose();
	}
}

class JobRun {
	readonly #host: Host;
	readonly #job: Job;
	readonly #aside: Aside;
	readonly #until: ConditionWatch | null;
	readonly #watches: readonly ConditionWatch[];
	#nextCall = 0;
	readonly #refused = new Map<number, string>();

	constructor(host: Host, job: Job, aside: Aside) {
		this.#host = host;
		this.#job = job;
		this.#aside = aside;
		this.#until = job.until === null ? null : new ConditionWatch(job.until);
		this.#watches = job.conditions.map((condition) => new ConditionWatch(condition));
	}

	/** The current world. A call may replace it. */
	get #world(): World {
		return this.#aside.entry.world;
	}

	async runToEnd(work: JobWork, viewWorld?: WorldViewer): Promise<JobRow | null> {
		const { seed, end } = this.#job;
		if (seed !== undefined) {
			this.#world.seed = seed;
			markChanged(this.#world);
		}
		await this.#runDueCalls();
		const start = this.#world.tick;
		const endTick = 'tick' in end ? end.tick : start + end.ticks;
		this.#requireFewLooks();
		let hasEnded = this.#checkConditions();
		viewWorld?.(this.#world);
		while (!hasEnded && this.#world.tick < endTick) {
			if (work.isSpent) return null;
			await this.#tick();
			await this.#runDueCalls();
			hasEnded = this.#checkConditions();
			viewWorld?.(this.#world);
		}
		const world = this.#world;
		return {
			ticks: world.tick - start,
			tick: world.tick,
			state_digest: digest(world),
			until: this.#until === null ? null : hasEnded,
			holds: this.#watches.map((watch) => watch.find(world).passed),
			values: this.#job.fields.map((field) => readField(world, field)),
			refused: this.#refused,
		};
	}

	async #tick(): Promise<void> {
		const world = this.#world;
		if (hasStaleParts(world)) await this.#host.inSlices(rebuildParts(world));
		try {
			step(world);
		} catch (error) {
			throw error instanceof ApiError ? this.#refusal(error, `tick ${world.tick}`) : error;
		}
		this.#host.running.ticks++;
		const pause = this.#host.pauseIfDue();
		if (pause !== undefined) await pause;
		this.#host.running.requireRunning();
	}

	/** Evaluates all conditions, which remember the result. Returns true if the run ends here. */
	#checkConditions(): boolean {
		for (const watch of this.#watches) watch.find(this.#world);
		return this.#until?.find(this.#world).passed === true;
	}

	#requireFewLooks(): void {
		const { until, conditions } = this.#job;
		requireFewLooks(this.#world, until === null ? conditions : [until, ...conditions]);
	}

	/** Runs the calls whose tick has come. */
	async #runDueCalls(): Promise<void> {
		const { calls } = this.#job;
		for (let next = calls[this.#nextCall]; next !== undefined; next = calls[this.#nextCall]) {
			if (next.tick > this.#world.tick) break;
			await this.#runCall(next, this.#nextCall++);
		}
	}

	async #runCall({ requests, values = {}, lenient }: JobCalls, index: number): Promise<void> {
		const { host, entry } = this.#aside;
		const given = new Map<string, KnownAnswer>(
			Object.entries(values).map(([name, value]) => [name, { value }]),
		);
		const outcome = await runAll(host, entry.id, { requests, kind: 'variant', values: given }, !lenient);
		host.running.requireRunning();
		const failedIndex = outcome.results.findIndex(({ ok }) => !ok);
		if (failedIndex < 0) return;
		const { method, path } = outcome.results[failedIndex]!;
		const { message = '', code = 'invalid_body', fix = '' } = refusalIn(outcome, failedIndex);
		const requestName = `requests[${failedIndex}] (${method} ${shortenMiddle(path, MAX_PATH_LENGTH)})`;
		if (!lenient) throw this.#refusal(new ApiError(code as ErrorCode, message, { fix }), requestName);
		this.#refused.set(index, `${requestName}: ${message}`);
	}

	#refusal({ message, fix, code, details }: ApiError, position: string): ApiError {
		return new ApiError('variant_refused', `${this.#job.name}, ${position}: ${message}`, {
			fix,
			details: { ...details, reason: code },
		});
	}
}

/** Throws `not_in_batch` for a request that affects more than worlds, and `invalid_body` for a request without a route. */
export function requirePortable(requests: Requests, path: string): void {
	for (const [at, { method = 'POST', path: address }] of requests.entries()) {
		if (address.includes('$')) continue;
		const position = `${path}[${at}]`;
		const { route } = routeOf(method, address.split('?')[0]!, position);
		if (route.batch !== false) continue;
		throw new ApiError('not_in_batch', `${position}: ${method} ${route.path} cannot be part of a variant.`, {
			path: position,
			fix: 'Send it as a call of its own before, or the requests within it one by one.',
		});
	}
}

/** Returns the route of a request; throws `invalid_body` if there is none. */
function routeOf(method: string, path: string, position: string) {
	try {
		return findRoute(method, path);
	} catch (thrown) {
		if (!(thrown instanceof ApiError)) throw thrown;
		throw new ApiError('invalid_body', `${position}: ${thrown.message}`, { fix: thrown.fix, path: position });
	}
}

/** Returns the value of a field of entities; null if there is none, or if several values are not numbers. */
function readField(world: World, { field, of, take }: FieldRead): unknown {
	const ids =
		typeof of === 'number' ? (isAlive(world, of) ? [of] : []) : [...new ConditionLook(world).members(of)];
	if (take === 'count') return ids.length;
	const read = fieldsReader(world, [field]);
	const values = ids.map((id) => read(id)[0]).filter((value) => value !== null);
	if (values.length <= 1) return values[0] ?? null;
	if (!values.every((value) => typeof value === 'number')) return null;
	if (take === 'min') return Math.min(...values);
	if (take === 'max') return Math.max(...values);
	const sum = values.reduce((total, value) => total + value, 0);
	return take === 'mean' ? sum / values.length : sum;
}
