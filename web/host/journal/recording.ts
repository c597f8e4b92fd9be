/**
 * Facts that a call learns from outside, kept for its entry, and given again when that is applied again.
 * Owns: the way of each thing there and back. In what order they were asked for does not matter, only how often each was.
 */

import { ApiError } from '../../../shared/contract/errors.ts';
import { EMPTY_BODY } from '../../../shared/contract/wire.ts';
import {
	type RelayServiceCalls,
	type RelayServiceName,
	refusedOf,
} from '../../../shared/transport/errand.ts';
import { JournalError } from '../../../shared/transport/journal.ts';
import type { OutsideFactHead } from '../../../shared/transport/journal-entry.ts';
import type { EncodedPicture } from '../../api/context.ts';
import type {
	PastMoment,
	PastWorld,
	ReplayedCalls,
	ReplayTurn,
	UndoResult,
	UndoTurn,
} from '../../api/host-journal.ts';
import type { CaptureRequest } from '../../frames/frames.ts';
import type { HostFiles } from '../../store/files.ts';
import { beforeWrite } from '../../store/files.ts';
import type { RoomChecks } from '../../store/memory.ts';
import { sha256 } from '../../store/sha256.ts';
import type { WorldEntry } from '../../store/worlds.ts';
import type { OutsideFacts } from '../outside-facts.ts';

type ToldKind = OutsideFactHead['what'];

/** Prefix of the world if a write was undone or redone. */
export const UNDO = 'undo';

const pictureName = ({ id, world }: WorldEntry, { channel, width, height, hud }: CaptureRequest): string =>
	`${id} ${world.tick} ${channel} ${width}x${height} ${hud !== false}`;

/** Returns the time, from 0 on, that a call asked whether anything draws. */
const drawingName = (time: number): string => `drawing ${time}`;

const momentName = (sought: PastMoment): string =>
	`${sought.world} ${'tick' in sought ? `tick ${sought.tick}` : `entry ${sought.entry}`}`;

const replayName = (turn: ReplayTurn): string => `replay ${JSON.stringify(turn)}`;

const undoName = ({ world }: UndoTurn): string => `${UNDO} ${world}`;

/** The outside, with a note of all that it reports. */
export class Recording implements OutsideFacts {
	readonly told: OutsideFactHead[] = [];
	/** Bytes that came, by their SHA-256. */
	readonly blobs = new Map<string, Uint8Array>();
	/** True if a file was written. */
	wrote = false;
	readonly files: HostFiles;
	readonly relayServices: OutsideFacts['relayServices'];
	readonly #live: OutsideFacts;
	#askedToDraw = 0;

	constructor(live: OutsideFacts) {
		this.#live = live;
		const { files, relayServices } = live;
		this.files = {
			get storage() {
				return files.storage;
			},
			most: files.most,
			// Not noted: only the advice of a refusal depends on it, and refused calls are not stored.
			list: async () => (await files.list?.()) ?? [],
			read: (path) => this.#bytes('read', path, files.read(path)) as Promise<Uint8Array>,
			before: (path) =>
				this.#note('before', path, beforeWrite(files, path), (bytes) =>
					bytes === null ? {} : { length: bytes.length },
				),
			write: (path, bytes, agent) => {
				this.wrote = true;
				return this.#note('write', path, files.write(path, bytes, agent), () => ({}));
			},
		};
		this.relayServices = {
			ask: <E extends RelayServiceName>(errand: E, sent: RelayServiceCalls[E][0]) =>
				this.#note('ask', errand, relayServices.ask(errand, sent), (answer) => ({
					said: answer as OutsideFactHead['said'],
				})),
		};
	}

	readPublic(path: string): Promise<Uint8Array | null> {
		return this.#bytes('public', path, this.#live.readPublic(path));
	}

	/** Noted only where nothing draws, as it goes without saying where pictures are taken. */
	async requireDrawing(): Promise<void> {
		const of = drawingName(this.#askedToDraw++);
		try {
			await this.#live.requireDrawing();
		} catch (error) {
			this.#refused('capture', of, error);
			throw error;
		}
	}

	capture(entry: WorldEntry, request: CaptureRequest): Promise<EncodedPicture> {
		return this.#note(
			'capture',
			pictureName(entry, request),
			this.#live.capture(entry, request),
			(picture) => ({
				said: picture.digest,
			}),
		);
	}

	moment(sought: PastMoment): Promise<PastWorld> {
		return this.#note('moment', momentName(sought), this.#live.moment(sought), async ({ bytes, entry }) => {
			const hash = await sha256(bytes);
			this.blobs.set(hash, bytes);
			return { hash, said: entry };
		});
	}

	undone(turn: UndoTurn): Promise<UndoResult> {
		return this.#note('moment', undoName(turn), this.#live.undone(turn), async ({ bytes, ...said }) => {
			const hash = await sha256(bytes);
			this.blobs.set(hash, bytes);
			return { hash, said: { ...said, redo: turn.redo } };
		});
	}

	replayed(turn: ReplayTurn): Promise<ReplayedCalls> {
		return this.#note('moment', replayName(turn), this.#live.replayed(turn), async ({ bytes, ...rest }) => {
			const plain = JSON.parse(JSON.stringify(rest)) as OutsideFactHead['said'];
			if (bytes === null) return { said: plain };
			const hash = await sha256(bytes);
			this.blobs.set(hash, bytes);
			return { hash, said: plain };
		});
	}

	#bytes(what: ToldKind, of: string, work: Promise<Uint8Array | null>): Promise<Uint8Array | null> {
		return this.#note(what, of, work, async (bytes) => {
			if (bytes === null) return {};
			const hash = await sha256(bytes);
			this.blobs.set(hash, bytes);
			return { hash };
		});
	}

	/** Notes what comes, or the refusal. */
	async #note<T>(
		what: ToldKind,
		of: string,
		work: Promise<T>,
		about: (value: T) => Partial<OutsideFactHead> | Promise<Partial<OutsideFactHead>>,
	): Promise<T> {
		try {
			const value = await work;
			this.told.push({ what, of, ...(await about(value)) });
			return value;
		} catch (error) {
			this.#refused(what, of, error);
			throw error;
		}
	}

	#refused(what: ToldKind, of: string, error: unknown): void {
		if (error instanceof ApiError) this.told.push({ what, of, refused: { ...refusedOf(error) } });
	}
}

/** Recorded facts, given again. Nothing is written, asked or drawn. */
export class Retelling implements OutsideFacts {
	readonly files: HostFiles;
	readonly relayServices: OutsideFacts['relayServices'];
	readonly #toldHeads = new Map<string, OutsideFactHead[]>();
	readonly #blob: (hash: string) => Promise<Uint8Array | null>;
	#askedToDraw = 0;

	/** `most`: as `HostFiles` have it. */
	constructor(
		heads: readonly OutsideFactHead[],
		blob: (hash: string) => Promise<Uint8Array | null>,
		most: number,
	) {
		this.#blob = blob;
		for (const item of heads) {
			const key = `${item.what} ${item.of}`;
			const others = this.#toldHeads.get(key);
			if (others === undefined) this.#toldHeads.set(key, [item]);
			else others.push(item);
		}
		this.files = {
			storage: 'journal',
			most,
			read: async (path) => (await this.#bytes('read', path))!,
			before: async (path) => {
				const { length } = this.#next('before', path);
				return length === undefined ? null : new Uint8Array(length);
			},
			write: async (path) => void this.#next('write', path),
		};
		this.relayServices = {
			ask: async <E extends RelayServiceName>(errand: E) =>
				this.#next('ask', errand).said as RelayServiceCalls[E][1],
		};
	}

	readPublic(path: string): Promise<Uint8Array | null> {
		return this.#bytes('public', path);
	}

	async requireDrawing(): Promise<void> {
		const of = drawingName(this.#askedToDraw++);
		if (this.#toldHeads.has(`capture ${of}`)) this.#next('capture', of);
	}

	async capture(entry: WorldEntry, request: CaptureRequest): Promise<EncodedPicture> {
		const { said } = this.#next('capture', pictureName(entry, request));
		return { bytes: EMPTY_BODY, tick: entry.world.tick, digest: String(said) };
	}

	async moment(sought: PastMoment): Promise<PastWorld> {
		const of = momentName(sought);
		const { hash, said } = this.#next('moment', of);
		return { bytes: (await this.#readBlob(hash, of))!, entry: Number(said) };
	}

	async undone(turn: UndoTurn): Promise<UndoResult> {
		const of = undoName(turn);
		const { hash, said } = this.#next('moment', of);
		return { ...(said as unknown as Omit<UndoResult, 'bytes'>), bytes: (await this.#readBlob(hash, of))! };
	}

	async replayed(turn: ReplayTurn): Promise<ReplayedCalls> {
		const of = replayName(turn);
		const { hash, said } = this.#next('moment', of);
		return { ...(said as unknown as Omit<ReplayedCalls, 'bytes'>), bytes: await this.#readBlob(hash, of) };
	}

	async #bytes(what: ToldKind, of: string): Promise<Uint8Array | null> {
		return this.#readBlob(this.#next(what, of).hash, of);
	}

	async #readBlob(hash: string | undefined, of: string): Promise<Uint8Array | null> {
		if (hash === undefined) return null;
		const bytes = await this.#blob(hash);
		if (bytes === null) throw new JournalError('damaged', `The bytes of "${of}" are not in the journal.`);
		return bytes;
	}

	/** Throws what was refused. */
	#next(what: ToldKind, of: string): OutsideFactHead {
		const one = this.#toldHeads.get(`${what} ${of}`)?.shift();
		if (one === undefined)
			throw new JournalError(
				'failed',
				`The call requests "${what} ${of}", which it did not request when it was recorded.`,
			);
		if (one.refused === undefined) return one;
		const { code, message, ...more } = one.refused;
		throw new ApiError(code, message, {
			fix: more.fix,
			headers: more.headers,
			...(more.path === undefined ? {} : { path: more.path }),
		});
	}
}

/** Looks at the room in memory, with a note of those that found none: what worlds take differs from one engine to another. */
export class RoomsAsked implements RoomChecks {
	/** Numbers of the looks, from 0 on. */
	readonly full: number[] = [];
	#askedCount = 0;

	ask(look: () => void): void {
		const number = this.#askedCount++;
		try {
			look();
		} catch (error) {
			this.full.push(number);
			throw error;
		}
	}
}

/** There is as much room as there was. */
export class RoomsAsBefore implements RoomChecks {
	readonly #full: ReadonlySet<number>;
	#askedCount = 0;

	constructor(full: readonly number[]) {
		this.#full = new Set(full);
	}

	ask(): void {
		if (this.#full.has(this.#askedCount++))
			throw new ApiError('out_of_room', 'The recorded call was refused because memory was full.');
	}
}
