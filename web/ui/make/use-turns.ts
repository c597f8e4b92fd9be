/**
 * Numbers of changes that this person can undo and redo in the selected world, read from the growing journal.
 * Owns: the times of reading, and the number of entries. Never: reads while it is hidden.
 */

import { useEffect, useState } from 'preact/hooks';
import { ask } from '../state/ask.ts';
import { paced } from '../state/paced.ts';
import { usePanels } from '../state/panels.ts';
import { readWhileVisible } from './read-while-visible.ts';
import { type Turns, turnsAfter } from './turns.ts';

/** Number of entries of the first read. Older changes can be undone, but are not counted. */
const BACK = 10_000;
const REST_MS = 250;
const FACTOR = 3;

interface ReadTurns {
	readonly world: string;
	readonly turns: Turns;
}

/** Returns the numbers; null before the first read. */
export function useTurns(): Turns | null {
	const { services, worlds, navigation } = usePanels();
	const world = worlds.selected.value;
	const sender = services.session.who.value.agent ?? 'you';
	const [read, setRead] = useState<ReadTurns | null>(null);
	useEffect(() => {
		let isStale = false;
		let seen: number | null = null;
		let turns: Turns = { done: 0, undone: 0, whole: false };
		const reader = paced({ minRest: REST_MS, factor: FACTOR }, async () => {
			const journal = await ask(services, 'GET', '/journal', { on: 'panels' });
			if (isStale || !journal.ok) return;
			const { first, next } = journal.body;
			if (seen !== null && next <= seen) return;
			if (seen === null) turns = { ...turns, whole: first === 0 && next <= BACK };
			const linesFrom = (from: number) =>
				ask(services, 'GET', '/history', { query: { of: world, sender, from, limit: 1000 }, on: 'panels' });
			for (let from: number | null = seen ?? Math.max(first, next - BACK); from !== null; ) {
				const history: Awaited<ReturnType<typeof linesFrom>> = await linesFrom(from);
				if (isStale || !history.ok) return;
				const { lines } = history.body;
				turns = turnsAfter(turns, lines, world);
				// The answer can contain newer entries than the journal's earlier end.
				seen = Math.max(next, (lines.at(-1)?.entry ?? -1) + 1);
				from = history.body.next;
			}
			setRead({ world, turns });
		});
		const end = readWhileVisible({ services, navigation, worlds }, reader);
		return () => {
			isStale = true;
			end();
		};
	}, [services, world, sender]);
	return read?.world === world ? read.turns : null;
}
