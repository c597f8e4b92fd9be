/**
 * Tells whether a game was only played since it was opened: then nothing of a person is lost when another world takes its place.
 * Owns: which calls are play. Never: reads bodies that the history leaves out; then it may be an edit.
 */

import type { PanelServices } from '../services.ts';
import { ask } from '../state/ask.ts';
import { MAIN } from '../worlds/fork-list.ts';

interface Call {
	readonly path?: string | undefined;
	readonly body?: unknown;
}

/** Lines of the history that are looked through: longer games count as edited. */
const MAX_LINES = 1000;

const PLAYED = /^\/(play|pause|step|input\/\w+|shop\/\w+|ability\/\w+)$/;

/** True for input, time, shopping, and taking over a unit. */
export function isPlay({ path = '', body }: Call): boolean {
	const [bare = ''] = path.split('?');
	if (PLAYED.test(bare)) return true;
	const fields = (body ?? {}) as { readonly requests?: readonly Call[]; readonly remove?: readonly string[] };
	if (bare === '/batch') return fields.requests?.every(isPlay) ?? false;
	if (!/^\/entities\/\d+\/components$/.test(bare) || body === undefined) return false;
	const { remove = ['player'] } = fields;
	return (
		remove.join() === 'player' &&
		Object.keys(fields).every((name) => /^(generation|player|remove)$/.test(name))
	);
}

/** True if main was only played since this entry of the journal. */
export async function isOnlyPlayed(services: Pick<PanelServices, 'call'>, since: number): Promise<boolean> {
	const query = { of: MAIN, from: since, limit: MAX_LINES, bodies: 'true' } as const;
	const history = await ask(services, 'GET', '/history', { query, on: 'panels' });
	if (!history.ok || history.body.next !== null) return false;
	return history.body.lines.every((line) => line.kind === 'play' || isPlay(line));
}
