/**
 * Whole states, each in a file of its own that is there whole or not at all.
 * Owns: their names, their bytes and that these are what was written; that the newest stays where a start looks for it.
 * Never: looks into a state.
 *
 * A file: "orrery state\n", u8 version, u16 zero, u32 length of a head, the head as JSON (`at` and `blobs`), the state, and the
 * SHA-256 of all that.
 */

import { createHash } from 'node:crypto';
import { type FileHandle, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { JournalError } from '../../shared/contract/journal.ts';
import { draftFile } from '../replace-file.ts';
import { Turns } from '../turns.ts';
import { faultOf, openToRead, readPiece } from './disk.ts';
import type { FolderLock } from './folder-lock.ts';
import { damage } from './frame.ts';
import { DIGEST, type KeptState, piecesOf, standing } from './kept-state.ts';

const FILE = /^state-(\d{16})\.journal$/;
const MAGIC = Buffer.from('orrery state\n\x01\0\0', 'latin1');
const START = MAGIC.length + 4;

/** The newest, open from when it was written or found: what is in it can be had also when its name is taken away. */
interface Held {
	readonly state: KeptState;
	readonly file: FileHandle;
}

export class StateFiles {
	readonly #folder: string;
	/** Undefined where they are only read: none is held then. */
	readonly #lock: FolderLock | undefined;
	readonly #states = new Map<number, KeptState>();
	#held: Held | undefined;
	/** What stands under a name is changed by one after the other, also while a state comes in. */
	readonly #nameTurns = new Turns();
	/** What is read is not closed meanwhile. */
	readonly #readTurns = new Turns();
	#amiss = false;

	private constructor(folder: string, lock: FolderLock | undefined) {
		this.#folder = folder;
		this.#lock = lock;
	}

	/** Those that are there. Rejects with `damaged`. */
	static async open(folder: string, lock?: FolderLock): Promise<StateFiles> {
		const states = new StateFiles(folder, lock);
		const found = (await readdir(folder))
			.flatMap((file) => FILE.exec(file)?.[1] ?? [])
			.map(Number)
			.sort((a, b) => a - b);
		for (const at of found) {
			const file = await openToRead(states.#path(at));
			let holds = false;
			try {
				const state = await states.#look(at, file);
				states.#states.set(at, state);
				holds = lock !== undefined && at === found.at(-1);
				if (holds) states.#held = { state, file };
			} finally {
				if (!holds) await file.close();
			}
		}
		return states;
	}

	/** Ascending. */
	get all(): readonly number[] {
		return [...this.#states.keys()].sort((a, b) => a - b);
	}

	get bytes(): number {
		let sum = 0;
		for (const { size } of this.#states.values()) sum += size;
		return sum;
	}

	/** The newest at or before `at`. */
	newest(at = Number.POSITIVE_INFINITY): KeptState | undefined {
		const found = this.all.findLast((state) => state <= at);
		return found === undefined ? undefined : this.#states.get(found);
	}

	namedBlobs(): Set<string> {
		return new Set([...this.#states.values()].flatMap(({ blobs }) => blobs));
	}

	/** Whether the last look could not see to it that a start finds the newest. */
	get amiss(): boolean {
		return this.#amiss;
	}

	/**
	 * Sees to it that a start finds the newest: where its name leads elsewhere by now, or nowhere, a whole copy gets it. Rejects when
	 * that cannot be.
	 */
	stand(): Promise<void> {
		return this.#nameTurns.run(async () => {
			if (this.#held === undefined || this.#lock === undefined) return;
			const { state, file } = this.#held;
			try {
				const there = await standing(state, file, this.#lock);
				this.#amiss = false;
				if (there !== file) await this.#hold({ state, file: there });
			} catch (error) {
				this.#amiss = true;
				throw faultOf(error, 'The newest state is not in its place');
			}
		});
	}

	/** Holds this one from now on, and lets go of the one before. */
	async #hold(held: Held | undefined): Promise<void> {
		const before = this.#held;
		this.#held = held;
		this.#amiss = false;
		if (before !== undefined) await this.#readTurns.run(() => before.file.close());
	}

	/** Keeps a state in the place of one that was there. */
	async keep(at: number, pieces: AsyncIterable<Uint8Array>, blobs: readonly string[]): Promise<void> {
		const head = Buffer.from(JSON.stringify({ at, blobs }));
		const start = Buffer.concat([MAGIC, Buffer.alloc(4), head]);
		start.writeUInt32LE(head.length, MAGIC.length);
		let length = 0;
		async function* content() {
			const hash = createHash('sha256').update(start);
			yield start;
			for await (const piece of pieces) {
				hash.update(piece);
				length += piece.length;
				yield piece;
			}
			yield hash.digest();
		}
		const path = this.#path(at);
		const place = await draftFile(path, content(), 0o600);
		await this.#nameTurns.run(async () => {
			const file = await place();
			const from = start.length;
			const size = from + length + DIGEST;
			const state = { at, path, size, blobs: [...blobs], from, length, checked: true };
			this.#states.set(at, state);
			if (this.newest() === state) await this.#hold({ state, file });
			else await file.close();
		});
	}

	/** A piece of one that is kept. Of a file that was not looked at since the start, all is looked at first. Rejects with `damaged`. */
	read(state: KeptState, from: number, most: number): Promise<Uint8Array> {
		return this.#readTurns.run(async () => {
			if (this.#held?.state === state) return this.#read(this.#held.file, state, from, most);
			const file = await openToRead(state.path);
			try {
				return await this.#read(file, state, from, most);
			} finally {
				await file.close();
			}
		});
	}

	async #read(file: FileHandle, state: KeptState, from: number, most: number): Promise<Uint8Array> {
		if (!state.checked) {
			const pieces = piecesOf(state, file);
			while ((await pieces.next()).done !== true);
			state.checked = true;
		}
		const length = Math.max(0, Math.min(most, state.length - from));
		const bytes = await readPiece(file, state.from + from, length);
		if (bytes.length < length)
			throw damage(state.path, state.from + from + bytes.length, 'it ends there, but was longer');
		return bytes;
	}

	async remove(at: number): Promise<void> {
		await this.#nameTurns.run(async () => {
			if (this.#held?.state.at === at) await this.#hold(undefined);
			await rm(this.#path(at), { force: true });
			this.#states.delete(at);
		});
	}

	/** From now on none is held, or looked at. */
	close(): Promise<void> {
		return this.#nameTurns.run(() => this.#hold(undefined));
	}

	async #look(at: number, file: FileHandle): Promise<KeptState> {
		const path = this.#path(at);
		const { size } = await file.stat();
		const start = Buffer.from((await readPiece(file, 0, START)).buffer);
		if (
			start.length < START ||
			!start.subarray(0, MAGIC.length - 3).equals(MAGIC.subarray(0, MAGIC.length - 3))
		)
			throw damage(path, 0, 'it is not a state file');
		const headLength = start.readUInt32LE(MAGIC.length);
		if (START + headLength + DIGEST > size) throw damage(path, size, 'it ends there, but was longer');
		const head = headOf(await readPiece(file, START, headLength));
		if (head === undefined || head.at !== at) throw damage(path, START, 'its head was changed');
		if (start[MAGIC.length - 3] !== 1)
			throw new JournalError('failed', `"${path}" is a state of a version that this Orrery cannot read.`);
		const from = START + headLength;
		return { at, path, size, blobs: head.blobs, from, length: size - DIGEST - from, checked: false };
	}

	#path(at: number): string {
		return join(this.#folder, `state-${String(at).padStart(16, '0')}.journal`);
	}
}

function headOf(bytes: Uint8Array): { readonly at: number; readonly blobs: readonly string[] } | undefined {
	try {
		const head = JSON.parse(Buffer.from(bytes).toString()) as {
			readonly at?: unknown;
			readonly blobs?: unknown;
		};
		const { at, blobs } = head;
		if (!Number.isSafeInteger(at) || !Array.isArray(blobs)) return undefined;
		return { at: at as number, blobs: blobs.map(String) };
	} catch {
		return undefined;
	}
}
