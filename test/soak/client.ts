/**
 * One of many clients of a soak. Each of its random calls must succeed, and they keep the size of the world about constant.
 * Owns: the client's entities and forks, and comparing answers with the world.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { wavFile } from '../../web/content/wav.ts';
import { type Answer, SoakCaller } from './caller.ts';
import { Random } from './random.ts';
import type { SoakTally } from './tally.ts';
import type { Turnstile } from './turnstile.ts';

/** Maximum number of entities of a client. */
const MAX_ENTITIES = 8;
/**
 * Number of calls on a fork before its client replaces it. It is small, so that the number of snapshots in forks soon
 * becomes stable.
 */
const FORK_LIFE = 12;
export const HEALTH = 1_000_000;

/** An entity of main that only this client changes. */
export interface OwnEntity {
	readonly id: number;
	readonly generation: number;
	/** Unique tag. */
	readonly tag: string;
	/** Acknowledged damage. */
	damage: number;
}

/** A fork that only this client changes, and the state of the fork by the answers. */
interface OwnFork {
	readonly id: string;
	tick: number;
	digest: string;
	/** Key of the last write; undefined after play. */
	key: string | undefined;
	uses: number;
	/** Digest of its snapshot; undefined without one. */
	snapshotDigest: string | undefined;
}

export interface ClientSurroundings {
	readonly url: string;
	readonly tally: SoakTally;
	/** Gives one client exclusive access to main. */
	readonly main: Turnstile;
	/** Returns the number of processes that were killed so far. */
	kills(): number;
}

export class SoakClient {
	readonly #name: string;
	readonly #around: ClientSurroundings;
	readonly #caller: SoakCaller;
	readonly #random: Random;
	readonly entities: OwnEntity[] = [];
	/** Tags of removed entities. */
	readonly removedTags: string[] = [];
	/** Tags of entities whose last call was never answered. They may exist or not. */
	readonly unknownTags: string[] = [];
	#fork: OwnFork | undefined;
	/** Ids of deleted forks. */
	readonly deletedForks: string[] = [];
	#count = 0;
	#kills = 0;

	constructor(number: number, seed: number, around: ClientSurroundings) {
		this.#name = `c-${number}`;
		this.#around = around;
		this.#random = new Random(seed * 1000 + number);
		this.#caller = new SoakCaller(around.url, this.#name, around.tally);
	}

	/** The current fork, with its tick and digest. */
	get fork(): { readonly id: string; readonly tick: number; readonly digest: string } | undefined {
		return this.#fork;
	}

	/** Makes calls one after the other while `isOngoing` returns true. */
	async run(isOngoing: () => boolean): Promise<void> {
		while (isOngoing()) {
			const { main, kills } = this.#around;
			const killCount = kills();
			if (killCount !== this.#kills) {
				this.#kills = killCount;
				await this.checkFork();
			}
			const kind = this.#random.below(1000);
			if (kind < 4) await main.runAlone(() => this.#promote());
			else await main.runShared(() => this.#makeCall(kind));
		}
	}

	#below(end: number): number {
		return this.#random.below(end);
	}

	#newName(): string {
		return `${this.#name}-${++this.#count}`;
	}

	async #makeCall(kind: number): Promise<unknown> {
		const { read, write } = boundCalls(this.#caller);
		if (kind < 160 || this.entities.length === 0) return this.#spawn();
		const entity = this.entities[this.#below(this.entities.length)]!;
		if (kind < 300) return this.#checkEntity(entity);
		if (kind < 350) return read('POST', `/observe?viewer=${entity.id}`, {});
		if (kind < 400) return read('GET', '/digest');
		if (kind < 480) return this.#damage(entity);
		if (kind < 560) return this.#step();
		if (kind < 760) return this.#useFork();
		if (kind < 780) return read('POST', '/peek', {});
		if (kind < 820) return this.#rule();
		if (kind < 860) return this.#batch();
		if (kind < 880) return write('POST', '/snapshot', { label: this.#name });
		if (kind < 890) return this.#upload();
		if (kind < 900) return this.#play('main');
		if (kind < 930) return read('GET', '/scenario');
		if (kind < 960) return read('GET', '/');
		if (kind < 980) return read('GET', '/history?limit=20');
		return read('GET', '/schema?brief=true');
	}

	async #spawn(): Promise<void> {
		if (this.entities.length >= MAX_ENTITIES) {
			const { id, generation, tag } = this.entities.shift()!;
			await this.#remove(id, generation, tag);
		}
		const tag = this.#newName();
		const result = await this.#caller.write('POST', '/spawn', {
			tags: [tag],
			health: HEALTH,
			team: this.#below(3),
			position: [this.#below(200), 1 + this.#below(50), this.#below(200)],
			...(this.#below(3) === 0
				? { physics_body: 'Dynamic', collider: { shape: 'Sphere', radius: 0.5 } }
				: {}),
		});
		if (result === undefined) this.unknownTags.push(tag);
		else this.entities.push({ id: Number(result.id), generation: Number(result.generation), tag, damage: 0 });
	}

	/** Checks that an entity matches the earlier answers. */
	async #checkEntity({ id, generation, tag, damage }: OwnEntity): Promise<void> {
		const answer = await this.#caller.read('GET', `/entities/${id}`);
		if (answer === undefined) return;
		const { tally } = this.#around;
		const isSame = answer.generation === generation && (answer.tags as string[] | undefined)?.[0] === tag;
		tally.check(isSame, 'lost', () => `The entity ${id} of ${tag} is ${JSON.stringify(answer.tags)} now.`);
		if (!isSame) return;
		const [health] = answer.health as [number, number];
		tally.check(
			health >= HEALTH - damage,
			'doubled',
			() => `${tag} was damaged by ${damage} and has lost ${HEALTH - health}.`,
		);
	}

	async #damage(entity: OwnEntity): Promise<void> {
		const { id, generation } = entity;
		if (
			(await this.#caller.write('POST', '/entity/damage', { entity_id: id, generation, amount: 1 })) !==
			undefined
		)
			entity.damage++;
	}

	async #step(): Promise<void> {
		const stepped = await this.#caller.write('POST', '/step', { ticks: 1 + this.#below(3) });
		if (stepped !== undefined) this.#recordStep(stepped);
	}

	#recordStep({ start_tick, new_tick, key }: Answer & { readonly key: string }): void {
		this.#around.tally.steps.push({ from: Number(start_tick), to: Number(new_tick), key });
	}

	/** Makes one call with this client's fork: creates, changes, reads or deletes it. */
	async #useFork(): Promise<void> {
		const fork = this.#fork;
		if (fork === undefined) return this.#createFork();
		const path = (route: string): string => `${route}?world=${fork.id}`;
		const kind = this.#below(100);
		if (++fork.uses > FORK_LIFE) {
			const deletion = await this.#caller.write('DELETE', `/fork/${fork.id}`);
			if (deletion === undefined) return;
			this.#fork = undefined;
			this.deletedForks.push(fork.id);
		} else if (kind < 50) await this.#stepFork(fork);
		else if (kind < 65) await this.checkFork();
		else if (kind < 80) {
			const result = await this.#caller.write('POST', path('/spawn'), { health: 5, tags: [this.#newName()] });
			if (result !== undefined) await this.#updateFork(fork, result.key);
		} else if (kind < 85) {
			const snapshot = await this.#caller.write('POST', path('/snapshot'), { label: 'then' });
			if (snapshot !== undefined) fork.snapshotDigest = fork.digest;
		} else if (kind < 90 && fork.snapshotDigest !== undefined) {
			const restored = await this.#caller.write('POST', path('/snapshot/then/restore'));
			if (restored === undefined) return;
			const { snapshotDigest: snapshot } = fork;
			this.#around.tally.check(
				restored.state_digest === snapshot,
				'lost',
				() => `The snapshot of ${fork.id} was ${snapshot} and is ${String(restored.state_digest)}.`,
			);
			this.#setForkState(fork, restored);
		} else if (kind < 93) {
			await this.#play(fork.id);
			const current = await this.#caller.read('GET', path('/digest'));
			if (current === undefined) return;
			this.#around.tally.check(
				Number(current.tick) >= fork.tick,
				'lost',
				() => `${fork.id} played from tick ${fork.tick} to ${String(current.tick)}.`,
			);
			fork.tick = Number(current.tick);
			fork.digest = String(current.state_digest);
			fork.key = undefined;
		} else if (kind < 94) await this.#checkPast(fork);
		else await this.#caller.read('POST', path('/observe'), {});
	}

	async #createFork(): Promise<void> {
		const id = this.#newName();
		const result = await this.#caller.write('POST', '/fork', { fork_id: id });
		if (result === undefined) return;
		const fork: OwnFork = {
			id,
			tick: Number(result.tick),
			digest: String(result.state_digest),
			key: result.key,
			uses: 0,
			snapshotDigest: undefined,
		};
		this.#fork = fork;
	}

	async #stepFork(fork: OwnFork): Promise<void> {
		const ticks = 1 + this.#below(3);
		const stepped = await this.#caller.write('POST', `/fork/${fork.id}/step`, { ticks });
		if (stepped === undefined) return;
		const { tally } = this.#around;
		const [oldTick, newTick] = [fork.tick, Number(stepped.new_tick)];
		const describeStep = (): string =>
			`${fork.id} was at tick ${oldTick}, was stepped by ${ticks} (${stepped.key}) and is at ${newTick}.`;
		tally.check(newTick >= oldTick + ticks, 'lost', describeStep);
		tally.check(newTick <= oldTick + ticks, 'doubled', describeStep);
		this.#setForkState(fork, stepped);
	}

	#setForkState(
		fork: OwnFork,
		{ new_tick, tick = new_tick, state_digest, key }: Answer & { readonly key: string },
	): void {
		fork.tick = Number(tick);
		fork.digest = String(state_digest);
		fork.key = key;
	}

	/** Reads the new tick and digest of the fork from the journal after a write. */
	async #updateFork(fork: OwnFork, key: string): Promise<void> {
		const answer = await this.#caller.read('GET', `/journal?key=${key}`);
		const call = answer?.call as Answer | undefined;
		if (call === undefined) return;
		this.#around.tally.check(
			call.state === 'applied',
			'lost',
			() => `The journal says that ${key} is ${String(call.state)}.`,
		);
		if (call.state !== 'applied') return;
		this.#setForkState(fork, { ...call, key });
		await this.checkFork();
	}

	/** Checks that the fork matches the last acknowledged write. */
	async checkFork(): Promise<void> {
		const fork = this.#fork;
		if (fork === undefined) return;
		const current = await this.#caller.read('GET', `/digest?world=${fork.id}`);
		if (current === undefined) return;
		this.#around.tally.check(
			current.state_digest === fork.digest && current.tick === fork.tick,
			'lost',
			() =>
				`${fork.id} was ${fork.digest} at tick ${fork.tick} after ${fork.key ?? 'play'}, and is ${String(current.state_digest)} at ${String(current.tick)}.`,
		);
	}

	/** Checks that a fork from the history after the last acknowledged write has the same digest. */
	async #checkPast(fork: OwnFork): Promise<void> {
		const { key, id } = fork;
		if (key === undefined) return;
		const answer = await this.#caller.read('GET', `/journal?key=${key}`);
		const call = answer?.call as Answer | undefined;
		if (call === undefined) return;
		const past = this.#newName();
		const result = await this.#caller.write('POST', '/history/fork', {
			fork_id: past,
			of: id,
			entry: call.entry,
		});
		if (result === undefined) return;
		this.#around.tally.check(
			result.state_digest === fork.digest,
			'lost',
			() => `${id} was ${fork.digest} after ${key}, and in the past it is ${String(result.state_digest)}.`,
		);
		await this.#caller.write('DELETE', `/fork/${past}`);
	}

	/** Runs a world for a moment. */
	async #play(world: string): Promise<void> {
		await this.#caller.write('POST', `/play?world=${world}`, { speed: 1 });
		await wait(100 + this.#below(200));
		await this.#caller.write('POST', `/pause?world=${world}`);
	}

	async #rule(): Promise<void> {
		const result = await this.#caller.write('POST', '/rule/create', {
			name: this.#newName(),
			when: 'field:health<1',
			do: ['despawn this'],
		});
		if (result !== undefined) await this.#caller.write('DELETE', `/rule/${Number(result.rule_id)}`);
	}

	/** Removes an entity. It counts as unknown if the call is never answered. */
	async #remove(id: number, generation: number, tag: string): Promise<void> {
		const result = await this.#caller.write('POST', '/despawn', {
			entity_id: id,
			entity_generation: generation,
		});
		(result === undefined ? this.unknownTags : this.removedTags).push(tag);
	}

	/** Sends an atomic batch: two entities that stay, and one that it also despawns. */
	async #batch(): Promise<void> {
		const tags = [this.#newName(), this.#newName()];
		while (this.entities.length + tags.length > MAX_ENTITIES) {
			const { id, generation, tag } = this.entities.shift()!;
			await this.#remove(id, generation, tag);
		}
		const done = await this.#caller.write('POST', '/batch', {
			atomic: true,
			requests: [
				...tags.map((tag) => ({ path: '/spawn', body: { health: HEALTH, tags: [tag] } })),
				{ path: '/spawn', body: { health: 5 }, as: 'made' },
				{ method: 'GET', path: '/entities/$made.id' },
				{ path: '/despawn', body: { entity_id: '$made.id', entity_generation: '$made.generation' } },
			],
		});
		if (done === undefined) {
			this.unknownTags.push(...tags);
			return;
		}
		const results = done.results as { readonly body: { readonly id: number; readonly generation: number } }[];
		for (const [i, tag] of tags.entries()) {
			const { id, generation } = results[i]!.body;
			this.entities.push({ id, generation, tag, damage: 0 });
		}
	}

	/** Uploads unique bytes, reads them back and deletes them. */
	async #upload(): Promise<void> {
		const name = this.#newName();
		const samples = Array.from({ length: 32 }, () => this.#random.share() - 0.5);
		const result = await this.#caller.write('POST', `/asset/upload?name=${name}.wav`, {
			data: wavFile(samples, 8000).toString('base64'),
		});
		if (result === undefined) return;
		await this.#caller.read('GET', `/asset/${String(result.hash)}`);
		await this.#caller.write('DELETE', `/asset/${String(result.hash)}`);
	}

	/** Promotes a fork. No other client changes main at the same time. */
	async #promote(): Promise<void> {
		const { tally } = this.#around;
		await this.#caller.write('POST', '/pause');
		const id = this.#newName();
		if ((await this.#caller.write('POST', '/fork', { fork_id: id })) === undefined) return;
		const stepped = await this.#caller.write('POST', `/fork/${id}/step`, { ticks: 2 });
		if (stepped === undefined) return;
		const promotion = await this.#caller.write('POST', `/fork/${id}/promote`);
		if (promotion === undefined) return;
		this.#recordStep(stepped);
		const current = await this.#caller.read('GET', '/digest');
		if (current === undefined) return;
		tally.check(
			current.state_digest === stepped.state_digest && current.tick === stepped.new_tick,
			'lost',
			() =>
				`${id} was ${String(stepped.state_digest)} at tick ${String(stepped.new_tick)} and was promoted; main is ${String(current.state_digest)} at ${String(current.tick)}.`,
		);
	}
}

function boundCalls(caller: SoakCaller): { read: SoakCaller['read']; write: SoakCaller['write'] } {
	return { read: caller.read.bind(caller), write: caller.write.bind(caller) };
}
