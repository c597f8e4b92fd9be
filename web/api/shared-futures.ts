/**
 * A peek over many ticks with workers.
 * Owns: when its states are worth several threads, and the messages with the workers that hold some of them.
 */

import type { Condition } from '../../shared/verbs/conditions/index.ts';
import { futureDigest } from '../sim/core/digest.ts';
import { finishWork } from '../sim/core/sliced-work.ts';
import type { World } from '../sim/core/world.ts';
import { keyOfRelevant, relevantTo } from '../sim/peek/relevance.ts';
import { type FutureQuestion, FutureShare, type SentState } from '../sim/peek/share.ts';
import type { ShareOptions, ShareThread } from '../sim/peek/shares.ts';
import type { Host, HostWorker } from './context.ts';
import type { PoolMemory } from './pool-tasks.ts';

/** A walk that would soon be done stays on one thread (ms). */
const ALONE_MS = 20;
/** A tick of all states that takes this long is worth several threads, and one thread again below the other (ms). */
const WORTH_MS = 8;
const UNWORTH_MS = 3;

/** A question about states, as data. */
export interface SentQuestion {
	readonly condition: Condition | undefined;
	readonly ends: boolean;
	readonly merge: 'digest' | 'observable';
}

/** Returns the question about the states that follow on a world. */
export const questionOf = (world: World, { condition, ends, merge }: SentQuestion): FutureQuestion => ({
	ends,
	keyOf: merge === 'observable' ? keyOfRelevant(relevantTo(world, condition!)) : futureDigest,
});

type ShareCall =
	| { readonly call: 'begin'; readonly world: number; readonly question: SentQuestion }
	| { readonly call: 'end' }
	| { readonly call: 'put'; readonly states: readonly SentState[] }
	| { readonly call: 'send'; readonly ids: readonly number[] }
	| { readonly call: 'expand'; readonly ids: readonly number[]; readonly most: number };

/** Work of a worker on the states that it holds. */
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

/** States in a worker. */
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

	/** Returns true if the worker takes states from now on. */
	async begin(question: SentQuestion): Promise<boolean> {
		return (await this.#load({ call: 'begin', world: this.#world.version, question })) !== 'lost';
	}

	/** Drops its states. */
	end(): void {
		void this.#load({ call: 'end' });
	}

	#load(body: ShareCall) {
		return this.#worker.load(this.#world, { kind: 'share', body });
	}

	async #call<T>(body: ShareCall): Promise<T | null> {
		// Its states are lost with it, so that the call cannot be repeated elsewhere.
		const end = await this.#worker.run({ kind: 'share', body }, [this.#world], false);
		return typeof end === 'string' ? null : (end.result as T);
	}
}

/** The workers of one walk. `release` must be called. */
export class WalkWorkers implements ShareOptions {
	readonly condition: Condition | undefined;
	readonly assets: World['assets'];
	readonly #host: Host;
	readonly #world: World;
	readonly #question: SentQuestion;
	readonly #workers: HostWorker[] = [];
	/** Number of workers that were asked for. */
	#workerCount = 0;
	readonly #ready: RemoteShare[] = [];
	/** Milliseconds: when the present tick of all states began, of all ticks, and of one state on one thread. */
	#began = 0;
	#spentMs = 0;
	#each = 0;
	#isUsed = false;

	constructor(host: Host, world: World, question: SentQuestion) {
		this.#host = host;
		this.#world = world;
		this.#question = question;
		this.condition = question.condition;
		this.assets = world.assets;
	}

	threads(states: number): readonly ShareThread[] {
		const isWorth = this.#each * states >= (this.#isUsed ? UNWORTH_MS : WORTH_MS);
		if (isWorth && this.#spentMs >= ALONE_MS) this.#start(Math.ceil((this.#each * states) / WORTH_MS));
		this.#isUsed = isWorth && this.#ready.length > 0;
		return this.#isUsed ? [...this.#ready] : [];
	}

	begin(): void {
		this.#began = this.#host.now();
	}

	end(states: number, threads: number): void {
		const ms = this.#host.now() - this.#began;
		this.#spentMs += ms;
		this.#each = (ms * threads) / states;
	}

	/** Starts workers. The walk does not wait for them. */
	#start(most: number): void {
		if (most <= this.#workerCount) return;
		if (this.#workerCount === 0) this.#endWithCall();
		const more = this.#host.workers(most - this.#workerCount);
		this.#workerCount = most;
		this.#workers.push(...more);
		for (const worker of more) {
			const share = new RemoteShare(worker, this.#world);
			void share.begin(this.#question).then((begun) => {
				if (begun) this.#ready.push(share);
			});
		}
	}

	#endWithCall(): void {
		const { running } = this.#host;
		const cancel = running.onCancel;
		running.onCancel = () => {
			cancel();
			for (const worker of this.#workers) worker.end();
		};
	}

	/** Gives workers back. */
	release(): void {
		for (const share of this.#ready) share.end();
		for (const worker of this.#workers) worker.release();
	}
}
