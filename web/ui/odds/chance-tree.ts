/**
 * The branches of several ticks as a tree: each draw that comes next, and what it leads to.
 * Owns: the way to a branch, its exact probability, and reading what comes after it. A copy of the world goes the way:
 * nothing of it stays.
 */

import {
	fraction,
	multiplyFractions,
	readFraction,
	toNumber,
	writeFraction,
} from '../../../shared/contract/fraction.ts';
import type { PanelServices } from '../services.ts';
import { ask, type Refusal } from '../state/ask.ts';
import { type Branch, type Choice, type Fraction, isOne, remainder, sumOf, tallyOf } from './odds.ts';

/** Branches of one draw that are listed, the likeliest first. */
export const MAX_LISTED = 12;
/** Branches of one draw that are read. */
const MAX_READ = 256;
/** Ticks after a branch in which the next draw is looked for. */
export const LOOK_TICKS = 600;
/** A fork of the copy: its id begins with a dot, as those of kept states do. */
const COPY = '.odds-tree';

/** Ticks without a draw, and the tick that draws, with its choices. */
export interface ChanceTurn {
	readonly wait: number;
	readonly choices: readonly Choice[];
}

export interface ChanceNode {
	/** Its place in the tree: `0/2`. */
	readonly key: string;
	readonly way: readonly ChanceTurn[];
	/** Labels of its last draw. */
	readonly label: string;
	/** Of this branch of its draw, and of the whole way. */
	readonly share: Fraction;
	readonly probability: Fraction;
	readonly p: number;
	/** Ticks completed in it. */
	readonly tick: number;
	readonly digest: string;
}

/** The branches of the draw that comes after a node. */
export interface NextDraw {
	/** Ticks completed before the draw. */
	readonly tick: number;
	readonly nodes: readonly ChanceNode[];
	/** Probability of the branches that are not listed; null if all are. */
	readonly rest: Fraction | null;
	/** No draw came in the ticks that were looked through. */
	readonly isEnd: boolean;
}

interface PeekedNode {
	readonly tick: number;
	readonly distribution: readonly Branch[];
	readonly factors: readonly unknown[];
}

type NodeRequests = { readonly path: string; readonly body: object; readonly answer?: string[] }[];

/** Returns the calls that go a way on a copy of a world. */
const wayRequests = (from: string, way: readonly ChanceTurn[], copy = COPY): NodeRequests => [
	{ path: '/fork', body: { fork_id: copy, from } },
	...way.flatMap(({ wait, choices }) => [
		...(wait === 0 ? [] : [{ path: `/fork/${copy}/step`, body: { ticks: wait } }]),
		{
			path: `/fork/${copy}/step`,
			body: { choices: choices.map(({ rule, entity, outcome }) => ({ rule, entity, outcome })) },
		},
	]),
];

/** Calls that make a fork of a world which goes a way. */
export const forkRequests = (from: string, way: readonly ChanceTurn[], id: string): NodeRequests =>
	wayRequests(from, way, encodeURIComponent(id));

async function onCopy(
	services: PanelServices,
	requests: NodeRequests,
): Promise<readonly unknown[] | Refusal> {
	const outcome = await ask(services, 'POST', '/batch', {
		body: { requests, dry_run: true, atomic: true },
		on: 'panels',
	});
	return outcome.ok ? outcome.body.results.map(({ body }) => body) : outcome.refusal;
}

/** Reads the draw that comes after a way from a world as it is now. `before`: probability of the way. */
export async function nextDraw(
	services: PanelServices,
	world: string,
	{ key, way, probability }: Pick<ChanceNode, 'key' | 'way' | 'probability'>,
): Promise<NextDraw | Refusal> {
	const go = wayRequests(world, way);
	const peek = { path: `/peek?world=${COPY}`, body: { max_branches: MAX_READ } };
	const look = {
		path: `/fork/${COPY}/step`,
		body: { ticks: LOOK_TICKS, trace: 'draws' },
		answer: ['trace', 'start_tick'],
	};
	const first = await onCopy(services, [...go, peek, look]);
	if ('sentence' in first) return first;
	let peeked = first.at(-2) as PeekedNode;
	let wait = 0;
	if (peeked.factors.length === 0) {
		const [trace, start] = first.at(-1) as [readonly { readonly tick: number }[] | null, number];
		const draw = trace?.[0];
		if (draw === undefined) return { tick: start, nodes: [], rest: null, isEnd: true };
		wait = draw.tick - start;
		const second = await onCopy(services, [
			...go,
			{ path: `/fork/${COPY}/step`, body: { ticks: wait } },
			peek,
		]);
		if ('sentence' in second) return second;
		peeked = second.at(-1) as PeekedNode;
	}
	const before = readFraction(probability);
	const listed = [...peeked.distribution].sort((a, b) => b.p - a.p).slice(0, MAX_LISTED);
	const sum = sumOf(listed);
	return {
		tick: peeked.tick,
		isEnd: false,
		rest: isOne(sum) ? null : remainder(sum),
		nodes: listed.map((branch, index) => {
			const joint = multiplyFractions(before, readFraction(branch.probability));
			return {
				key: key === '' ? String(index) : `${key}/${index}`,
				way: [...way, { wait, choices: branch.choices }],
				label: tallyOf(branch.choices) || 'no choice',
				share: branch.probability,
				probability: writeFraction(joint),
				p: toNumber(joint),
				tick: peeked.tick + 1,
				digest: branch.state_digest,
			};
		}),
	};
}

export const CERTAIN: Fraction = writeFraction(fraction(1n));
