/**
 * /peek over many ticks.
 * Owns: what it answers about all states that a world can come to, and when it yields and stops.
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
import { sayReading } from '../../shared/verbs/conditions/reading.ts';
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
import { endOfWork } from './jobs.ts';
import { questionOf, type SentQuestion, WalkWorkers } from './shared-futures.ts';
import { warned } from './warnings-field.ts';

type Sent = Body<typeof peek>;

interface PeekBody extends Pick<Sent, 'ticks' | 'until' | 'condition'> {
	readonly merge: NonNullable<Sent['merge']>;
	readonly max_branches: number;
	readonly max_ticks: number;
	readonly limit: number;
}

/** Ticks that `until` looks ahead unless the caller says how many. */
const UNTIL_TICKS = 600;

/** Walks with workers, and a last one without. */
const MAX_TRIES = 3;

const NONE = fraction(0n);
const ONE = fraction(1n);

/** Returns a condition that is asked about. Throws `invalid_assertion`. */
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
		const found = await walk(host, copy, watch, name === 'until' && watch !== null, body);
		const { covered } = found;
		const exact = found.complete && compareFractions(covered, ONE) === 0;
		const outcomes = [...found.ended, ...found.open];
		return {
			tick: copy.tick,
			next_tick: found.tick,
			state_digest: digest(copy),
			exact,
			covered: toNumber(covered),
			covered_fraction: writeFraction(covered),
			...(watch === null ? {} : answerTo(name, watch, found, exact)),
			...warned([
				...(found.ended.some(({ tick }) => tick === copy.tick)
					? [
							`"until" holds already at tick ${copy.tick}, so no tick was looked at. To ask what holds at the end, send it as "condition" with "ticks".`,
						]
					: []),
				...limitWarnings(found, copy.tick + (body.ticks ?? UNTIL_TICKS), body),
				...(watch === null ? [] : conditionWarnings(copy, watch.condition, name, 'statement')),
			]),
			outcome_count: outcomes.length,
			ticks_computed: found.made,
			distribution: mostProbable(outcomes, body.limit).map(show),
			factors: [],
			distribution_digest: outcomesDigest(outcomes.map(show)),
		};
	} finally {
		dispose(copy);
	}
}

/** Returns all futures. A walk that loses a worker begins again with another one, and then on one thread. */
async function walk(host: Host, copy: World, watch: ConditionWatch | null, ends: boolean, body: PeekBody) {
	const question: SentQuestion = {
		condition: watch?.condition,
		ends,
		merge: body.merge === 'observable' ? 'observable' : 'digest',
	};
	const end = endOfWork(host);
	for (let tries = MAX_TRIES; ; tries--) {
		const sharing = tries > 1 ? new WalkWorkers(host, copy, question) : undefined;
		try {
			return await host.inSlices(
				futuresOf(copy, {
					...questionOf(copy, question),
					ticks: body.ticks ?? UNTIL_TICKS,
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
			host.running.requireWanted();
		} finally {
			sharing?.release();
		}
	}
}

function answerTo(name: 'until' | 'condition', watch: ConditionWatch, found: Futures, exact: boolean) {
	const all = [...found.ended, ...found.open];
	const holding = all.filter(({ holds }) => holds === true);
	const others = all.filter(({ holds }) => holds !== true);
	const total = sumOf(holding);
	// Not covered, or not yet decided on the last tick that was made.
	const undecided = subtractFractions(ONE, found.covered);
	const open = found.complete ? NONE : sumOf(name === 'until' ? others : all);
	const fraction = found.complete || name === 'until' ? total : NONE;
	const answer = {
		exact,
		...boundsOf(fraction, exact ? fraction : addFractions(fraction, addFractions(undecided, open)), exact),
		reading: sayReading(watch.condition),
		...(found.complete
			? { yes: witnessOf(holding), no: witnessOf(others) }
			: name === 'until'
				? { yes: witnessOf(holding) }
				: {}),
	};
	if (name === 'condition') return { condition: answer };
	const byTick = new Map<number, Fraction>();
	for (const { tick, odds } of holding) byTick.set(tick, addFractions(byTick.get(tick) ?? NONE, odds));
	return {
		until: {
			...answer,
			by_tick: [...byTick].sort(([a], [b]) => a - b).map(([tick, odds]) => ({ tick, ...written(odds) })),
		},
	};
}

/** Warnings of an answer that a limit made inexact. */
function limitWarnings({ tick, stopped, covered }: Futures, last: number, body: PeekBody): string[] {
	const instead = 'POST /sweep with "seeds" estimates it.';
	const warnings: string[] = [];
	if (stopped !== null) {
		const [why, fix] =
			stopped === 'time'
				? ['the time for one call was used up', 'Send fewer "ticks"']
				: [`max_ticks (${body.max_ticks}) was used up`, 'Send a larger "max_ticks" or fewer "ticks"'];
		warnings.push(`Stopped at tick ${tick} of ${last}: ${why}. Later ticks are unknown. ${fix}; ${instead}`);
	}
	if (compareFractions(covered, ONE) < 0) {
		const share = toNumber(subtractFractions(ONE, covered));
		warnings.push(
			`States with a total probability of ${share} were dropped: max_branches (${body.max_branches}) was reached. Send a larger "max_branches" or merge "observable"; ${instead}`,
		);
	}
	return warnings;
}

/** Returns a probability that is known to be between two bounds. */
export const boundsOf = (low: Fraction, high: Fraction, exact: boolean) => ({
	probability: writeFraction(low),
	p: compareFractions(low, high) === 0 ? toNumber(low) : null,
	...(exact ? {} : { at_most: writeFraction(high) }),
});

const written = (odds: Fraction) => ({ probability: writeFraction(odds), p: toNumber(odds) });

const sumOf = (futures: readonly Future[]): Fraction =>
	futures.reduce((sum, { odds }) => addFractions(sum, odds), NONE);

function mostProbable(futures: readonly Future[], most: number): Future[] {
	return [...futures].sort((a, b) => compareFractions(b.odds, a.odds)).slice(0, most);
}

/** Returns the way to the most probable of some states. */
function witnessOf(futures: readonly Future[]) {
	const [best] = mostProbable(futures, 1);
	if (best === undefined) return null;
	const draws = [];
	for (let path: FuturePath | null = best.path; path !== null; path = path.before)
		draws.unshift({ tick: path.tick, choices: [...path.choices] });
	return { tick: best.tick, draws };
}

function show({ odds, tick, state_digest, merged, holds }: Future) {
	return {
		...written(odds),
		choices: [],
		tick,
		state_digest,
		...(merged === 1 ? {} : { merged }),
		...(holds === undefined ? {} : { holds }),
	};
}
