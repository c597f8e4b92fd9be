/**
 * Checks if a game was only played since it was opened, so that another world can replace it without a loss of edits.
 * Owns: the list of calls that count as play. A call whose body the history omits counts as an edit.
 */

import type { PanelServices } from '../services.ts';
import { ask } from '../state/ask.ts';
import { type PageStorage, readStored, storeValue } from '../state/kept.ts';
import { MAIN } from '../worlds/fork-list.ts';

interface PlayedCall {
	readonly path?: string | undefined;
	readonly body?: unknown;
}

/** Maximum number of history lines. A longer game counts as edited. */
const MAX_LINES = 1000;

const PLAYED = /^\/(play|pause|step|input\/\w+|shop\/\w+|ability\/\w+)$/;

/** Returns true for input, time, shopping, and taking over a unit. */
export function isPlay({ path = '', body }: PlayedCall): boolean {
	const [bare = ''] = path.split('?');
	if (PLAYED.test(bare)) return true;
	const fields = (body ?? {}) as {
		readonly requests?: readonly PlayedCall[];
		readonly remove?: readonly string[];
	};
	if (bare === '/batch') return fields.requests?.every(isPlay) ?? false;
	if (!/^\/entities\/\d+\/components$/.test(bare) || body === undefined) return false;
	const { remove = ['player'] } = fields;
	return (
		remove.join() === 'player' &&
		Object.keys(fields).every((name) => /^(generation|player|remove)$/.test(name))
	);
}

/** Returns true if main was only played since a journal entry opened it as a scene. */
export async function isOnlyPlayed(
	services: Pick<PanelServices, 'call'>,
	{ entry, at }: SceneOpening,
): Promise<boolean> {
	const query = { of: MAIN, from: entry, limit: MAX_LINES, bodies: 'true' } as const;
	const history = await ask(services, 'GET', '/history', { query, on: 'panels' });
	if (!history.ok || history.body.next !== null) return false;
	const [opening, ...lines] = history.body.lines;
	// In another journal, this entry is another call.
	if (opening?.entry !== entry || opening.applied_at !== at) return false;
	return lines.every((line) => line.kind === 'play' || isPlay(line));
}

const KEY = 'orrery-opened-scene';

/** The call that opened main as a scene: its journal entry, and its time. */
export interface SceneOpening {
	readonly entry: number;
	readonly at: string;
}

/** Returns the last opening of a scene by a page of this browser; null without one. */
export const lastOpening = (storage: PageStorage): SceneOpening | null =>
	readStored<SceneOpening>(storage, KEY);

/** Stores the opening of a scene in main, or clears it for another world. */
export async function noteOpening(
	services: Pick<PanelServices, 'call' | 'kept'>,
	isScene: boolean,
): Promise<SceneOpening | null> {
	const opening = isScene ? await latestEntry(services) : null;
	storeValue(services.kept, KEY, opening);
	return opening;
}

async function latestEntry(services: Pick<PanelServices, 'call'>): Promise<SceneOpening | null> {
	const journal = await ask(services, 'GET', '/journal', { on: 'panels' });
	if (!journal.ok) return null;
	const query = { of: MAIN, from: journal.body.next - 1, limit: 1 };
	const history = await ask(services, 'GET', '/history', { query, on: 'panels' });
	const line = history.ok ? history.body.lines[0] : undefined;
	return line?.path === '/batch' ? { entry: line.entry, at: line.applied_at } : null;
}
