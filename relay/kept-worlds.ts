/**
 * The worlds as they last passed through the relay, for when the tab that holds them is gone.
 * Owns: the last whole copy of them, and the relay's own ends of a handover: one that takes worlds in, one that gives them out.
 * Never: looks into them; decides who goes on with them.
 */

import type { LinkFrame } from '../shared/contract/link.ts';
import type { Given, Side } from './handover.ts';
import type { WorldsFile } from './worlds-file.ts';

/** What is known of a copy. */
export interface Kept extends Given {
	/** Identity of the world that it is a copy of. */
	readonly world: string;
}

/** Bytes in one part, and how many parts may be on their way. */
const PART_BYTES = 1024 * 1024;
const PARTS_ON_THE_WAY = 4;

export class KeptWorlds {
	#file: WorldsFile | undefined;
	#kept: Kept | undefined;

	/** What there is a copy of. */
	get copy(): Kept | undefined {
		return this.#kept;
	}

	/** Keeps this from now on, in the place of what was kept. */
	put(file: WorldsFile, kept: Kept): void {
		void this.#file?.close();
		this.#file = file;
		this.#kept = kept;
	}

	/** The world that is a copy of goes by another identity now. */
	rename(world: string): void {
		if (this.#kept !== undefined) this.#kept = { ...this.#kept, world };
	}

	drop(): void {
		void this.#file?.close();
		this.#file = undefined;
		this.#kept = undefined;
	}

	/** The side of a handover that gives the copy out. What it has to say goes to `say`. */
	giver(say: (frame: LinkFrame) => void): Side {
		const file = this.#file;
		const kept = this.#kept;
		if (file === undefined || kept === undefined) throw new Error('Nothing is kept.');
		let at = 0;
		let work: Promise<void> = Promise.resolve();
		const part = async (): Promise<void> => {
			if (at >= file.length) return;
			const bytes = await file.read(at, PART_BYTES);
			at += bytes.length;
			say({ kind: 'part', last: at === file.length, world: '', bytes });
		};
		const more = (parts: number): void => {
			for (let i = 0; i < parts; i++)
				work = work.then(part).catch((error: unknown) => say({ kind: 'off', why: reasonOf(error) }));
		};
		return {
			send(frame) {
				if (frame.kind === 'yield') {
					say({ kind: 'giving', tick: kept.tick, digests: kept.digests });
					more(PARTS_ON_THE_WAY);
				} else if (frame.kind === 'more') more(1);
				else if (frame.kind === 'have')
					say(frame.digests === kept.digests ? { kind: 'released' } : { kind: 'off', why: UNEQUAL });
			},
		};
	}
}

/** The side of a handover that takes worlds into a file. What it has to say goes to `say`. */
export function takerInto(file: WorldsFile, say: (frame: LinkFrame) => void): Side {
	return {
		send(frame) {
			if (frame.kind !== 'part') return;
			file.add(frame.bytes).then(
				() => say({ kind: frame.last ? 'kept' : 'more' }),
				(error: unknown) => say({ kind: 'off', why: reasonOf(error) }),
			);
		},
	};
}

const UNEQUAL = 'The kept worlds differ from the worlds that the tab sent.';

function reasonOf(error: unknown): string {
	return `The worlds could not be kept: ${error instanceof Error ? error.message : String(error)}`;
}
