/**
 * Tells whether a game was only played since it was opened: then nothing of a person is lost when another world takes its place.
 * Owns: which calls are play. Never: reads bodies that the history leaves out; then it may be an edit.
 */

import type { PanelServices } from '../services.ts';
import { ask } from '../state/ask.ts';
import { type PageStorage, readStored, storeValue } from '../state/kept.ts';
import { MAIN } from '../worlds/fork-list.ts';

interface PlayedCall {
	readonly path?: string | undefined;
	readonly body?: unknown;
}

/** Lines of the history that are looked through: longer games count as edited. */
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

/** Returns true if main was only played since it was opened as a scene by this entry of the journal. */
export async function isOnlyPlayed(
	services: Pick<PanelServices, 'call'>,
	{ entry, at }: SceneOpening,
): Promise<boolean> {
	const query = { of: MAIN, from: entry, limit: MAX_LINES, bodies: 'true' } as const;
	const history = await ask(services, 'GET', '/history', { query, on: 'panels' });
	if (!history.ok || history.body.next !== null) return false;
	const [opening, ...lines] = history.body.lines;
	// Of another journal, another call has this entry.
	if (opening?.entry !== entry || opening.applied_at !== at) return false;
	return lines.every((line) => line.kind === 'play' || isPlay(line));
}

const KEY = 'orrery-opened-scene';

/** The call that opened main as a scene: its entry of the journal, and when it was applied. */
export interface SceneOpening {
	readonly entry: number;
	readonly at: string;
}

/** Returns the last opening of a scene by a page of this browser; null without one. */
export const lastOpening = (storage: PageStorage): SceneOpening | null =>
	readStored<SceneOpening>(storage, KEY);

/** Notes that main was just opened as a scene, or as another world. */
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
