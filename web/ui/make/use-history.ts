/**
 * The newest entries of the journal that changed a world, read again as it grows.
 * Owns: how far back is read, and when. Never: reads while it is hidden.
 */

import { useEffect, useState } from 'preact/hooks';
import { ask, type Refusal } from '../state/ask.ts';
import { paced } from '../state/paced.ts';
import { usePanels } from '../state/panels.ts';
import type { Entry } from './history-lines.ts';
import { readWhileVisible } from './read-while-visible.ts';

/** Entries that are read at first, and with each look further back. */
const PAGE = 200;
const REST_MS = 1000;

export interface HistoryRead {
	readonly world: string;
	readonly entries: readonly Entry[];
	/** The journal has entries before those that were read. */
	readonly more: boolean;
	readonly refusal: Refusal | null;
}

/** Null until it was read. `earlier` reads further back. */
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
		const reader = paced({ least: REST_MS }, async () => {
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
