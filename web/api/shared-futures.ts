/**
 * Shares a peek over many ticks with workers.
 * Owns: the decision when to use several threads, and the messages to the workers that have some of the states.
 */

import type { Condition } from '../../shared/verbs/conditions/index.ts';
import { futureDigest } from '../sim/core/digest.ts';
import { finishWork } from '../sim/core/sliced-work.ts';
import type { World } from '../sim/core/world.ts';
import { findRelevantState, keyOfRelevant } from '../sim/peek/relevance.ts';
import { type FutureQuestion, FutureShare, type SentState } from '../sim/peek/share.ts';
import type { ShareOptions, ShareThread } from '../sim/peek/shares.ts';
import type { Host, HostWorker } from './context.ts';
import type { PoolMemory } from './pool-tasks.ts';

/** Time that a search runs on one thread before it uses workers (ms). */
const MIN_ALONE_MS = 20;
/** Time of a tick of all states (ms): several threads are used from the first value on, and one thread again below the second. */
const MIN_SHARED_MS = 8;
const MIN_STILL_SHARED_MS = 3;

/** A question about states, as data. */
export interface SentQuestion {
	readonly condition: Condition | undefined;
	readonly ends: boolean;
	readonly merge: 'digest' | 'observable';
}

/** Returns the question about the states that may follow from a world. */
export const questionOf = (world: World, { condition, ends, merge }: SentQuestion): FutureQuestion => ({
	ends,
	keyOf: merge === 'observable' ? keyOfRelevant(findRelevantState(world, condition!)) : futureDigest,
});

type ShareCall =
	| { readonly call: 'begin'; readonly world: number; readonly question: SentQuestion }
	| { readonly call: 'end' }
	| { readonly call: 'put'; readonly states: readonly SentState[] }
	| { readonly call: 'send'; readonly ids: readonly number[] }
	| { readonly call: 'expand'; readonly ids: readonly number[]; readonly most: number };

/** Runs a call in a worker, on its share of the states. */
export async function shareTask(_: Host, memory: PoolMemory, body: ShareCall): Promise<unknown> {
	if (body.call === 'begin' || body.call === 'end') {
		memory.share?.dispose();
		memory.share = null;
		if (body.call === 'end') return true;
		const world = memory.worlds.get(body.world)!;
		memory.share = new FutureShare(questionOf(world, body.question), body.question.condition, world.assets);
		return true;
	}
	const share = memory.share!;
	switch (body.call) {
		case 'put':
			finishWork(share.load(body.states));
			return true;
		case 'send':
			return finishWork(share.send(body.ids));
		case 'expand':
			return finishWork(share.expand(body.ids, body.most));
	}
}

/** Share of the states in a worker, seen from the engine. */
class RemoteShare implements ShareThread {
	readonly #worker: HostWorker;
	readonly #world: World;

	constructor(worker: HostWorker, world: World) {
		this.#worker = worker;
		this.#world = world;
	}

	put(states: readonly SentState[]) {
		return this.#call<true>({ call: 'put', states });
	}

	send(ids: readonly number[]) {
		return this.#call<SentState[]>({ call: 'send', ids });
	}

	expand(ids: readonly number[], most: number) {
		return this.#call<ReturnType<FutureShare['expand']> extends Generator<void, infer T> ? T : never>({
			call: 'expand',
			ids,
			most,
		});
	}

	/** Prepares the worker. Returns true if it accepts states. */
	async begin(question: SentQuestion): Promise<boolean> {
		return (await this.#load({ call: 'begin', world: this.#world.version, question })) !== 'lost';
	}

	/** Makes the worker drop its states. */
	end(): void {
		void this.#load({ call: 'end' });
	}

	#load(body: ShareCall) {
		return this.#worker.load(this.#world, { kind: 'share', body });
	}

	async #call<T>(body: ShareCall): Promise<T | null> {
		// If the worker ends, its states are lost, so the call cannot be repeated in another worker.
		const end = await this.#worker.run({ kind: 'share', body }, [this.#world], false);
		return typeof end === 'string' ? null : (end.result as T);
	}
}

/** Workers of one search. `release` must be called. */
export class WalkWorkers implements ShareOptions {
	readonly condition: Condition | undefined;
	readonly assets: World['assets'];
	readonly #host: Host;
	readonly #world: World;
	readonly #question: SentQuestion;
	readonly #workers: HostWorker[] = [];
	/** Number of requested workers. */
	#workerCount = 0;
	readonly #ready: RemoteShare[] = [];
	/** Time at which the current tick of all states began. */
	#beginTime = 0;
	/** Time of all ticks so far (ms). */
	#spentMs = 0;
	/** Time of one state on one thread, in milliseconds. */
	#msPerState = 0;
	#isUsed = false;

	constructor(host: Host, world: World, question: SentQuestion) {
		this.#host = host;
		this.#world = world;
		this.#question = question;
		this.condition = question.condition;
		this.assets = world.assets;
	}

	threads(states: number): readonly ShareThread[] {
		const isWorthwhile = this.#msPerState * states >= (this.#isUsed ? MIN_STILL_SHARED_MS : MIN_SHARED_MS);
		if (isWorthwhile && this.#spentMs >= MIN_ALONE_MS)
			this.#start(Math.ceil((this.#msPerState * states) / MIN_SHARED_MS));
		this.#isUsed = isWorthwhile && this.#ready.length > 0;
		return this.#isUsed ? [...this.#ready] : [];
	}

	begin(): void {
		this.#beginTime = this.#host.now();
	}

	end(states: number, threads: number): void {
		const ms = this.#host.now() - this.#beginTime;
		this.#spentMs += ms;
		this.#msPerState = (ms * threads) / states;
	}

	/** Starts workers. The search does not wait for them. */
	#start(max: number): void {
		if (max <= this.#workerCount) return;
		if (this.#workerCount === 0) this.#endWorkersOnCancel();
		const newWorkers = this.#host.workers(max - this.#workerCount);
		this.#workerCount = max;
		this.#workers.push(...newWorkers);
		for (const worker of newWorkers) {
			const share = new RemoteShare(worker, this.#world);
			void share.begin(this.#question).then((hasBegun) => {
				if (hasBegun) this.#ready.push(share);
			});
		}
	}

	#endWorkersOnCancel(): void {
		const { running } = this.#host;
		const cancel = running.onCancel;
		running.onCancel = () => {
			cancel();
			for (const worker of this.#workers) worker.end();
		};
	}

	/** Releases all workers. */
	release(): void {
		for (const share of this.#ready) share.end();
		for (const worker of this.#workers) worker.release();
	}
}
