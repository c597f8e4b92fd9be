/**
 * Whole states, each in a file of its own that is there whole or not at all.
 * Owns: their names, their bytes and that these are what was written. Never: looks into a state.
 *
 * A file: "orrery state\n", u8 version, u16 zero, u32 length of a head, the head as JSON (`at` and `blobs`), the state, and the
 * SHA-256 of all that.
 */

import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { JournalError } from '../../shared/contract/journal.ts';
import { replaceFile } from '../replace-file.ts';
import { openToRead, readPiece } from './disk.ts';
import { damage } from './frame.ts';

const FILE = /^state-(\d{16})\.journal$/;
const MAGIC = Buffer.from('orrery state\n\x01\0\0', 'latin1');
const START = MAGIC.length + 4;
const DIGEST = 32;
/** Bytes that are read at once to look at a whole file. */
const PIECE = 1024 * 1024;

interface KeptState {
	readonly at: number;
	/** Bytes of the file. */
	readonly size: number;
	readonly blobs: readonly string[];
	/** Where the state stands in the file. */
	readonly from: number;
	readonly length: number;
	/** Whether it is known to be what was written. */
	checked: boolean;
}

export class StateFiles {
	readonly #folder: string;
	readonly #states = new Map<number, KeptState>();

	private constructor(folder: string) {
		this.#folder = folder;
	}

	/** Those that are there. Rejects with `damaged`. */
	static async open(folder: string): Promise<StateFiles> {
		const states = new StateFiles(folder);
		for (const file of await readdir(folder)) {
			const digits = FILE.exec(file)?.[1];
			if (digits !== undefined) states.#states.set(Number(digits), await states.#look(Number(digits)));
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
		await replaceFile(this.#path(at), content(), 0o600);
		const from = start.length;
		this.#states.set(at, {
			at,
			size: from + length + DIGEST,
			blobs: [...blobs],
			from,
			length,
			checked: true,
		});
	}

	/** A piece of one that is kept. Of a file that was not looked at since the start, all is looked at first. Rejects with `damaged`. */
	async read(state: KeptState, from: number, most: number): Promise<Uint8Array> {
		const path = this.#path(state.at);
		const file = await openToRead(path);
		try {
			if (!state.checked) {
				const hash = createHash('sha256');
				for (let at = 0; at < state.size - DIGEST; at += PIECE)
					hash.update(await readPiece(file, at, Math.min(PIECE, state.size - DIGEST - at)));
				if (!hash.digest().equals(await readPiece(file, state.size - DIGEST, DIGEST)))
					throw damage(path, state.from, 'the state is not what was written');
				state.checked = true;
			}
			const length = Math.max(0, Math.min(most, state.length - from));
			const bytes = await readPiece(file, state.from + from, length);
			if (bytes.length < length)
				throw damage(path, state.from + from + bytes.length, 'it ends there, and was longer');
			return bytes;
		} finally {
			await file.close();
		}
	}

	async remove(at: number): Promise<void> {
		await rm(this.#path(at), { force: true });
		this.#states.delete(at);
	}

	async #look(at: number): Promise<KeptState> {
		const path = this.#path(at);
		const file = await openToRead(path);
		try {
			const { size } = await file.stat();
			const start = Buffer.from((await readPiece(file, 0, START)).buffer);
			if (
				start.length < START ||
				!start.subarray(0, MAGIC.length - 3).equals(MAGIC.subarray(0, MAGIC.length - 3))
			)
				throw damage(path, 0, 'it does not begin as a file of a state');
			const headLength = start.readUInt32LE(MAGIC.length);
			if (START + headLength + DIGEST > size) throw damage(path, size, 'it ends there, and was longer');
			const head = headOf(await readPiece(file, START, headLength));
			if (head === undefined || head.at !== at) throw damage(path, START, 'its head is not what was written');
			if (start[MAGIC.length - 3] !== 1)
				throw new JournalError('failed', `"${path}" is a state of a version that this Orrery does not read.`);
			const from = START + headLength;
			return { at, size, blobs: head.blobs, from, length: size - DIGEST - from, checked: false };
		} finally {
			await file.close();
		}
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
