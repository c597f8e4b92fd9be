/**
 * The lines of a world's journal for display.
 * Owns: their order and texts, and combining entries of play.
 */

import type { Answer } from '../../../shared/contract/route.ts';
import type { getHistory } from '../../../shared/routes/journal.ts';
import type { CallSource } from '../calls/call-ring.ts';
import { count } from '../numbers.ts';

export type Entry = Answer<typeof getHistory>['lines'][number];

export interface HistoryLine {
	/** Last entry of the line. A fork of this line has the state after it. */
	readonly entry: number;
	/** Tick of the world after the entry; null if the entry deleted the world. */
	readonly tick: number | null;
	/** Sender of its call; null for play. */
	readonly made: CallSource | null;
	readonly words: string;
	/** Time of applying it. */
	readonly at: string;
}

/** Paths that name an entity by its id. */
const ABOUT = /^\/(?:entities|path|ability\/list)\/(\d+)/;

/**
 * Returns the lines of one world, newest first. The journal has an entry for each second of play, and consecutive ones become
 * one line. `nameOf` returns the name of an entity, if it has one.
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
		const worldTick = worlds.find((candidate) => candidate.world === world);
		const tick = worldTick?.tick ?? null;
		if (kind === 'call') {
			const id = ABOUT.exec(path ?? '')?.[1];
			const name = id === undefined ? undefined : nameOf(Number(id));
			const words = `${method} ${path}${name === undefined ? '' : ` (${name})`}${stopped === undefined ? '' : `, ${stopped}`}`;
			lines.push({ entry, tick, made: { sender, door }, words, at });
			played = 0;
			continue;
		}
		if (played > 0) lines.pop();
		played += worldTick?.ticks ?? 0;
		lines.push({ entry, tick, made: null, words: `${count(played, 'tick')} of play`, at });
	}
	return lines.reverse();
}
