/**
 * Named worlds whose engines run on this server.
 * Owns: the list of worlds, the worlds with an engine, and the limits on both. The first call of a world starts its
 * engine. The engine ends when it was idle for a while, or when another world needs its memory.
 */

import { ApiError, notOwner, unknownWorld } from '../../shared/contract/errors.ts';
import type { NewWorld, WorldView } from '../../shared/transport/errand.ts';
import { newIdentity } from '../../shared/transport/identity.ts';
import { JournalError } from '../../shared/transport/journal.ts';
import { TaskQueue } from '../../shared/transport/task-queue.ts';
import { LocalWorld, type LocalWorldServices } from './local-world.ts';
import type { ServedWorld, WorldDirectory, WorldRecord, WorldStore } from './world-directory.ts';

export interface WorldLimits {
	/** Maximum number of named worlds. */
	readonly worlds: number;
	/** Maximum bytes of memory of a named world with its forks. */
	readonly worldBytes: number;
	/** Maximum bytes of memory of all named worlds that have an engine. */
	readonly worldsBytes: number;
	/** Milliseconds without a call or a tick after which the engine of a world ends. */
	readonly idleWait: number;
	/** Milliseconds without a call or a tick after which the engine ends if another world needs the memory. */
	readonly shortIdleWait: number;
}

const MIB = 2 ** 20;
export const WORLD_LIMITS: WorldLimits = {
	worlds: 64,
	worldBytes: 256 * MIB,
	worldsBytes: 4096 * MIB,
	idleWait: 300_000,
	// It must exceed one second, because a world that plays appends its ticks every second.
	shortIdleWait: 5000,
};

/** A world that has an engine, or whose engine is starting. */
interface AwakeWorld {
	/** Rejects if the world could not be opened. */
	readonly opening: Promise<LocalWorld>;
	/** The world; undefined until it is open. */
	world?: LocalWorld;
}

export interface LocalWorldsOptions extends LocalWorldServices {
	readonly store: WorldStore;
	readonly worldLimits: WorldLimits;
}

export class LocalWorlds implements WorldDirectory {
	readonly #options: LocalWorldsOptions;
	readonly #records = new Map<string, WorldRecord>();
	readonly #awakeWorlds = new Map<string, AwakeWorld>();
	/** Worlds whose engine is ending, by name. */
	readonly #closing = new Map<string, Promise<void>>();
	/** Creates and deletes worlds in order. */
	readonly #changes = new TaskQueue();
	#names: ReadonlySet<string>;
	#onNames: (names: ReadonlySet<string>) => void = () => {};
	#isStopping = false;

	private constructor(options: LocalWorldsOptions, records: readonly WorldRecord[]) {
		this.#options = options;
		for (const record of records) this.#records.set(record.name, record);
		this.#names = new Set(this.#records.keys());
	}

	/** Reads the worlds of a store, without starting engines. Rejects with a `JournalError` if their list cannot be read. */
	static async open(options: LocalWorldsOptions): Promise<LocalWorlds> {
		return new LocalWorlds(options, await options.store.list());
	}

	get names(): ReadonlySet<string> {
		return this.#names;
	}

	/** Sets a listener that is called with the names: now, and after each creation or deletion. */
	set onNames(listener: (names: ReadonlySet<string>) => void) {
		this.#onNames = listener;
		this.#updateNames();
	}

	#updateNames(): void {
		this.#names = new Set(this.#records.keys());
		this.#onNames(this.#names);
	}

	async find(name: string): Promise<ServedWorld | undefined> {
		const record = this.#records.get(name);
		return (
			record && { record, call: async (request, sender) => (await this.#wake(record)).call(request, sender) }
		);
	}

	/** Returns true if a world has an engine. */
	isAwake(name: string): boolean {
		return this.#awakeWorlds.get(name)?.world !== undefined;
	}

	/** Adds a world that another server has created. */
	addRecord(record: WorldRecord): void {
		if (this.#records.has(record.name)) return;
		this.#records.set(record.name, record);
		this.#updateNames();
	}

	/** Ends a world that another server has deleted. */
	async removeRecord({ name, journal }: WorldRecord): Promise<void> {
		if (this.#records.get(name)?.journal !== journal) return;
		this.#records.delete(name);
		this.#updateNames();
		await this.#drop(name);
	}

	/** Ends the engine of a world whose lease another server has acquired. */
	endMoved(journal: string): void {
		const record = [...this.#records.values()].find((record) => record.journal === journal);
		if (record === undefined) return;
		this.#awakeWorlds.get(record.name)?.opening.then(
			() => this.#dropTaken(record),
			() => {},
		);
	}

	/** Returns all worlds, sorted by name. */
	async list(): Promise<readonly WorldView[]> {
		const records = [...this.#records.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
		return Promise.all(records.map((record) => this.#view(record)));
	}

	async #view({ name, owner, created, profile, seed }: WorldRecord): Promise<WorldView> {
		const world = this.#awakeWorlds.get(name)?.world;
		const bytes = await world?.bytes().catch(() => undefined);
		return {
			name,
			owner: owner?.id ?? null,
			created,
			profile,
			seed,
			awake: world !== undefined,
			...(bytes === undefined ? {} : { journal_bytes: bytes }),
		};
	}

	/** Limits as callers see them. */
	get limits() {
		const { worlds, worldBytes, worldsBytes } = this.#options.worldLimits;
		return { worlds, world_memory: worldBytes, worlds_memory: worldsBytes, awake: this.#maxAwake };
	}

	get #maxAwake(): number {
		const { worldBytes, worldsBytes } = this.#options.worldLimits;
		return Math.max(1, Math.floor(worldsBytes / worldBytes));
	}

	/** Creates a world. Rejects with `world_exists`, `too_many_worlds`, `agent_limit` and `file_failed`. */
	create({ name, profile, seed, by }: NewWorld): Promise<WorldView> {
		return this.#changes.run(async () => {
			if (this.#records.has(name)) throw new ApiError('world_exists', `There is already a world "${name}".`);
			const { worlds } = this.#options.worldLimits;
			if (this.#records.size >= worlds)
				throw new ApiError('too_many_worlds', `The server has ${worlds} named worlds, which is its limit.`);
			if (by !== null) this.#requireBelowLimit(by);
			const record: WorldRecord = {
				name,
				journal: newIdentity(),
				owner: by === null ? null : { id: by.id, number: by.number },
				created: new Date().toISOString(),
				profile,
				seed,
			};
			await this.#options.store.add(record);
			this.#records.set(name, record);
			this.#updateNames();
			return this.#view(record);
		});
	}

	/** Throws `agent_limit` if an agent has its maximum number of worlds. */
	#requireBelowLimit({ id, number, worlds }: NonNullable<NewWorld['by']>): void {
		const count = [...this.#records.values()].filter(({ owner }) => owner?.number === number).length;
		if (count < worlds) return;
		throw new ApiError('agent_limit', `"${id}" already has ${count} worlds; the limit is ${worlds}.`, {
			fix: 'Delete a world of your own, or ask the operator for a higher limit.',
		});
	}

	/** Deletes a world with its forks and its journal. `agent`: number of a caller that may delete only its own. */
	delete(name: string, agent: number | null): Promise<void> {
		return this.#changes.run(async () => {
			const record = this.#records.get(name);
			if (record === undefined) throw unknownWorld(name);
			if (agent !== null && record.owner?.number !== agent)
				throw notOwner(`The world "${name}"`, record.owner?.number);
			this.#records.delete(name);
			try {
				await this.#drop(name);
				await this.#options.store.remove(record);
			} catch (error) {
				this.#records.set(name, record);
				throw error;
			}
			this.#updateNames();
			if (this.#records.size === 0) this.#options.workers.close();
		});
	}

	async #drop(name: string): Promise<void> {
		await this.#closing.get(name);
		const awake = this.#awakeWorlds.get(name);
		const world = await awake?.opening.catch(() => undefined);
		this.#awakeWorlds.delete(name);
		await world?.drop(new ApiError('unknown_world', `The world "${name}" was deleted.`));
	}

	/** Returns a world with its engine, which is started if necessary. Rejects with an `ApiError` if it cannot start. */
	async #wake(record: WorldRecord): Promise<LocalWorld> {
		const { name } = record;
		for (;;) {
			const awake = this.#awakeWorlds.get(name);
			if (awake !== undefined) return awake.world ?? (await awake.opening);
			const closing = this.#closing.get(name);
			if (closing === undefined) break;
			await closing;
		}
		if (this.#isStopping) throw stoppingError();
		if (this.#records.get(name) !== record) throw unknownWorld(name);
		const room = this.#makeRoom();
		const awake: AwakeWorld = {
			opening: room
				.then(() => this.#open(record))
				.catch((error: unknown) => {
					this.#awakeWorlds.delete(name);
					throw error instanceof JournalError
						? cannotOpenError(name, error, this.#options.faults.describe(error))
						: error;
				}),
		};
		this.#awakeWorlds.set(name, awake);
		awake.world = await awake.opening;
		return awake.world;
	}

	async #open(record: WorldRecord): Promise<LocalWorld> {
		const journal = await this.#options.store.open(record);
		try {
			return await LocalWorld.open(record, journal, this.#options, () => this.#dropTaken(record));
		} catch (error) {
			await journal.close();
			throw error;
		}
	}

	/** If the maximum of engines is reached, ends the one that was idle for the longest time. Throws `busy` if none is idle. */
	#makeRoom(): Promise<void> {
		if (this.#awakeWorlds.size < this.#maxAwake) return Promise.resolve();
		const idle = this.#openWorlds().filter(
			({ idleFor }) => idleFor >= this.#options.worldLimits.shortIdleWait,
		);
		const longestIdle = idle.sort((a, b) => b.idleFor - a.idleFor)[0];
		if (longestIdle !== undefined) return this.#sleep(longestIdle);
		const message = `${this.#awakeWorlds.size} named worlds are at work, which is the limit of the server's memory for them.`;
		throw new ApiError('busy', message, {
			fix: 'Wait for the time in Retry-After and send the call again, or start the server with a larger --worlds-memory.',
			headers: { 'retry-after': '1' },
		});
	}

	#openWorlds(): LocalWorld[] {
		return [...this.#awakeWorlds.values()].flatMap(({ world }) => (world === undefined ? [] : [world]));
	}

	/** Ends the engine of a world. The next call of the world starts another one. */
	#sleep(world: LocalWorld): Promise<void> {
		return this.#close(world.record.name, () => world.close());
	}

	/** Ends a world here, because another server has acquired its lease. */
	#dropTaken(record: WorldRecord): void {
		const world = this.#awakeWorlds.get(record.name)?.world;
		if (world !== undefined) void this.#close(record.name, () => world.drop(movedError(record.name)));
	}

	#close(name: string, end: () => Promise<void>): Promise<void> {
		this.#awakeWorlds.delete(name);
		const closing = end()
			.catch((error: unknown) => this.#options.say(this.#options.faults.describe(error)))
			.finally(() => this.#closing.delete(name));
		this.#closing.set(name, closing);
		return closing;
	}

	/** Checks all engines, and ends idle ones. Called a few times a second. */
	checkWorlds(): void {
		for (const world of this.#openWorlds()) {
			world.checkEngine();
			if (world.idleFor > this.#options.worldLimits.idleWait) void this.#sleep(world);
		}
	}

	/** Prepares the end: no engine starts any more. Resolves when all calls are answered, or after `maxWait` milliseconds. */
	async finishCalls(maxWait: number): Promise<void> {
		this.#isStopping = true;
		await Promise.all(this.#openWorlds().map((world) => world.finishCalls(maxWait)));
	}

	/** Ends all engines in order. */
	async close(): Promise<void> {
		this.#isStopping = true;
		// If a world could not be opened, its callers have the error already.
		await Promise.all([...this.#awakeWorlds.values()].map(({ opening }) => opening.catch(() => {})));
		await Promise.all(this.#openWorlds().map((world) => this.#sleep(world)));
		await Promise.all(this.#closing.values());
		this.#options.workers.close();
	}
}

const stoppingError = (): ApiError =>
	new ApiError('no_engine', 'The server is stopping. The call was not applied.', {
		fix: 'Send the call again after the server has restarted.',
	});

const movedError = (name: string): ApiError =>
	new ApiError('engine_lost', `Another server has acquired the world "${name}".`);

function cannotOpenError(name: string, { fault }: JournalError, why: string): ApiError {
	const fix =
		fault === 'locked'
			? 'Stop the other server, or send the call to it.'
			: `Check what the message names, or delete the world with DELETE /worlds/${name}.`;
	return new ApiError('no_engine', `The world "${name}" cannot be opened: ${why}`, { fix });
}
