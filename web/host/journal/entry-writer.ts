/**
 * Writes applied calls to the journal before their answers.
 * Owns: the content of each entry, and the times at which ticks of play are written. The outbox appends entries, and the state keeper stores states.
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
import { haltNow, MAIN, type WorldEntry, type Worlds } from '../../store/worlds.ts';
import type { CallChange, CallResult } from '../dispatch.ts';
import { placeOf, playingOf, WorldChanges } from './changes.ts';
import { isMarked } from './happened-index.ts';
import { Outbox, type OutboxOptions } from './outbox.ts';
import type { Recording, RoomsAsked } from './recording.ts';
import { type StateEvery, StateKeeper, type StateKeeperOptions } from './state-keeper.ts';

/** Ticks of play are written down so often (ms), and before the next call; digests that entries lack come as long after them. */
const FLUSH_MS = 1000;
/** Bodies that are longer are kept as blobs. */
const MAX_INLINE = 16 * 1024;
/** If no call asked for the digest, one entry in this many has it, and fewer in large worlds. That spreads its cost. */
const DIGEST_EVERY = 32;
const ENTITIES_PER_ENTRY = 16;
/** Headers of a request that say how it is done. */
const HEADERS = ['content-type', 'content-encoding', 'accept'];

export interface EntryWriterServices extends OutboxOptions, StateKeeperOptions {
	readonly worlds: Worlds;
	readonly assets: Assets;
	/** Returns true while a call is being worked on, so that worlds may be in any state. */
	readonly isBusy: () => boolean;
}

/** A call that was applied. */
export interface AppliedCall {
	readonly request: WireRequest;
	readonly door: Transport;
	readonly principal: Principal;
	readonly key: string | undefined;
	readonly change: Pick<CallChange, 'route' | 'world'>;
	readonly running: RunningCall;
	/** Result of `begin`. */
	readonly began: number;
	readonly done: CallResult;
	readonly recording: Recording;
	readonly rooms: RoomsAsked;
	/** Called when the journal has it, however long that takes, and before a state that contains it is packed. */
	readonly had: (entry: number) => void;
}

/** Place of a written entry. */
export interface WrittenEntry {
	readonly entry: number;
	readonly head: CallHead;
	/** With its blobs. */
	readonly bytes: number;
	/** Rejects with `not_kept` when the journal fails before it has it. */
	readonly kept: Promise<void>;
}

export class EntryWriter {
	readonly #services: EntryWriterServices;
	readonly #changes: WorldChanges;
	readonly #outbox: Outbox;
	readonly #states: StateKeeper;
	/** Deaths and similar ones on ticks of play that no entry has yet. */
	readonly #happened = new EventMarks();
	/** Ticks of play by world that no entry has yet. */
	readonly #ticks = new Map<string, number>();
	#flush: ReturnType<typeof setTimeout> | undefined;
	/** Assets that the journal knows of, by an entry or a state. */
	readonly #assets = new Set<string>();
	#assetChanges = -1;
	/** Entries of each world since one had its digest. */
	readonly #undigested = new Map<string, number>();
	#closing: Promise<void> | null = null;

	/** `next`: the number that the next entry gets. Everything as it is now is what the journal says. `read`: what came since its last state. */
	constructor(next: number, services: EntryWriterServices, read: Partial<StateEvery> = {}) {
		this.#services = services;
		this.#outbox = new Outbox(next, services);
		this.#states = new StateKeeper(services, read);
		this.#changes = new WorldChanges(services.worlds, services.assets);
		this.#newAssets();
	}

	/** Reason that currently nothing can be kept; null if it can. */
	get trouble(): JournalTrouble | null {
		return this.#outbox.trouble;
	}

	/** The number that the entry after those that were applied gets. */
	get next(): number {
		return this.#outbox.next;
	}

	/** Before a call is applied; resolves to when that is, on the clock of `now`. Rejects with `not_kept` when it could not be kept. `again`: it was applied before, and is among what the journal does not have. */
	async begin(isRetry = false): Promise<number> {
		await this.#outbox.ready(isRetry);
		this.flush();
		// Uploads alone fill a journal, and have no entries of their own.
		this.keepStateWhenDue();
		return this.#services.now();
	}

	/** A tick of play was made, in so many milliseconds. */
	ticked({ id, world }: WorldEntry, ms: number): void {
		this.#ticks.set(id, (this.#ticks.get(id) ?? 0) + 1);
		this.#happened.note({ id, world });
		this.#states.count({ ticks: 1, work: ms });
		this.#flushSoon();
	}

	#flushSoon(): void {
		this.#flush ??= setTimeout(() => {
			this.#flush = undefined;
			if (this.#services.isBusy()) this.#flushSoon();
			else {
				this.flush(true);
				this.keepStateWhenDue();
			}
		}, FLUSH_MS);
	}

	/** Writes down what happened by itself, and with `digests` those that entries lack. */
	flush(digests = false): void {
		const { worlds, assets, clock } = this.#services;
		const came = this.#newAssets();
		if (digests) for (const id of this.#undigested.keys()) this.#ticks.set(id, this.#ticks.get(id) ?? 0);
		if (this.#ticks.size === 0 && came.length === 0) return;
		clearTimeout(this.#flush);
		this.#flush = undefined;
		const byId = new Map(worlds.all().map((entry) => [entry.id, entry]));
		const played = [...this.#ticks].flatMap(([id, ticks]) => {
			const entry = byId.get(id);
			return entry === undefined ? [] : [{ ...this.#headOf(entry, digests), ticks }];
		});
		this.#ticks.clear();
		const happened = this.#happened.marks;
		this.#happened.clear();
		if (digests) this.#undigested.clear();
		this.#changes.take();
		const playing = playingOf(worlds);
		const halted = worlds.all().flatMap((entry) => {
			const why = haltNow(entry);
			return why === undefined ? [] : [{ id: entry.id, ...why }];
		});
		const head: BetweenHead = {
			kind: 'between',
			at: clock(),
			worlds: played,
			happened,
			...(came.length === 0 ? {} : { assets: came }),
			...(playing.length === 0 ? {} : { playing }),
			...(halted.length === 0 ? {} : { halted }),
		};
		const blobs = new Map(came.map((hash) => [hash, assets.find(hash)!.bytes]));
		// No call waits for these; a failure shows in the next call.
		this.#send({ head, body: EMPTY_BODY, answer: EMPTY_BODY }, blobs, () => {}).kept.catch(() => {});
	}

	/** Writes down a call that was applied; undefined if it has changed nothing. Its turn lasts until then. */
	async end(applied: AppliedCall): Promise<WrittenEntry | undefined> {
		const { change, done, recording, key } = applied;
		const { worlds, gone, any } = this.#changes.take();
		const { route } = change;
		if (done.threw && route.stepwise !== true && route.overtakes !== true) return undefined;
		if (!any && !recording.wrote && !(key !== undefined && done.ok)) return undefined;
		// What the call itself brought, replaying it brings again.
		this.#newAssets();
		const worldHeads = worlds.map((entry) => this.#headOf(entry, key !== undefined));
		const marked = isMarked(applied.request);
		if (marked) for (const entry of worlds) applied.running.happened.note(entry);
		return this.#write(applied, {
			worlds: worldHeads,
			...(marked ? { happened: applied.running.happened.marks } : {}),
			...(gone.length === 0 ? {} : { gone: [...gone] }),
		});
	}

	/** Writes down a call that was done while another is at work. */
	overtook(applied: AppliedCall): Promise<WrittenEntry | undefined> {
		return this.#write(applied, { worlds: [], overtook: true });
	}

	async #write(
		{ request, door, principal, key, change, running, began, done, recording, rooms, had }: AppliedCall,
		more: Pick<CallHead, 'worlds' | 'happened' | 'gone' | 'overtook'>,
	): Promise<WrittenEntry> {
		const { method, path, query, body } = request;
		const { response } = done;
		const call = request.headers[CALL_HEADER];
		const playing = playingOf(this.#services.worlds);
		const blobs = new Map(recording.blobs);
		const long = body.length > MAX_INLINE ? await sha256(body) : undefined;
		if (long !== undefined) blobs.set(long, body);
		const head: CallHead = {
			kind: 'call',
			at: this.#services.clock(),
			door,
			sender: senderOf(principal),
			method,
			path,
			query,
			headers: Object.fromEntries(
				HEADERS.flatMap((name) =>
					request.headers[name] === undefined ? [] : [[name, request.headers[name]]],
				),
			),
			...(long === undefined ? { length: body.length } : { body: long, length: 0 }),
			world: change.world,
			...more,
			status: response.status,
			...(playing.length === 0 ? {} : { playing }),
			...(key === undefined
				? {}
				: { key, answer: { ...response.headers }, place: placeOf(this.#services.worlds, change.world) }),
			...(door === 'relay' && call !== undefined ? { call } : {}),
			...(recording.told.length === 0 ? {} : { told: recording.told }),
			...(running.ended === null ? {} : { stop: running.ended }),
			...(rooms.full.length === 0 ? {} : { full: rooms.full }),
		};
		const entry = this.next;
		const { kept, bytes } = this.#send(
			{
				head,
				body: long === undefined ? body : EMPTY_BODY,
				answer: key === undefined ? EMPTY_BODY : response.body,
			},
			blobs,
			() => had(entry),
		);
		if (more.overtook !== true) this.#states.count({ work: this.#services.now() - began });
		this.#states.keepInTime(this.next, () => kept);
		return { entry, head, bytes, kept };
	}

	/**
	 * Returns the state of a world. Its digest may come with a later entry.
	 */
	#headOf({ id, world }: WorldEntry, always: boolean): WorldStateHead {
		const name = id === MAIN ? worldName(world) : '';
		const place = { id, ...(name === '' ? {} : { name }), tick: world.tick };
		const isKnown = world.digest?.version === world.version;
		const entries = (this.#undigested.get(id) ?? 0) + 1;
		const due = entries >= DIGEST_EVERY + world.entities.used / ENTITIES_PER_ENTRY;
		if (!isKnown && !due && !always) {
			this.#undigested.set(id, entries);
			this.#flushSoon();
			return place;
		}
		this.#undigested.delete(id);
		return { ...place, digest: digest(world) };
	}

	/** Assets that the journal does not know of, which it knows from now on. */
	#newAssets(): string[] {
		const { assets } = this.#services;
		if (assets.changes === this.#assetChanges) return [];
		this.#assetChanges = assets.changes;
		const all = assets.list().map(({ hash }) => hash);
		const came = all.filter((hash) => !this.#assets.has(hash));
		this.#assets.clear();
		for (const hash of all) this.#assets.add(hash);
		return came;
	}

	/** `had` is called when the journal has it; the promise rejects when that fails before. */
	#send(
		entry: ReadEntry,
		blobs: ReadonlyMap<string, Uint8Array>,
		onStored: () => void,
	): Pick<WrittenEntry, 'bytes' | 'kept'> {
		const encoded = encodeEntry(entry);
		const long = [...blobs.values()].reduce((sum, { length }) => sum + length, 0);
		// A state lets the journal cut what is older: what fills it has to count, wherever it is stored.
		const bytes = encoded.bytes.length + long;
		this.#states.count({ entries: 1, bytes });
		return { bytes, kept: this.#outbox.send(encoded, blobs, onStored) };
	}

	/** The journal may work again: what waits is appended now, and calls wait for that. */
	tryAgain(): void {
		this.#outbox.tryAgain();
	}

	/** Keeps everything as it is now where that is due: what took long to read need not be read again. */
	keepStateWhenDue(): void {
		this.#states.keepInTime(this.next, () => this.#outbox.stored());
	}

	/** Keeps everything as it is now, for the start of what is to come. */
	keepState(): Promise<void> {
		return this.#states.keep(this.next, Promise.resolve());
	}

	/** Resolves when the journal has all that was applied, or has failed. */
	async settled(): Promise<void> {
		await this.#outbox.settled();
	}

	/**
	 * Resolves when the journal has everything. Rejects with the reason if it currently cannot. `still`: no
	 * call is being worked on but one that waits for this.
	 */
	async rest(still: boolean): Promise<void> {
		if (still || !this.#services.isBusy()) this.flush(true);
		await this.#states.idle();
		await this.#outbox.settled();
		if (this.trouble !== null) throw new JournalError('failed', this.trouble.message);
	}

	/**
	 * Writes a state and releases the lease. Nothing may be applied afterwards. Rejects, and still has the lease, when the journal
	 * cannot have what was applied.
	 */
	async release(): Promise<void> {
		const { journal, epoch } = this.#services;
		await this.rest(true);
		// Without it the next owner reads more entries.
		if (this.#states.entries > 0) await this.keepState().catch(() => {});
		await journal.release(epoch);
		this.#outbox.release();
	}

	/** Writes down what is left and ends. */
	close(): Promise<void> {
		this.#closing ??= this.#close();
		return this.#closing;
	}

	async #close(): Promise<void> {
		this.flush(true);
		clearTimeout(this.#flush);
		this.#outbox.close();
		await this.#states.idle();
		await this.#outbox.settled();
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
