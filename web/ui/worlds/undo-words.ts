/**
 * Text about an undone or redone call.
 * Owns: the text.
 */

import type { Answer } from '../../../shared/contract/route.ts';
import type { undo } from '../../../shared/routes/journal.ts';
import { callWords } from '../make/call-words.ts';
import { count, formatNumber } from '../numbers.ts';

type Turn = Pick<Answer<typeof undo>, 'call' | 'remade' | 'previous_tick' | 'tick'>;

/** Returns a title and the effect on later calls. `words` is the description of a call by this page. */
export function undoWords(
	{ call, remade, previous_tick, tick }: Turn,
	redo: boolean,
	words: string | null,
): readonly [string, string] {
	const [method = '', path = ''] = call.split(' ');
	const action = words ?? callWords(method, path, undefined, (id) => `entity ${id}`);
	const title = `${redo ? 'Redone' : 'Undone'}: ${action}.`;
	if (tick !== previous_tick)
		return [title, `From tick ${formatNumber(previous_tick)} to tick ${formatNumber(tick)}.`];
	if (remade === 0) return [title, ''];
	return [
		title,
		`${count(remade, 'later entry', 'later entries')} ${remade === 1 ? 'was' : 'were'} re-run ${redo ? 'with' : 'without'} it.`,
	];
}
