/**
 * Facts from outside the worlds: recorded while a call runs, and returned again while its entry is replayed.
 * Owns: the conversion of each kind of fact in both directions. Equal requests get their facts in the recorded order.
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
	ReplayRequest,
	UndoRequest,
	UndoResult,
} from '../../api/host-journal.ts';
import type { CaptureRequest } from '../../frames/frames.ts';
import type { HostFiles } from '../../store/files.ts';
import { beforeWrite } from '../../store/files.ts';
import type { RoomChecks } from '../../store/memory.ts';
import { sha256 } from '../../store/sha256.ts';
import type { WorldEntry } from '../../store/worlds.ts';
import type { OutsideFacts } from '../outside-facts.ts';

type ToldKind = OutsideFactHead['what'];

/** Begins the name of the fact of an undone or redone write. The id of the world follows. */
export const UNDO_FACT = 'undo';

const pictureName = ({ id, world }: WorldEntry, { channel, width, height, hud }: CaptureRequest): string =>
	`${id} ${world.tick} ${channel} ${width}x${height} ${hud !== false}`;

/** Returns the name of a check for a drawing view. `count`: number of earlier checks of the call. */
const drawingName = (count: number): string => `drawing ${count}`;

const momentName = (sought: PastMoment): string =>
	`${sought.world} ${'tick' in sought ? `tick ${sought.tick}` : `entry ${sought.entry}`}`;

const replayName = (request: ReplayRequest): string => `replay ${JSON.stringify(request)}`;

const undoName = ({ world }: UndoRequest): string => `${UNDO_FACT} ${world}`;

/** Passes requests to the source of the facts, and records the results. */
export class RecordingFacts implements OutsideFacts {
	readonly facts: OutsideFactHead[] = [];
	/** Received bytes by their SHA-256. */
	readonly blobs = new Map<string, Uint8Array>();
	/** True if a file was written. */
	hasWritten = false;
	readonly files: HostFiles;
	readonly relayServices: OutsideFacts['relayServices'];
	readonly #source: OutsideFacts;
	#drawingCount = 0;

	constructor(source: OutsideFacts) {
		this.#source = source;
		const { files, relayServices } = source;
		this.files = {
			get storage() {
				return files.storage;
			},
			most: files.most,
			// The list is not recorded. Only the fix of a refusal depends on it, and refused calls are not stored.
			list: async () => (await files.list?.()) ?? [],
			read: (path) => this.#bytes('read', path, files.read(path)) as Promise<Uint8Array>,
			before: (path) =>
				this.#note('before', path, beforeWrite(files, path), (bytes) =>
					bytes === null ? {} : { length: bytes.length },
				),
			write: (path, bytes, agent) => {
				this.hasWritten = true;
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
		return this.#bytes('public', path, this.#source.readPublic(path));
	}

	/** Records only a refusal. Without one, a replay assumes that a view draws. */
	async requireDrawing(): Promise<void> {
		const of = drawingName(this.#drawingCount++);
		try {
			await this.#source.requireDrawing();
		} catch (error) {
			this.#noteRefusal('capture', of, error);
			throw error;
		}
	}

	capture(entry: WorldEntry, request: CaptureRequest): Promise<EncodedPicture> {
		return this.#note(
			'capture',
			pictureName(entry, request),
			this.#source.capture(entry, request),
			(picture) => ({
				said: picture.digest,
			}),
		);
	}

	pastWorld(sought: PastMoment): Promise<PastWorld> {
		return this.#note(
			'moment',
			momentName(sought),
			this.#source.pastWorld(sought),
			async ({ bytes, entry }) => {
				const hash = await sha256(bytes);
				this.blobs.set(hash, bytes);
				return { hash, said: entry };
			},
		);
	}

	worldAfterUndo(request: UndoRequest): Promise<UndoResult> {
		return this.#note(
			'moment',
			undoName(request),
			this.#source.worldAfterUndo(request),
			async ({ bytes, ...said }) => {
				const hash = await sha256(bytes);
				this.blobs.set(hash, bytes);
				return { hash, said: { ...said, redo: request.redo } };
			},
		);
	}

	replayedRange(request: ReplayRequest): Promise<ReplayedCalls> {
		return this.#note(
			'moment',
			replayName(request),
			this.#source.replayedRange(request),
			async ({ bytes, ...rest }) => {
				const details = JSON.parse(JSON.stringify(rest)) as OutsideFactHead['said'];
				if (bytes === null) return { said: details };
				const hash = await sha256(bytes);
				this.blobs.set(hash, bytes);
				return { hash, said: details };
			},
		);
	}

	#bytes(what: ToldKind, of: string, work: Promise<Uint8Array | null>): Promise<Uint8Array | null> {
		return this.#note(what, of, work, async (bytes) => {
			if (bytes === null) return {};
			const hash = await sha256(bytes);
			this.blobs.set(hash, bytes);
			return { hash };
		});
	}

	/** Records the value of some work, or its refusal. */
	async #note<T>(
		what: ToldKind,
		of: string,
		work: Promise<T>,
		describe: (value: T) => Partial<OutsideFactHead> | Promise<Partial<OutsideFactHead>>,
	): Promise<T> {
		try {
			const value = await work;
			this.facts.push({ what, of, ...(await describe(value)) });
			return value;
		} catch (error) {
			this.#noteRefusal(what, of, error);
			throw error;
		}
	}

	#noteRefusal(what: ToldKind, of: string, error: unknown): void {
		if (error instanceof ApiError) this.facts.push({ what, of, refused: { ...refusedOf(error) } });
	}
}

/** Returns recorded facts. Writes no file, sends no request, and takes no picture. */
export class ReplayedFacts implements OutsideFacts {
	readonly files: HostFiles;
	readonly relayServices: OutsideFacts['relayServices'];
	readonly #facts = new Map<string, OutsideFactHead[]>();
	readonly #blob: (hash: string) => Promise<Uint8Array | null>;
	#drawingCount = 0;

	/** `most`: maximum size of a file in bytes. */
	constructor(
		facts: readonly OutsideFactHead[],
		blob: (hash: string) => Promise<Uint8Array | null>,
		most: number,
	) {
		this.#blob = blob;
		for (const item of facts) {
			const key = `${item.what} ${item.of}`;
			const others = this.#facts.get(key);
			if (others === undefined) this.#facts.set(key, [item]);
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
		const of = drawingName(this.#drawingCount++);
		if (this.#facts.has(`capture ${of}`)) this.#next('capture', of);
	}

	async capture(entry: WorldEntry, request: CaptureRequest): Promise<EncodedPicture> {
		const { said } = this.#next('capture', pictureName(entry, request));
		return { bytes: EMPTY_BODY, tick: entry.world.tick, digest: String(said) };
	}

	async pastWorld(sought: PastMoment): Promise<PastWorld> {
		const of = momentName(sought);
		const { hash, said } = this.#next('moment', of);
		return { bytes: (await this.#readBlob(hash, of))!, entry: Number(said) };
	}

	async worldAfterUndo(request: UndoRequest): Promise<UndoResult> {
		const of = undoName(request);
		const { hash, said } = this.#next('moment', of);
		return { ...(said as unknown as Omit<UndoResult, 'bytes'>), bytes: (await this.#readBlob(hash, of))! };
	}

	async replayedRange(request: ReplayRequest): Promise<ReplayedCalls> {
		const of = replayName(request);
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

	/** Returns the next fact of a name. Throws the refusal if it was refused. */
	#next(what: ToldKind, of: string): OutsideFactHead {
		const fact = this.#facts.get(`${what} ${of}`)?.shift();
		if (fact === undefined)
			throw new JournalError(
				'failed',
				`The call requests "${what} ${of}", which it did not request when it was recorded.`,
			);
		if (fact.refused === undefined) return fact;
		const { code, message, ...rest } = fact.refused;
		throw new ApiError(code, message, {
			fix: rest.fix,
			headers: rest.headers,
			...(rest.path === undefined ? {} : { path: rest.path }),
		});
	}
}

/** Runs memory checks and records the failed ones, because the memory of worlds differs between engines. */
export class RecordedChecks implements RoomChecks {
	/** Indices of the failed checks, counted from 0. */
	readonly failed: number[] = [];
	#count = 0;

	run(check: () => void): void {
		const index = this.#count++;
		try {
			check();
		} catch (error) {
			this.failed.push(index);
			throw error;
		}
	}
}

/** Repeats the results of recorded memory checks. */
export class ReplayedChecks implements RoomChecks {
	readonly #failed: ReadonlySet<number>;
	#askedCount = 0;

	constructor(failed: readonly number[]) {
		this.#failed = new Set(failed);
	}

	run(): void {
		if (this.#failed.has(this.#askedCount++))
			throw new ApiError('out_of_room', 'The recorded call was refused because memory was full.');
	}
}
