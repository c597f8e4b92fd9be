/**
 * Writes applied calls to the journal before their answers.
 * Owns: the content of each entry, and the times at which ticks of play are written. The outbox appends the entries, and the
 * state keeper stores the states.
 */

import type { Principal } from '../../../shared/contract/principal.ts';
import { CALL_HEADER, EMPTY_BODY, type Transport, type WireRequest } from '../../../shared/contract/wire.ts';
import { JournalError } from '../../../shared/transport/journal.ts';
import {
	type BetweenHead,
	type CallHead,
	encodeEntry,
	type ReadEntry,
	type WorldStateHead,
} from '../../../shared/transport/journal-entry.ts';
import type { JournalTrouble } from '../../api/host-journal.ts';
import { digest } from '../../sim/core/digest.ts';
import { worldName } from '../../sim/world-name/world-name.ts';
import type { Assets } from '../../store/assets.ts';
import type { RunningCall } from '../../store/call-list.ts';
import { EventMarks } from '../../store/event-marks.ts';
import { sha256 } from '../../store/sha256.ts';
import { currentHalt, MAIN, type WorldEntry, type Worlds } from '../../store/worlds.ts';
import type { CallChange, CallResult } from '../dispatch.ts';
import { placeOf, playingOf, WorldChanges } from './changes.ts';
import { hasEventMarks } from './happened-index.ts';
import { Outbox, type OutboxOptions } from './outbox.ts';
import type { RecordedChecks, RecordingFacts } from './recording.ts';
import { type StateEvery, StateKeeper, type StateKeeperOptions } from './state-keeper.ts';

/** Ticks of play are written after this time (ms), or before the next call. Missing digests are written after the same time. */
const FLUSH_MS = 1000;
/** Longer bodies are stored as blobs. */
const MAX_INLINE_BYTES = 16 * 1024;
/**
 * Number of entries after which an entry has the digest of its world, if no call computed it. The second number adds entries for
 * large worlds.
 */
const DIGEST_INTERVAL = 32;
const ENTITIES_PER_ENTRY = 16;
/** Headers of a request that change its result. */
const STORED_HEADERS = ['content-type', 'content-encoding', 'accept'];

export interface EntryWriterServices extends OutboxOptions, StateKeeperOptions {
	readonly worlds: Worlds;
	readonly assets: Assets;
	/** Returns true while a call runs, because its worlds may be incomplete. */
	readonly isBusy: () => boolean;
}

/** An applied call. */
export interface AppliedCall {
	readonly request: WireRequest;
	readonly door: Transport;
	readonly principal: Principal;
	readonly key: string | undefined;
	readonly change: Pick<CallChange, 'route' | 'world'>;
	readonly running: RunningCall;
	/** Result of `prepare`. */
	readonly beginTime: number;
	readonly result: CallResult;
	readonly recording: RecordingFacts;
	readonly roomChecks: RecordedChecks;
	/** Called when the journal has stored the entry, before a state after it is packed. */
	readonly onStored: (entry: number) => void;
}

/** An entry that was written. The journal may not have stored it yet. */
export interface WrittenEntry {
	readonly entry: number;
	readonly head: CallHead;
	/** Size of the entry with its blobs. */
	readonly bytes: number;
	/** Resolves when the journal has stored the entry. Rejects with `not_kept` if that fails. */
	readonly stored: Promise<void>;
}

export class EntryWriter {
	readonly #services: EntryWriterServices;
	readonly #changes: WorldChanges;
	readonly #outbox: Outbox;
	readonly #states: StateKeeper;
	/** Marks of events on ticks of play that no entry has yet. */
	readonly #eventMarks = new EventMarks();
	/** Number of ticks of play that no entry has yet, by world. */
	readonly #ticks = new Map<string, number>();
	#flushTimer: ReturnType<typeof setTimeout> | undefined;
	/** Hashes of the assets that entries or states of the journal name. */
	readonly #knownAssets = new Set<string>();
	#assetChanges = -1;
	/** Number of entries of each world since the last one with its digest. */
	readonly #undigested = new Map<string, number>();
	#closing: Promise<void> | null = null;

	/**
	 * The worlds must be in the state of the journal's end. `next`: number of the next entry. `read`: entries and work since the
	 * last state.
	 */
	constructor(next: number, services: EntryWriterServices, read: Partial<StateEvery> = {}) {
		this.#services = services;
		this.#outbox = new Outbox(next, services);
		this.#states = new StateKeeper(services, read);
		this.#changes = new WorldChanges(services.worlds, services.assets);
		this.#newAssets();
	}

	/** Reason why nothing can currently be stored; null if it can. */
	get trouble(): JournalTrouble | null {
		return this.#outbox.trouble;
	}

	/** Number of the next entry. */
	get next(): number {
		return this.#outbox.next;
	}

	/**
	 * Writes pending ticks before a call is applied, and returns the time of `now`. Rejects with `not_kept` if the journal fails.
	 * `isRetry`: the call was applied before, but is not stored yet.
	 */
	async prepare(isRetry = false): Promise<number> {
		await this.#outbox.whenReady(isRetry);
		this.writePending();
		// Uploads fill a journal, but have no entries of their own.
		this.storeStateIfDue();
		return this.#services.now();
	}

	/** Counts a tick of play. `ms`: its duration. */
	countTick({ id, world }: WorldEntry, ms: number): void {
		this.#ticks.set(id, (this.#ticks.get(id) ?? 0) + 1);
		this.#eventMarks.markTick({ id, world });
		this.#states.add({ ticks: 1, work: ms });
		this.#flushSoon();
	}

	#flushSoon(): void {
		this.#flushTimer ??= setTimeout(() => {
			this.#flushTimer = undefined;
			if (this.#services.isBusy()) this.#flushSoon();
			else {
				this.writePending(true);
				this.storeStateIfDue();
			}
		}, FLUSH_MS);
	}

	/** Writes an entry with the ticks of play and new assets, if there are any. `digests`: adds missing digests. */
	writePending(digests = false): void {
		const { worlds, assets, clock } = this.#services;
		const newHashes = this.#newAssets();
		if (digests) for (const id of this.#undigested.keys()) this.#ticks.set(id, this.#ticks.get(id) ?? 0);
		if (this.#ticks.size === 0 && newHashes.length === 0) return;
		clearTimeout(this.#flushTimer);
		this.#flushTimer = undefined;
		const byId = new Map(worlds.all().map((entry) => [entry.id, entry]));
		const worldHeads = [...this.#ticks].flatMap(([id, ticks]) => {
			const entry = byId.get(id);
			return entry === undefined ? [] : [{ ...this.#standingOf(entry, digests), ticks }];
		});
		this.#ticks.clear();
		const marks = this.#eventMarks.marks;
		this.#eventMarks.clear();
		if (digests) this.#undigested.clear();
		this.#changes.take();
		const playing = playingOf(worlds);
		const halts = worlds.all().flatMap((entry) => {
			const why = currentHalt(entry);
			return why === undefined ? [] : [{ id: entry.id, ...why }];
		});
		const head: BetweenHead = {
			kind: 'between',
			at: clock(),
			worlds: worldHeads,
			happened: marks,
			...(newHashes.length === 0 ? {} : { assets: newHashes }),
			...(playing.length === 0 ? {} : { playing }),
			...(halts.length === 0 ? {} : { halted: halts }),
		};
		const blobs = new Map(newHashes.map((hash) => [hash, assets.find(hash)!.bytes]));
		// No call waits for this entry. The next call reports a failure.
		this.#send({ head, body: EMPTY_BODY, answer: EMPTY_BODY }, blobs, () => {}).stored.catch(() => {});
	}

	/** Writes the entry of an applied call. Resolves to undefined if the call changed nothing. */
	async writeCall(applied: AppliedCall): Promise<WrittenEntry | undefined> {
		const { change, result, recording, key } = applied;
		const { worlds, removedIds, isAny } = this.#changes.take();
		const { route } = change;
		if (result.isRefused && route.stepwise !== true && route.overtakes !== true) return undefined;
		if (!isAny && !recording.hasWritten && !(key !== undefined && result.ok)) return undefined;
		// A replay of the call adds its assets again, so the entry need not name them.
		this.#newAssets();
		const worldHeads = worlds.map((entry) => this.#standingOf(entry, key !== undefined));
		const hasMarks = hasEventMarks(applied.request);
		if (hasMarks) for (const entry of worlds) applied.running.eventMarks.markTick(entry);
		return this.#write(applied, {
			worlds: worldHeads,
			...(hasMarks ? { happened: applied.running.eventMarks.marks } : {}),
			...(removedIds.length === 0 ? {} : { gone: [...removedIds] }),
		});
	}

	/** Writes the entry of a call that ran during another call. */
	writeOvertaking(applied: AppliedCall): Promise<WrittenEntry | undefined> {
		return this.#write(applied, { worlds: [], overtook: true });
	}

	async #write(
		{
			request,
			door,
			principal,
			key,
			change,
			running,
			beginTime,
			result,
			recording,
			roomChecks,
			onStored,
		}: AppliedCall,
		extra: Pick<CallHead, 'worlds' | 'happened' | 'gone' | 'overtook'>,
	): Promise<WrittenEntry> {
		const { method, path, query, body } = request;
		const { response } = result;
		const transportKey = request.headers[CALL_HEADER];
		const playing = playingOf(this.#services.worlds);
		const blobs = new Map(recording.blobs);
		const bodyHash = body.length > MAX_INLINE_BYTES ? await sha256(body) : undefined;
		if (bodyHash !== undefined) blobs.set(bodyHash, body);
		const head: CallHead = {
			kind: 'call',
			at: this.#services.clock(),
			door,
			sender: senderOf(principal),
			method,
			path,
			query,
			headers: Object.fromEntries(
				STORED_HEADERS.flatMap((name) =>
					request.headers[name] === undefined ? [] : [[name, request.headers[name]]],
				),
			),
			...(bodyHash === undefined ? { length: body.length } : { body: bodyHash, length: 0 }),
			world: change.world,
			...extra,
			status: response.status,
			...(playing.length === 0 ? {} : { playing }),
			...(key === undefined
				? {}
				: { key, answer: { ...response.headers }, place: placeOf(this.#services.worlds, change.world) }),
			...(door === 'relay' && transportKey !== undefined ? { call: transportKey } : {}),
			...(recording.facts.length === 0 ? {} : { told: recording.facts }),
			...(running.endEdge === null ? {} : { stop: running.endEdge }),
			...(roomChecks.failed.length === 0 ? {} : { full: roomChecks.failed }),
		};
		const entry = this.next;
		const { stored, bytes } = this.#send(
			{
				head,
				body: bodyHash === undefined ? body : EMPTY_BODY,
				answer: key === undefined ? EMPTY_BODY : response.body,
			},
			blobs,
			() => onStored(entry),
		);
		if (extra.overtook !== true) this.#states.add({ work: this.#services.now() - beginTime });
		this.#states.storeIfDue(this.next, () => stored);
		return { entry, head, bytes, stored };
	}

	/** Returns the tick and the digest of a world. Without `isRequired`, a later entry may have the digest. */
	#standingOf({ id, world }: WorldEntry, isRequired: boolean): WorldStateHead {
		const name = id === MAIN ? worldName(world) : '';
		const standing = { id, ...(name === '' ? {} : { name }), tick: world.tick };
		const isKnown = world.digest?.version === world.version;
		const count = (this.#undigested.get(id) ?? 0) + 1;
		const isDue = count >= DIGEST_INTERVAL + world.entities.used / ENTITIES_PER_ENTRY;
		if (!isKnown && !isDue && !isRequired) {
			this.#undigested.set(id, count);
			this.#flushSoon();
			return standing;
		}
		this.#undigested.delete(id);
		return { ...standing, digest: digest(world) };
	}

	/** Returns the hashes of assets that the journal does not name yet, and marks them as known. */
	#newAssets(): string[] {
		const { assets } = this.#services;
		if (assets.changes === this.#assetChanges) return [];
		this.#assetChanges = assets.changes;
		const all = assets.list().map(({ hash }) => hash);
		const newHashes = all.filter((hash) => !this.#knownAssets.has(hash));
		this.#knownAssets.clear();
		for (const hash of all) this.#knownAssets.add(hash);
		return newHashes;
	}

	/** Sends an entry to the outbox. Calls `onStored` when the journal has stored it; the promise rejects if that fails. */
	#send(
		entry: ReadEntry,
		blobs: ReadonlyMap<string, Uint8Array>,
		onStored: () => void,
	): Pick<WrittenEntry, 'bytes' | 'stored'> {
		const encoded = encodeEntry(entry);
		const blobBytes = [...blobs.values()].reduce((sum, { length }) => sum + length, 0);
		// Blobs count, too, because they fill the journal. A state permits the removal of older data.
		const bytes = encoded.bytes.length + blobBytes;
		this.#states.add({ entries: 1, bytes });
		return { bytes, stored: this.#outbox.send(encoded, blobs, onStored) };
	}

	/** Retries the waiting entries now, because the journal may work again. Calls wait for the result. */
	retry(): void {
		this.#outbox.retry();
	}

	/** Stores a state if one is due. The next start then skips older entries. */
	storeStateIfDue(): void {
		this.#states.storeIfDue(this.next, () => this.#outbox.whenStored());
	}

	/** Stores a state now. */
	storeState(): Promise<void> {
		return this.#states.store(this.next, Promise.resolve());
	}

	/** Resolves when the journal has stored all entries, or has failed. */
	async whenSettled(): Promise<void> {
		await this.#outbox.whenSettled();
	}

	/**
	 * Resolves when the journal has stored everything. Rejects with the reason if it currently cannot. `isQuiet`: no call runs,
	 * except one that waits for this.
	 */
	async whenStored(isQuiet: boolean): Promise<void> {
		if (isQuiet || !this.#services.isBusy()) this.writePending(true);
		await this.#states.whenIdle();
		await this.#outbox.whenSettled();
		if (this.trouble !== null) throw new JournalError('failed', this.trouble.message);
	}

	/**
	 * Writes a state and releases the lease. No call may be applied afterwards. Rejects, and keeps the lease, if the journal
	 * cannot store all entries.
	 */
	async release(): Promise<void> {
		const { journal, epoch } = this.#services;
		await this.whenStored(true);
		// Without this state, the next owner only reads more entries.
		if (this.#states.entries > 0) await this.storeState().catch(() => {});
		await journal.release(epoch);
		this.#outbox.release();
	}

	/** Writes pending entries, and closes the journal. */
	close(): Promise<void> {
		this.#closing ??= this.#close();
		return this.#closing;
	}

	async #close(): Promise<void> {
		this.writePending(true);
		clearTimeout(this.#flushTimer);
		this.#outbox.close();
		await this.#states.whenIdle();
		await this.#outbox.whenSettled();
		await this.#services.journal.close();
	}
}

function senderOf({ name, kind, may, agent, said, unsigned }: Principal): CallHead['sender'] {
	return {
		name,
		kind,
		may: [...may],
		...(agent === undefined ? {} : { agent: { ...agent, limits: { ...agent.limits } } }),
		...(said === undefined ? {} : { said }),
		...(unsigned === undefined ? {} : { unsigned }),
	};
}
