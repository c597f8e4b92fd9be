/**
 * The lines of a world's journal as a person reads them.
 * Owns: their order and words, and what stands for many entries of play.
 */

import type { Answer } from '../../../shared/contract/route.ts';
import type { getHistory } from '../../../shared/routes/journal.ts';
import type { CallSource } from '../calls/call-ring.ts';
import { count } from '../numbers.ts';

export type Entry = Answer<typeof getHistory>['lines'][number];

export interface HistoryLine {
	/** The last entry that it stands for: a fork of this moment comes after it. */
	readonly entry: number;
	/** The world's tick after it; null if the world ended with it. */
	readonly tick: number | null;
	/** Sender of its call; null if play made it. */
	readonly made: CallSource | null;
	readonly words: string;
	/** Time at which it was applied. */
	readonly at: string;
}

/** Paths that name an entity by its id. */
const ABOUT = /^\/(?:entities|path|ability\/list)\/(\d+)/;

/**
 * Returns the lines of one world, newest first. Play is written down every second: what follows on itself is one
 * line. `nameOf` returns the name of an entity, if it has one.
 */
export function historyLines(
	entries: readonly Entry[],
	world: string,
	nameOf: (id: number) => string | undefined = () => undefined,
): readonly HistoryLine[] {
	const lines: HistoryLine[] = [];
	let played = 0;
	for (const {
		entry,
		applied_at: at,
		kind,
		worlds,
		sender = '',
		door = '',
		method,
		path,
		stopped,
	} of entries) {
		const here = worlds.find((candidate) => candidate.world === world);
		const tick = here?.tick ?? null;
		if (kind === 'call') {
			const id = ABOUT.exec(path ?? '')?.[1];
			const name = id === undefined ? undefined : nameOf(Number(id));
			const words = `${method} ${path}${name === undefined ? '' : ` (${name})`}${stopped === undefined ? '' : `, ${stopped}`}`;
			lines.push({ entry, tick, made: { sender, door }, words, at });
			played = 0;
			continue;
		}
		if (played > 0) lines.pop();
		played += here?.ticks ?? 0;
		lines.push({ entry, tick, made: null, words: `${count(played, 'tick')} of play`, at });
	}
	return lines.reverse();
}
