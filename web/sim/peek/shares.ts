/**
 * Distributes the states of a walk over several threads.
 * Owns: the thread of each state, and moving states from threads with many to threads with few.
 */

import type { Condition } from '../../../shared/verbs/conditions/index.ts';
import type { World } from '../core/world.ts';
import type { FutureNode, WaitingWork } from './futures.ts';
import { type Expansion, type FutureQuestion, FutureShare, type SentState } from './share.ts';

/** Another thread that holds states. Each call resolves to null if its states are lost. */
export interface ShareThread {
	put(states: readonly SentState[]): Promise<true | null>;
	send(ids: readonly number[]): Promise<readonly SentState[] | null>;
	expand(ids: readonly number[], maxStates: number): Promise<Expansion | null>;
}

/** Decides how many threads a walk uses. The results do not depend on that number. */
export interface ShareOptions {
	readonly condition: Condition | undefined;
	readonly assets: World['assets'];
	/**
	 * Returns the other threads to use for a number of states, always in the same order. Empty if they are not worth
	 * their cost.
	 */
	threads(states: number): readonly ShareThread[];
	/** `begin` is called before a tick, and `end` after it, with the numbers of states and threads. */
	begin(): void;
	end(states: number, threads: number): void;
}

/** A thread has ended, and the states that it held are lost. */
export class LostShareError extends Error {}

/** States are moved if a thread has more than its part times this factor, plus `IMBALANCE_ALLOWANCE`. */
const IMBALANCE_FACTOR = 1.15;
const IMBALANCE_ALLOWANCE = 4;

export class Shares {
	readonly #options: ShareOptions;
	readonly #ownShare: FutureShare;
	#otherThreads: readonly ShareThread[] = [];
	/** Latest id. Ids of states that are put into a share count down. Ids of their successors count up. */
	#lastId = 0;

	constructor(options: ShareOptions, question: FutureQuestion) {
		this.#options = options;
		this.#ownShare = new FutureShare(question, options.condition, options.assets);
	}

	/** True if states are on several threads. */
	get isDistributed(): boolean {
		return this.#otherThreads.length > 0;
	}

	begin(): void {
		this.#options.begin();
	}

	end(states: number): void {
		this.#options.end(states, 1 + this.#otherThreads.length);
	}

	/** Distributes the states if their next tick is worth several threads; otherwise moves them to this one. */
	*arrange(nodes: readonly FutureNode[]): WaitingWork<void> {
		const threads = nodes.length === 1 ? [] : this.#options.threads(nodes.length);
		if (threads.length === 0) {
			if (this.isDistributed) yield* this.#gather(nodes);
			this.#otherThreads = [];
			return;
		}
		if (!this.isDistributed) for (const node of nodes) this.#putOnThisThread(node);
		this.#otherThreads = threads;
		yield* this.#balance(nodes);
	}

	#putOnThisThread(node: FutureNode): void {
		node.location = { share: 0, id: --this.#lastId };
		this.#ownShare.put(node.location.id, node.state!);
		node.state = undefined;
	}

	*#gather(nodes: readonly FutureNode[]): WaitingWork<void> {
		yield* this.#move(nodes.filter(({ location }) => location!.share > 0).map((node) => [node, 0]));
		for (const node of nodes) {
			node.state = this.#ownShare.take(node.location!.id);
			delete node.location;
			delete node.state_digest;
		}
	}

	*#balance(nodes: readonly FutureNode[]): WaitingWork<void> {
		const lists = this.#lists(nodes);
		const target = Math.ceil(nodes.length / lists.length);
		if (lists.every(({ length }) => length <= target * IMBALANCE_FACTOR + IMBALANCE_ALLOWANCE)) return;
		const surplus = lists.flatMap((list) => list.splice(target));
		const moves = lists.flatMap((list, share) =>
			surplus.splice(0, target - list.length).map((node): [FutureNode, number] => [node, share]),
		);
		yield* this.#move(moves);
	}

	/** Returns the nodes of each share, in order. */
	#lists(nodes: readonly FutureNode[]): FutureNode[][] {
		const lists = [0, ...this.#otherThreads].map((): FutureNode[] => []);
		for (const node of nodes) lists[node.location!.share]!.push(node);
		return lists;
	}

	/** Moves each node to a share. */
	*#move(moves: readonly (readonly [FutureNode, number])[]): WaitingWork<void> {
		if (moves.length === 0) return;
		const lists = this.#lists(moves.map(([node]) => node));
		const sent = lists.map((): readonly SentState[] => []);
		sent[0] = yield* this.#ownShare.send(idsOf(lists[0]!));
		yield* waitForAll(
			this.#otherThreads.map(async (other, i) => {
				if (lists[i + 1]!.length > 0) sent[i + 1] = requireResult(await other.send(idsOf(lists[i + 1]!)));
			}),
		);
		const bySender = sent.map((states) => states.values());
		const statesByTarget = lists.map((): SentState[] => []);
		for (const [node, share] of moves) {
			const state = bySender[node.location!.share]!.next().value!;
			node.location = { share, id: --this.#lastId };
			statesByTarget[share]!.push({ ...state, id: node.location.id });
		}
		yield* this.#ownShare.load(statesByTarget[0]!);
		yield* waitForAll(
			this.#otherThreads.map(async (other, i) => {
				if (statesByTarget[i + 1]!.length > 0) requireResult(await other.put(statesByTarget[i + 1]!));
			}),
		);
	}

	/** Returns the states that follow on each, share by share. `onTicks` is called with the number of run ticks. */
	*expand(
		nodes: readonly FutureNode[],
		maxStates: number,
		onTicks: (ticks: number) => void,
	): WaitingWork<readonly Expansion[]> {
		const lists = this.#lists(nodes);
		const expansions: Expansion[] = [];
		const requests = this.#otherThreads.map(async (other, i) => {
			expansions[i + 1] = requireResult(await other.expand(idsOf(lists[i + 1]!), maxStates));
			onTicks(expansions[i + 1]!.count);
		});
		// A thread may be lost before this one is done.
		for (const expansion of requests) expansion.catch(() => {});
		const work = this.#ownShare.expand(idsOf(lists[0]!), maxStates);
		for (let next = work.next(); ; next = work.next()) {
			if (next.done) {
				expansions[0] = next.value;
				break;
			}
			onTicks(1);
			yield;
		}
		yield* waitForAll(requests);
		return expansions;
	}

	dispose(): void {
		this.#ownShare.dispose();
	}
}

const idsOf = (nodes: readonly FutureNode[]): number[] => nodes.map(({ location }) => location!.id);

function requireResult<T>(result: T | null): T {
	if (result === null) throw new LostShareError();
	return result;
}

/** Waits for all promises. Throws the first rejection. */
function* waitForAll(all: readonly Promise<void>[]): WaitingWork<void> {
	let failure: unknown = null;
	yield Promise.all(all).then(
		() => {},
		(error: unknown) => {
			failure = error;
		},
	);
	if (failure !== null) throw failure;
}
