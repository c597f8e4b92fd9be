/**
 * Writes down what is applied, before it is answered.
 * Owns: the order of the entries, what stands in them, states in between, and what happens when the journal fails: what
 * was applied is kept here and appended as soon as that works again, and until then nothing more is applied.
 */

import { ApiError } from '../../../shared/contract/errors.ts';
import { fenced, type Journal, type JournalEntry, JournalError } from '../../../shared/contract/journal.ts';
import {
	type BetweenHead,
	type CallHead,
	type Entry,
	encodeEntry,
	type StandingHead,
} from '../../../shared/contract/journal-entry.ts';
import type { Principal } from '../../../shared/contract/principal.ts';
import { CALL_HEADER, type Door, EMPTY_BODY, type WireRequest } from '../../../shared/contract/wire.ts';
import { digest } from '../../sim/core/digest.ts';
import type { Assets } from '../assets.ts';
import type { RunningCall } from '../call-list.ts';
import type { Change, Done } from '../dispatch.ts';
import { sha256 } from '../sha256.ts';
import { haltNow, type WorldEntry, type Worlds } from '../worlds.ts';
import { Changes, playingOf } from './changes.ts';
import { Happened } from './happened.ts';
import { isMarked } from './happened-index.ts';
import type { Recording, RoomsAsked } from './recording.ts';

/** How often a state is kept: after so many entries, bytes of entries, ticks of play or milliseconds of work, whichever comes first. */
export interface StateEvery {
	readonly entries: number;
	readonly bytes: number;
	readonly ticks: number;
	/** Replaying takes about as long as it took. */
	readonly work: number;
}

export const STATE_EVERY: StateEvery = { entries: 2000, bytes: 16 * 1024 * 1024, ticks: 36_000, work: 5000 };

/** What came since a state. */
type Since = { -readonly [K in keyof StateEvery]: StateEvery[K] };

const NOTHING: StateEvery = { entries: 0, bytes: 0, ticks: 0, work: 0 };

/** A state that took longer than this to save (ms) waits until it takes no more than this share of the time. */
const QUICK_SAVE_MS = 20;
const SAVE_SHARE = 0.05;

/** Ticks of play are written down so often (ms), and before the next call; digests that entries lack come as long after them. */
const FLUSH_MS = 1000;
/** A journal that failed is tried again so often (ms). */
const RETRY_MS = 1000;
/** Bodies that are longer are kept as blobs. */
const MOST_INLINE = 16 * 1024;
/** Where nobody asked for the digest, one entry in so many has it, and in so many more for so many entities: what it costs is spread over all of them. */
const DIGEST_EVERY = 32;
const ENTITIES_PER_ENTRY = 16;
/** What of a request's headers says how it is done. */
const HEADERS = ['content-type', 'content-encoding', 'accept'];

/** A whole state, ready to be kept. */
export interface KeptState {
	readonly pieces: readonly Uint8Array[];
	/** Hashes of all the blobs that it names, which the journal has. */
	readonly blobs: readonly string[];
	/** Milliseconds for which nothing else could be done while it was packed, one world at a time. */
	readonly work: number;
}

/** Everything as it was at a moment: one of the two is called, once. */
export interface HeldMoment {
	/** May take a while, and gives way to others. `known`: blobs that the journal has. */
	pack(known: ReadonlySet<string>): Promise<KeptState>;
	drop(): void;
}

export interface ScribeServices {
	readonly journal: Journal;
	/** Of the lease under which it is written. */
	readonly epoch: number;
	readonly worlds: Worlds;
	readonly assets: Assets;
	/** Milliseconds since 1970. */
	readonly clock: () => number;
	/** Milliseconds on some clock that only goes forward. */
	readonly now: () => number;
	/** Whether a call is being worked on, so that worlds may be anything. */
	readonly isBusy: () => boolean;
	/** Everything as it is now. */
	readonly state: () => HeldMoment;
	readonly every: StateEvery;
	/** Called when the journal fails, and when it works again. */
	readonly changed: () => void;
	/** Called with faults that no caller is told of. */
	readonly report: (message: string, error: unknown) => void;
}

/** A call that was applied. */
export interface Applied {
	readonly request: WireRequest;
	readonly door: Door;
	readonly principal: Principal;
	readonly key: string | undefined;
	readonly change: Pick<Change, 'route' | 'world'>;
	readonly running: RunningCall;
	/** What `begin` resolved to. */
	readonly began: number;
	readonly done: Done;
	readonly recording: Recording;
	readonly rooms: RoomsAsked;
	/** Called when the journal has it, however long that takes, and before a state that contains it is packed. */
	readonly had: (entry: number) => void;
}

/** Where an entry went. */
export interface Written {
	readonly entry: number;
	readonly head: CallHead;
	/** Rejects with `not_kept` when the journal fails before it has it. */
	readonly kept: Promise<void>;
}

/** Why nothing can be kept. */
export interface JournalTrouble {
	readonly message: string;
	/** Milliseconds since 1970. */
	readonly since: number;
	/** Another engine has the lease, so it will not work again here. */
	readonly taken: boolean;
}

interface Waiting {
	readonly entry: JournalEntry;
	readonly blobs: ReadonlyMap<string, Uint8Array>;
	readonly kept: () => void;
	readonly failed: (error: ApiError) => void;
}

export class Scribe {
	readonly #services: ScribeServices;
	readonly #changes: Changes;
	/** Entries that the journal does not have yet, in order; the first of them gets the number `#next`. */
	readonly #waiting: Waiting[] = [];
	#next: number;
	#sending: Promise<void> | null = null;
	#trouble: JournalTrouble | null = null;
	#retry: ReturnType<typeof setTimeout> | undefined;
	/** What failed is being tried again. */
	#trying: Promise<void> | null = null;
	/** Deaths and the like on ticks of play that no entry has yet. */
	readonly #happened = new Happened();
	/** Ticks of play by world that no entry has yet. */
	readonly #ticks = new Map<string, number>();
	#flush: ReturnType<typeof setTimeout> | undefined;
	/** Assets that the journal knows of, by an entry or a state. */
	readonly #assets = new Set<string>();
	#assetChanges = -1;
	/** Entries of each world since one had its digest. */
	readonly #undigested = new Map<string, number>();
	#since: Since;
	/** How long it took to save the last state, and when that was. */
	#saved = { took: 0, at: 0 };
	#stating: Promise<void> | null = null;
	/** What the newest state that was kept here names, and so the journal has. */
	#stateBlobs: ReadonlySet<string> = new Set();
	#closing: Promise<void> | null = null;

	/** `next`: the number that the next entry gets. Everything as it is now is what the journal says. `read`: what came since its last state. */
	constructor(next: number, services: ScribeServices, read: Partial<StateEvery> = {}) {
		this.#next = next;
		this.#since = { ...NOTHING, ...read };
		this.#services = services;
		this.#changes = new Changes(services.worlds, services.assets);
		this.#newAssets();
	}

	/** Why nothing can be kept at present; null when it can. */
	get trouble(): JournalTrouble | null {
		return this.#trouble;
	}

	/** The number that the entry after those that were applied gets. */
	get next(): number {
		return this.#next + this.#waiting.length;
	}

	/** Before a call is applied; resolves to when that is, on the clock of `now`. Rejects with `not_kept` when it could not be kept. `again`: it was applied before, and is among what the journal does not have. */
	async begin(again = false): Promise<number> {
		if (this.#trying !== null) await this.#trying;
		if (this.#trouble !== null) throw again ? appliedOnly(this.#trouble) : notApplied(this.#trouble);
		this.flush();
		return this.#services.now();
	}

	/** A tick of play was made, in so many milliseconds. */
	ticked({ id, world }: WorldEntry, ms: number): void {
		this.#ticks.set(id, (this.#ticks.get(id) ?? 0) + 1);
		this.#happened.note({ id, world });
		this.#since.ticks++;
		this.#since.work += ms;
		this.#flushSoon();
	}

	#flushSoon(): void {
		this.#flush ??= setTimeout(() => {
			this.#flush = undefined;
			if (this.#services.isBusy()) this.#flushSoon();
			else {
				this.flush(true);
				this.#keepStateInTime(() => this.#allKept());
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
		const played = [...this.#ticks].flatMap(([id, ticks]) => {
			const entry = worlds.all().find((one) => one.id === id);
			return entry === undefined ? [] : [{ ...this.#standing(entry, digests), ticks }];
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
		// Nobody waits for these; a failure shows in what comes next.
		this.#send({ head, body: EMPTY_BODY, answer: EMPTY_BODY }, blobs, () => {}).catch(() => {});
	}

	/** Writes down a call that was applied; undefined when it has changed nothing. Its turn lasts until then. */
	async end(applied: Applied): Promise<Written | undefined> {
		const { change, done, recording, key } = applied;
		const { worlds, gone, any } = this.#changes.take();
		const { route } = change;
		if (done.threw && route.stepwise !== true && route.overtakes !== true) return undefined;
		if (!any && !recording.wrote && !(key !== undefined && done.ok)) return undefined;
		// What the call itself brought, replaying it brings again.
		this.#newAssets();
		const standing = worlds.map((entry) => this.#standing(entry, key !== undefined));
		const marked = isMarked(applied.request);
		if (marked) for (const entry of worlds) applied.running.happened.note(entry);
		return this.#write(applied, {
			worlds: standing,
			...(marked ? { happened: applied.running.happened.marks } : {}),
			...(gone.length === 0 ? {} : { gone: [...gone] }),
		});
	}

	/** Writes down a call that was done while another is at work. */
	overtook(applied: Applied): Promise<Written | undefined> {
		return this.#write(applied, { worlds: [], overtook: true });
	}

	async #write(
		{ request, door, principal, key, change, running, began, done, recording, rooms, had }: Applied,
		more: Pick<CallHead, 'worlds' | 'happened' | 'gone' | 'overtook'>,
	): Promise<Written> {
		const { method, path, query, body } = request;
		const { response } = done;
		const call = request.headers[CALL_HEADER];
		const playing = playingOf(this.#services.worlds);
		const blobs = new Map(recording.blobs);
		const long = body.length > MOST_INLINE ? await sha256(body) : undefined;
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
			...(key === undefined ? {} : { key, answer: { ...response.headers } }),
			...(door === 'relay' && call !== undefined ? { call } : {}),
			...(recording.told.length === 0 ? {} : { told: recording.told }),
			...(running.ended === null ? {} : { stop: running.ended }),
			...(rooms.full.length === 0 ? {} : { full: rooms.full }),
		};
		const entry = this.next;
		const kept = this.#send(
			{
				head,
				body: long === undefined ? body : EMPTY_BODY,
				answer: key === undefined ? EMPTY_BODY : response.body,
			},
			blobs,
			() => had(entry),
		);
		if (more.overtook !== true) this.#since.work += this.#services.now() - began;
		this.#keepStateInTime(() => kept);
		return { entry, head, kept };
	}

	/** Where a world stands. Its digest may come with a later entry. */
	#standing({ id, world }: WorldEntry, always: boolean): StandingHead {
		const { tick } = world;
		const known = world.digest?.version === world.version;
		const entries = (this.#undigested.get(id) ?? 0) + 1;
		const due = entries >= DIGEST_EVERY + world.entities.used / ENTITIES_PER_ENTRY;
		if (!known && !due && !always) {
			this.#undigested.set(id, entries);
			this.#flushSoon();
			return { id, tick };
		}
		this.#undigested.delete(id);
		return { id, tick, digest: digest(world) };
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
	#send(entry: Entry, blobs: ReadonlyMap<string, Uint8Array>, had: () => void): Promise<void> {
		const encoded = encodeEntry(entry);
		this.#since.entries++;
		this.#since.bytes += encoded.bytes.length;
		const kept = new Promise<void>((resolve, reject) => {
			if (this.#trouble !== null) reject(appliedOnly(this.#trouble));
			this.#waiting.push({
				entry: encoded,
				blobs,
				failed: reject,
				kept() {
					had();
					resolve();
				},
			});
		});
		if (this.#trouble === null) this.#sending ??= this.#sendAll();
		return kept;
	}

	/** Appends what waits, all of it at once: what comes meanwhile is appended together after it. */
	async #sendAll(): Promise<void> {
		try {
			while (this.#waiting.length > 0) await this.#append(this.#waiting.slice());
		} catch (error) {
			this.#failed(error);
		} finally {
			this.#sending = null;
		}
	}

	async #append(batch: readonly Waiting[]): Promise<void> {
		const { journal, epoch } = this.#services;
		const blobs = new Map(batch.flatMap((waiting) => [...waiting.blobs]));
		await Promise.all([...blobs].map(([hash, bytes]) => journal.keepBlob(hash, bytes)));
		await journal.append(
			epoch,
			this.#next,
			batch.map(({ entry }) => entry),
		);
		this.#has(batch.length);
	}

	/** The journal has some more of what waits. */
	#has(count: number): void {
		this.#next += count;
		for (const { kept } of this.#waiting.splice(0, count)) kept();
	}

	#failed(error: unknown): void {
		const message = error instanceof Error ? error.message : String(error);
		const taken = error instanceof JournalError && error.fault === 'fenced';
		this.#trouble = { message, since: this.#trouble?.since ?? this.#services.clock(), taken };
		for (const { failed } of this.#waiting) failed(appliedOnly(this.#trouble));
		const why = error instanceof JournalError ? error : new JournalError('failed', message);
		this.#services.journal.lacks?.(this.#next, why);
		if (!(error instanceof JournalError)) this.#services.report('The journal failed.', error);
		this.#services.changed();
		if (!taken && this.#closing === null) this.#retry = setTimeout(() => this.tryAgain(), RETRY_MS);
	}

	/** The journal may work again: what waits is appended now, and calls wait for that. */
	tryAgain(): void {
		const { taken } = this.#trouble ?? { taken: true };
		if (taken || this.#closing !== null || this.#trying !== null) return;
		clearTimeout(this.#retry);
		this.#trying = this.#appendAgain().finally(() => {
			this.#trying = null;
		});
	}

	/** Appends what waits. The journal skips what it has already. */
	async #appendAgain(): Promise<void> {
		try {
			while (this.#waiting.length > 0) await this.#append(this.#waiting.slice());
			this.#trouble = null;
			this.#services.changed();
		} catch (error) {
			this.#failed(error);
		}
	}

	#keepStateInTime(kept: () => Promise<void>): void {
		const { every } = this.#services;
		const due = Object.entries(every).some(([what, most]) => this.#since[what as keyof StateEvery] >= most);
		if (!due) return;
		const { took, at } = this.#saved;
		if (took > QUICK_SAVE_MS && (this.#services.now() - at) * SAVE_SHARE < took) return;
		// A failure is told of where it happens.
		if (this.#stating === null) this.#keepState(kept()).catch(() => {});
	}

	/** Rejects when the journal fails before it has all that was applied until now. */
	async #allKept(): Promise<void> {
		await this.#sending;
		if (this.#trouble !== null) throw appliedOnly(this.#trouble);
	}

	/** Keeps everything as it is now where that is due: what took long to read need not be read again. */
	keepStateWhenDue(): void {
		this.#keepStateInTime(() => this.#allKept());
	}

	/** Keeps everything as it is now, for the start of what is to come. */
	async keepState(): Promise<void> {
		await this.#keepState(Promise.resolve());
	}

	/** After `before`, which the state contains. Rejects when it could not be kept, which is told as well. */
	#keepState(before: Promise<void>): Promise<void> {
		const { journal, epoch, state, now, report } = this.#services;
		const at = this.next;
		const begun = now();
		const moment = state();
		const held = now() - begun;
		this.#since = { ...NOTHING };
		const kept = (async () => {
			try {
				await before;
			} catch {
				// Its caller is told; the next state comes when it is time again.
				moment.drop();
				return;
			}
			const { pieces, blobs, work } = await moment.pack(this.#stateBlobs);
			this.#saved = { took: held + work, at: now() };
			await journal.keepState(epoch, at, pieces, blobs);
			this.#stateBlobs = new Set(blobs);
		})();
		this.#stating = kept
			.catch((error: unknown) => {
				// The next owner keeps its own.
				const isFenced = error instanceof JournalError && error.fault === 'fenced';
				if (!isFenced) report('A state could not be kept in the journal; the entries are.', error);
			})
			.finally(() => {
				this.#stating = null;
			});
		return kept;
	}

	/** When the journal has all that was applied, or has failed. */
	async settled(): Promise<void> {
		await this.#sending;
	}

	/** Resolves when the journal has everything. Rejects with the reason when it cannot have it at present. `still`: no call is being worked on but one that waits for this. */
	async rest(still: boolean): Promise<void> {
		if (still || !this.#services.isBusy()) this.flush(true);
		await this.#stating;
		await this.#sending;
		if (this.#trouble !== null) throw new JournalError('failed', this.#trouble.message);
	}

	/**
	 * Writes a state and releases the lease. Nothing may be applied afterwards. Rejects, and still has the lease, when the journal
	 * cannot have what was applied.
	 */
	async release(): Promise<void> {
		const { journal, epoch } = this.#services;
		await this.rest(true);
		// Without it the next owner reads more entries.
		if (this.#since.entries > 0) await this.keepState().catch(() => {});
		await journal.release(epoch);
		this.#trouble = { message: fenced().message, since: this.#services.clock(), taken: true };
	}

	/** Writes down what is left and ends. */
	close(): Promise<void> {
		this.#closing ??= this.#close();
		return this.#closing;
	}

	async #close(): Promise<void> {
		this.flush(true);
		clearTimeout(this.#flush);
		clearTimeout(this.#retry);
		await this.#stating;
		await this.#sending;
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

const TAKEN = 'Another engine continues the world: connect again and read it before sending anything.';
const AGAIN = 'GET /journal says when it works again.';

/** For a call that was applied, and that the journal does not have. */
function appliedOnly({ message, taken }: JournalTrouble): ApiError {
	const fix = taken ? TAKEN : `Do not send it again: it is kept as soon as the journal works. ${AGAIN}`;
	const details = { applied: true };
	return new ApiError(
		'not_kept',
		`The call was applied, but the journal does not have it: ${message} It would be lost if the engine ended now.`,
		{ fix, details },
	);
}

/** For a call that is not applied, since it could not be kept. */
function notApplied({ message, taken }: JournalTrouble): ApiError {
	const fix = taken ? TAKEN : `Free some room, or mend what the message names, and send it again. ${AGAIN}`;
	const details = { applied: false };
	return new ApiError('not_kept', `Nothing was done, for the journal could not keep it: ${message}`, {
		fix,
		details,
	});
}
