/**
 * Answers of POST /peek over many ticks.
 * Owns: the answer about all states that a world can reach, and the limits of the search.
 */

import {
	addFractions,
	compareFractions,
	type Fraction,
	fraction,
	subtractFractions,
	toNumber,
	writeFraction,
} from '../../shared/contract/fraction.ts';
import type { Body } from '../../shared/contract/route.ts';
import type { peek } from '../../shared/routes/simulation.ts';
import { sayStatement } from '../../shared/verbs/conditions/reading.ts';
import { requireFewLooks } from '../sim/assertions/assertion.ts';
import { untilCondition } from '../sim/assertions/condition.ts';
import { clone, dispose } from '../sim/core/clone.ts';
import { digest } from '../sim/core/digest.ts';
import type { World } from '../sim/core/world.ts';
import { outcomesDigest } from '../sim/peek/distribution.ts';
import { type Future, type FuturePath, type Futures, futuresOf } from '../sim/peek/futures.ts';
import { LostShareError } from '../sim/peek/shares.ts';
import { ConditionWatch } from '../sim/rules/conditions/watch.ts';
import { conditionWarnings } from '../sim/warnings/condition-warnings.ts';
import type { Host } from './context.ts';
import { workDeadline } from './jobs.ts';
import { questionOf, type SentQuestion, WalkWorkers } from './shared-futures.ts';
import { warningsField } from './warnings-field.ts';

type Sent = Body<typeof peek>;

interface PeekBody extends Pick<Sent, 'ticks' | 'until' | 'condition'> {
	readonly merge: NonNullable<Sent['merge']>;
	readonly max_branches: number;
	readonly max_ticks: number;
	readonly limit: number;
}

/** Number of ticks that `until` looks ahead if the caller sends none. */
const DEFAULT_UNTIL_TICKS = 600;

/** Maximum number of searches. All except the last one use workers. */
const MAX_TRIES = 3;

const ZERO = fraction(0n);
const ONE = fraction(1n);

/** Returns a watch for the condition that a caller sent. Throws `invalid_assertion`. */
export function watchOf(world: World, sent: NonNullable<PeekBody['until']>, path: string): ConditionWatch {
	const condition = untilCondition(sent as Parameters<typeof untilCondition>[0], path);
	requireFewLooks(world, [condition]);
	return new ConditionWatch(condition);
}

/** Returns the answer of /peek with `ticks` or `until`. */
export async function peekTicks(host: Host, world: World, body: PeekBody) {
	const name = body.until == null ? 'condition' : 'until';
	const sent = body[name];
	const copy = clone(world);
	try {
		const watch = sent == null ? null : watchOf(copy, sent, name);
		watch?.find(copy);
		const futures = await searchFutures(host, copy, watch, name === 'until' && watch !== null, body);
		const { covered } = futures;
		const exact = futures.complete && compareFractions(covered, ONE) === 0;
		const outcomes = [...futures.ended, ...futures.open];
		return {
			tick: copy.tick,
			next_tick: futures.tick,
			state_digest: digest(copy),
			exact,
			covered: toNumber(covered),
			covered_fraction: writeFraction(covered),
			...(watch === null ? {} : conditionAnswer(name, watch, futures, exact)),
			...warningsField([
				...(futures.ended.some(({ tick }) => tick === copy.tick)
					? [
							`"until" holds already at tick ${copy.tick}, so no tick was looked at. To ask what holds at the end, send it as "condition" with "ticks".`,
						]
					: []),
				...limitWarnings(futures, copy.tick + (body.ticks ?? DEFAULT_UNTIL_TICKS), body),
				...(watch === null ? [] : conditionWarnings(copy, watch.condition, name, 'statement')),
			]),
			outcome_count: outcomes.length,
			ticks_computed: futures.tickCount,
			distribution: mostProbable(outcomes, body.limit).map(futureView),
			factors: [],
			distribution_digest: outcomesDigest(outcomes.map(futureView)),
		};
	} finally {
		dispose(copy);
	}
}

/** Returns all futures. If a worker is lost, the search starts again with another one, and finally on one thread. */
async function searchFutures(
	host: Host,
	copy: World,
	watch: ConditionWatch | null,
	isUntil: boolean,
	body: PeekBody,
) {
	const question: SentQuestion = {
		condition: watch?.condition,
		ends: isUntil,
		merge: body.merge === 'observable' ? 'observable' : 'digest',
	};
	const end = workDeadline(host);
	for (let tries = MAX_TRIES; ; tries--) {
		const sharing = tries > 1 ? new WalkWorkers(host, copy, question) : undefined;
		try {
			return await host.inSlices(
				futuresOf(copy, {
					...questionOf(copy, question),
					ticks: body.ticks ?? DEFAULT_UNTIL_TICKS,
					maxStates: body.max_branches,
					maxStateTicks: body.max_ticks,
					isLate: () => host.now() >= end,
					...(watch === null ? {} : { watch }),
					onTicks(ticks) {
						host.running.ticks += ticks;
					},
					sharing,
				}),
			);
		} catch (error) {
			if (!(error instanceof LostShareError)) throw error;
			host.running.requireRunning();
		} finally {
			sharing?.release();
		}
	}
}

function conditionAnswer(
	name: 'until' | 'condition',
	watch: ConditionWatch,
	futures: Futures,
	exact: boolean,
) {
	const all = [...futures.ended, ...futures.open];
	const holdingStates = all.filter(({ holds }) => holds === true);
	const otherStates = all.filter(({ holds }) => holds !== true);
	const total = sumOf(holdingStates);
	// Probability of states that were dropped or are not decided on the last computed tick.
	const undecided = subtractFractions(ONE, futures.covered);
	const open = futures.complete ? ZERO : sumOf(name === 'until' ? otherStates : all);
	const fraction = futures.complete || name === 'until' ? total : ZERO;
	const answer = {
		exact,
		...boundsOf(fraction, exact ? fraction : addFractions(fraction, addFractions(undecided, open)), exact),
		reading: sayStatement(watch.condition),
		...(futures.complete
			? { yes: witnessOf(holdingStates), no: witnessOf(otherStates) }
			: name === 'until'
				? { yes: witnessOf(holdingStates) }
				: {}),
	};
	if (name === 'condition') return { condition: answer };
	const byTick = new Map<number, Fraction>();
	for (const { tick, odds } of holdingStates) byTick.set(tick, addFractions(byTick.get(tick) ?? ZERO, odds));
	return {
		until: {
			...answer,
			by_tick: [...byTick].sort(([a], [b]) => a - b).map(([tick, odds]) => ({ tick, ...oddsFields(odds) })),
		},
	};
}

/** Returns warnings about the limits that made an answer inexact. */
function limitWarnings({ tick, stopped, covered }: Futures, last: number, body: PeekBody): string[] {
	const instead = 'POST /sweep with "seeds" estimates it.';
	const warnings: string[] = [];
	if (stopped !== null) {
		const [reason, fix] =
			stopped === 'time'
				? ['the time for one call was used up', 'Send fewer "ticks"']
				: [`max_ticks (${body.max_ticks}) was used up`, 'Send a larger "max_ticks" or fewer "ticks"'];
		warnings.push(
			`Stopped at tick ${tick} of ${last}: ${reason}. Later ticks are unknown. ${fix}; ${instead}`,
		);
	}
	if (compareFractions(covered, ONE) < 0) {
		const share = toNumber(subtractFractions(ONE, covered));
		warnings.push(
			`States with a total probability of ${share} were dropped: max_branches (${body.max_branches}) was reached. Send a larger "max_branches" or merge "observable"; ${instead}`,
		);
	}
	return warnings;
}

/** Returns the fields of a probability between two bounds. */
export const boundsOf = (low: Fraction, high: Fraction, exact: boolean) => ({
	probability: writeFraction(low),
	p: compareFractions(low, high) === 0 ? toNumber(low) : null,
	...(exact ? {} : { at_most: writeFraction(high) }),
});

const oddsFields = (odds: Fraction) => ({ probability: writeFraction(odds), p: toNumber(odds) });

const sumOf = (futures: readonly Future[]): Fraction =>
	futures.reduce((sum, { odds }) => addFractions(sum, odds), ZERO);

function mostProbable(futures: readonly Future[], count: number): Future[] {
	return [...futures].sort((a, b) => compareFractions(b.odds, a.odds)).slice(0, count);
}

/** Returns the draws that lead to the most probable of some states; null if there are none. */
function witnessOf(futures: readonly Future[]) {
	const [mostProbableState] = mostProbable(futures, 1);
	if (mostProbableState === undefined) return null;
	const draws = [];
	for (let path: FuturePath | null = mostProbableState.path; path !== null; path = path.before)
		draws.unshift({ tick: path.tick, choices: [...path.choices] });
	return { tick: mostProbableState.tick, draws };
}

function futureView({ odds, tick, state_digest, merged, holds }: Future) {
	return {
		...oddsFields(odds),
		choices: [],
		tick,
		state_digest,
		...(merged === 1 ? {} : { merged }),
		...(holds === undefined ? {} : { holds }),
	};
}
