/**
 * The newest journal entries about a world, which are read again when the journal grows.
 * Owns: the number of entries, and the times of reading. Never: reads while it is hidden.
 */

import { useEffect, useState } from 'preact/hooks';
import { ask, type Refusal } from '../state/ask.ts';
import { paced } from '../state/paced.ts';
import { usePanels } from '../state/panels.ts';
import type { Entry } from './history-lines.ts';
import { readWhileVisible } from './read-while-visible.ts';

/** Number of entries of the first read, and of each extension to earlier ones. */
const PAGE = 200;
const REST_MS = 1000;

export interface HistoryRead {
	readonly world: string;
	readonly entries: readonly Entry[];
	/** True if the journal has earlier entries. */
	readonly more: boolean;
	readonly refusal: Refusal | null;
}

/** Returns the entries, null before the first read. `earlier` extends them to earlier entries. */
export function useHistory(world: string): {
	readonly read: HistoryRead | null;
	readonly earlier: () => void;
} {
	const { services, navigation, worlds } = usePanels();
	const [pages, setPages] = useState(1);
	const [read, setRead] = useState<HistoryRead | null>(null);
	useEffect(() => {
		let isStale = false;
		let seen = -1;
		const reader = paced({ minRest: REST_MS }, async () => {
			const journal = await ask(services, 'GET', '/journal', { on: 'panels' });
			if (isStale || (journal.ok && journal.body.next === seen)) return;
			const { first, next } = journal.ok ? journal.body : { first: 0, next: 0 };
			const from = Math.max(first, next - pages * PAGE);
			const history = await ask(services, 'GET', '/history', {
				query: { of: world, from, limit: 1000 },
				on: 'panels',
			});
			if (isStale) return;
			const refusal = journal.ok ? (history.ok ? null : history.refusal) : journal.refusal;
			seen = refusal === null ? next : -1;
			setRead({ world, entries: history.ok ? history.body.lines : [], more: from > first, refusal });
		});
		const end = readWhileVisible({ services, navigation, worlds }, reader);
		return () => {
			isStale = true;
			end();
		};
	}, [services, world, pages]);
	return {
		read: read?.world === world ? read : null,
		earlier: () => setPages((count) => Math.min(count + 1, 5)),
	};
}
