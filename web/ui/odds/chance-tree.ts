/**
 * The branches of several ticks as a tree of draws.
 * Owns: the way to a branch, its exact probability, and reading the next draw after it. The way is run on a temporary
 * copy of the world.
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

/** Maximum number of branches of one draw that are listed, the likeliest first. */
export const MAX_LISTED = 12;
/** Maximum number of branches of one draw that are read. */
const MAX_READ = 256;
/** Number of ticks after a branch that are searched for the next draw. */
export const LOOK_TICKS = 600;
/** Id of the temporary fork. Like the ids of kept states, it begins with a dot. */
const COPY = '.odds-tree';

/** Ticks without a draw, and the tick that draws, with its choices. */
export interface ChanceTurn {
	readonly wait: number;
	readonly choices: readonly Choice[];
}

export interface ChanceNode {
	/** Position in the tree: `0/2`. */
	readonly key: string;
	readonly way: readonly ChanceTurn[];
	/** Labels of its last draw. */
	readonly label: string;
	/** Probability of this branch within its draw. */
	readonly share: Fraction;
	/** Probability of the whole way; `p` is the same, rounded. */
	readonly probability: Fraction;
	readonly p: number;
	/** Ticks completed in this branch. */
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
	/** True if the searched ticks have no draw. */
	readonly isEnd: boolean;
}

interface PeekedNode {
	readonly tick: number;
	readonly distribution: readonly Branch[];
	readonly factors: readonly unknown[];
}

type NodeRequests = { readonly path: string; readonly body: object; readonly answer?: string[] }[];

/** Returns the calls that fork a world and run the fork along a way. */
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

/** Returns the calls that fork a world as `id` and run the fork along a way. */
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

/** Reads the next draw after a way that starts from the current state of a world. */
export async function nextDraw(
	services: PanelServices,
	world: string,
	{ key, way, probability }: Pick<ChanceNode, 'key' | 'way' | 'probability'>,
): Promise<NextDraw | Refusal> {
	const steps = wayRequests(world, way);
	const peek = { path: `/peek?world=${COPY}`, body: { max_branches: MAX_READ } };
	const look = {
		path: `/fork/${COPY}/step`,
		body: { ticks: LOOK_TICKS, trace: 'draws' },
		answer: ['trace', 'start_tick'],
	};
	const first = await onCopy(services, [...steps, peek, look]);
	if ('sentence' in first) return first;
	let peeked = first.at(-2) as PeekedNode;
	let wait = 0;
	if (peeked.factors.length === 0) {
		const [trace, start] = first.at(-1) as [readonly { readonly tick: number }[] | null, number];
		const draw = trace?.[0];
		if (draw === undefined) return { tick: start, nodes: [], rest: null, isEnd: true };
		wait = draw.tick - start;
		const second = await onCopy(services, [
			...steps,
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
