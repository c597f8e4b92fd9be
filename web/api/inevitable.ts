/**
 * POST /inevitable: the tick since which an outcome cannot be avoided.
 * Owns: the choice and the order of the tried ticks.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import type { Body } from '../../shared/contract/route.ts';
import { MAX_TICKS } from '../../shared/routes/simulation.ts';
import * as routes from '../../shared/routes/sweep.ts';
import type { Condition } from '../../shared/verbs/conditions/index.ts';
import { sayStatement } from '../../shared/verbs/conditions/reading.ts';
import { untilCondition } from '../sim/assertions/condition.ts';
import { clone, dispose } from '../sim/core/clone.ts';
import type { World } from '../sim/core/world.ts';
import { conditionWarnings } from '../sim/warnings/condition-warnings.ts';
import type { Host } from './context.ts';
import { handler } from './handler.ts';
import {
	type Job,
	type JobCalls,
	type JobRow,
	JobWork,
	type Requests,
	requirePortable,
	runJob,
	runJobs,
} from './jobs.ts';
import { type PastCalls, pastCalls } from './past-calls.ts';
import { warningsField } from './warnings-field.ts';

type InevitableBody = Body<typeof routes.inevitable>;

/** Number of ticks to look back first, if the caller sends none. */
const FIRST_LOOK_BACK = 600;

const LOOK_BACK_FIX =
	'Send a larger "look_back"; GET /history/first finds the tick on which a condition first held.';

/** Maximum number of past worlds that are kept as starts of runs. */
const MAX_WORLDS = 400;

/** Number of ticks after a way out that are tried before all later ticks. */
const CHECKS = 8;

/** Number of ticks whose runs workers share at a time. */
const BATCH_TICKS = 256;

/** Maximum number of ticks that an answer lists. */
const MAX_LISTED = 100;

interface Intervention {
	readonly name: string;
	readonly requests: Requests;
}

/** Number of refusals of an intervention, and the message of the first one. */
interface RefusedIntervention {
	times: number;
	readonly message: string;
}

/** Runs of all interventions at one tick. */
interface Trial {
	readonly tick: number;
	/** Index of the intervention in the calls of its run. */
	readonly callIndex: number;
	readonly jobs: readonly Job[];
}

/** Past worlds, and the results of interventions in them. */
class Trials {
	readonly work: JobWork;
	readonly interventions: readonly Intervention[];
	readonly refusedInterventions = new Map<string, RefusedIntervention>();
	/** Names of the interventions that avoid the outcome, by tried tick. */
	readonly namesByTick = new Map<number, readonly string[]>();
	readonly #host: Host;
	readonly #calls: readonly JobCalls[];
	readonly #outcome: Condition;
	readonly #end: number;
	/** Past worlds, in the order of their ticks. */
	readonly #savedWorlds: World[] = [];
	readonly #past: PastCalls;

	constructor(
		host: Host,
		past: PastCalls,
		outcome: Condition,
		interventions: readonly Intervention[],
		end: number,
		work: JobWork,
	) {
		this.#host = host;
		this.#past = past;
		this.#calls = past.callsWithout(null);
		this.#outcome = outcome;
		this.#end = end;
		this.interventions = interventions;
		this.work = work;
	}

	/** Runs the past without an intervention, and keeps worlds of it. Returns null if the work is spent. */
	async baseline(): Promise<JobRow | null> {
		const { world } = this.#past;
		const every = Math.ceil((this.#end - world.tick + 1) / MAX_WORLDS);
		return runJob(this.#host, this.#job(world, this.#calls, 'The past'), this.work, (pastWorld) => {
			if ((pastWorld.tick - world.tick) % every === 0) this.#savedWorlds.push(clone(pastWorld));
		});
	}

	/** Tries ticks in order, up to the first way out if `toFirst`. Returns false if the work was spent first. */
	async tryAll(ticks: readonly number[], toFirst = false): Promise<boolean> {
		const trials = ticks.filter((tick) => !this.namesByTick.has(tick)).map((tick) => this.#trial(tick));
		const jobs = trials.flatMap((trial) => trial.jobs);
		const runsPerTick = this.interventions.length;
		let hasWayOut = false;
		const rows = await runJobs(this.#host, jobs, this.work, (rowsSoFar) => {
			const trialIndex = rowsSoFar.length / runsPerTick - 1;
			if (!Number.isInteger(trialIndex)) return false;
			this.#record(trials[trialIndex]!, rowsSoFar.slice(trialIndex * runsPerTick));
			hasWayOut = toFirst && this.canAvoid(trials[trialIndex]!.tick);
			return hasWayOut;
		});
		return hasWayOut || rows.length === jobs.length;
	}

	/** Returns true if an intervention that was tried at a tick avoids the outcome. */
	canAvoid(tick: number): boolean {
		return (this.namesByTick.get(tick) ?? []).length > 0;
	}

	/** Last tried tick on which any intervention avoids the outcome; null if there is none. */
	get lastWayOut(): number | null {
		const avoidingTicks = [...this.namesByTick.keys()].filter((tick) => this.canAvoid(tick));
		return avoidingTicks.length === 0 ? null : Math.max(...avoidingTicks);
	}

	/** Returns the runs of a tick, one for each intervention. */
	#trial(tick: number): Trial {
		const world = this.#savedWorlds.findLast((world) => world.tick <= tick)!;
		const before = this.#calls.filter((call) => call.tick > world.tick && call.tick <= tick);
		const after = this.#calls.filter((call) => call.tick > tick);
		const jobs = this.interventions.map(({ name, requests }) =>
			this.#job(world, [...before, { tick, requests, lenient: true }, ...after], name),
		);
		return { tick, callIndex: before.length, jobs };
	}

	#record({ tick, callIndex }: Trial, rows: readonly JobRow[]): void {
		const names = this.interventions.flatMap(({ name }, i) => {
			const { refused, until } = rows[i]!;
			const refusal = refused.get(callIndex);
			if (refusal !== undefined) this.#countRefusal(name, refusal);
			return refusal === undefined && until !== true ? [name] : [];
		});
		this.namesByTick.set(tick, names);
	}

	#countRefusal(name: string, message: string): void {
		const refused = this.refusedInterventions.get(name);
		if (refused === undefined) this.refusedInterventions.set(name, { times: 1, message });
		else refused.times++;
	}

	#job(world: World, calls: readonly JobCalls[], name: string): Job {
		const end = { tick: this.#end };
		return { world, calls, end, until: this.#outcome, conditions: [], fields: [], name };
	}

	dispose(): void {
		for (const world of this.#savedWorlds) dispose(world);
	}
}

interface LastWayOut {
	/** Last tick on which the outcome could be avoided; null if there is none. */
	readonly way: number | null;
	/** True if every later tick was tried. */
	readonly exact: boolean;
	/** Lowest tick from which on no tried tick avoids the outcome; null if none was tried. */
	readonly since: number | null;
}

/** Returns the whole numbers from `from` to `to`, in steps of `by`. */
function range(from: number, to: number, by = 1): number[] {
	return Array.from({ length: Math.max(0, Math.floor((to - from) / by) + 1) }, (_, i) => from + i * by);
}

/**
 * Finds the last tick of a range on which the outcome could be avoided. Bisection finds a way out. Then every later
 * tick is tried, because ways out need not be adjacent: first some ticks, then all that the budget permits.
 */
async function findLastWayOut(trials: Trials, from: number, to: number): Promise<LastWayOut> {
	let [low, high] = [from - 1, to + 1];
	let isComplete = true;
	while (isComplete && high - low > 1) {
		const middle = (low + high) >> 1;
		isComplete = await trials.tryAll([middle]);
		if (trials.canAvoid(middle)) low = middle;
		else high = middle;
	}
	const step = Math.max(1, Math.floor((to - low) / CHECKS));
	const checks = range(low + step, to - 1, step);
	isComplete &&= await trials.tryAll(checks);
	low = trials.lastWayOut ?? low;
	for (let tick = to; tick > low && isComplete; tick -= BATCH_TICKS) {
		isComplete = await trials.tryAll(range(Math.max(low + 1, tick - BATCH_TICKS + 1), tick).reverse(), true);
		low = trials.lastWayOut ?? low;
	}
	const after = [...trials.namesByTick.keys()].filter((tick) => tick > low);
	return {
		way: low < from ? null : low,
		exact: isComplete,
		since: low >= from ? low + 1 : after.length === 0 ? null : Math.min(...after),
	};
}

/** Searches a past for the last way out, and returns the answer's body. */
async function search(host: Host, current: World, past: PastCalls, outcome: Condition, body: InevitableBody) {
	const interventions = body.interventions.map(({ name, requests }, at) => {
		requirePortable(requests, `interventions[${at}].requests`);
		return { name: name ?? `interventions[${at}]`, requests };
	});
	const end = body.by_tick ?? current.tick;
	const work = new JobWork(host, body.max_ticks ?? 1_000_000);
	const trials = new Trials(host, past, outcome, interventions, end, work);
	try {
		const baseline = await trials.baseline();
		const from = past.world.tick;
		if (baseline === null)
			throw new ApiError(
				'too_many_runs',
				`Running the past from tick ${from} to ${end} once takes too long.`,
				{
					fix: 'Send a smaller "look_back" or "by_tick", or a larger "max_ticks".',
				},
			);
		const happens = baseline.until === true;
		const to = happens ? baseline.tick - 1 : from - 1;
		const { way, exact, since } = await findLastWayOut(trials, from, to);
		const names = way === null ? [] : trials.namesByTick.get(way)!;
		const ticks = [...trials.namesByTick.keys()].sort((a, b) => a - b);
		return {
			happens,
			outcome_tick: happens ? baseline.tick : null,
			inevitable_from: !happens ? null : to < from ? from : since,
			at_least_since: happens && way === null,
			last_way_out:
				way === null
					? null
					: {
							tick: way,
							interventions: [...names],
							requests: [...interventions.find(({ name }) => name === names[0])!.requests],
						},
			exact,
			tried: {
				from,
				to: Math.max(from, to),
				ticks: ticks.length,
				...(exact
					? {}
					: { checked: ticks.filter((tick) => way === null || tick > way).slice(0, MAX_LISTED) }),
				refused: [...trials.refusedInterventions].map(([intervention, refused]) => ({
					intervention,
					...refused,
				})),
			},
			...(past.limitText === null ? {} : { limited: past.limitText }),
			runs: work.runs,
			ticks_computed: work.ticks,
		};
	} finally {
		trials.dispose();
	}
}

/** Returns warnings about interventions that were refused every time. */
function refusalWarnings({
	ticks,
	refused,
}: {
	readonly ticks: number;
	readonly refused: readonly (RefusedIntervention & { intervention: string })[];
}) {
	const always = refused.filter(({ times }) => times === ticks);
	return always.map(
		({ intervention, message }) => `"${intervention}" was refused on each tick that was tried: ${message}`,
	);
}

export const handlers = [
	handler(routes.inevitable, async ({ host, entry }, { body }) => {
		const outcome = untilCondition(body.outcome as Parameters<typeof untilCondition>[0], 'outcome');
		const current = clone(entry.world);
		const { look_back, by_tick } = body;
		const since = Math.max(0, current.tick - (by_tick ?? current.tick));
		try {
			for (let lookBack = look_back ?? FIRST_LOOK_BACK; ; lookBack = Math.min(lookBack * 2, MAX_TICKS)) {
				const past = await pastCalls(host, entry.id, current, { ticks: lookBack + since });
				const { tick } = past.world;
				const answer = await search(host, current, past, outcome, body).finally(() => dispose(past.world));
				const isAtStart = answer.outcome_tick === tick;
				if (isAtStart && look_back == null && tick > 0 && past.limitText === null && lookBack < MAX_TICKS)
					continue;
				return {
					...answer,
					reading: sayStatement(outcome),
					...warningsField([
						...refusalWarnings(answer.tried),
						...(isAtStart
							? [`The outcome already holds on tick ${tick}, the earliest one looked at. ${LOOK_BACK_FIX}`]
							: []),
						...conditionWarnings(current, outcome, 'outcome', 'statement'),
					]),
				};
			}
		} finally {
			dispose(current);
		}
	}),
];
