/**
 * What a call that was taken back or done again came to, in words for people.
 * Owns: the words.
 */

import type { Answer } from '../../../shared/contract/route.ts';
import type { undo } from '../../../shared/routes/journal.ts';
import { count, formatNumber } from '../numbers.ts';

type Turn = Pick<Answer<typeof undo>, 'call' | 'remade' | 'previous_tick' | 'tick'>;

/** What was done, in `words` if they are known, and what became of all that came later. */
export function turnWords(
	{ call, remade, previous_tick, tick }: Turn,
	redo: boolean,
	words: string | null,
): readonly [string, string] {
	const said = `${redo ? 'Redone' : 'Undone'}: ${words ?? call}.`;
	if (tick !== previous_tick)
		return [said, `From tick ${formatNumber(previous_tick)} to tick ${formatNumber(tick)}.`];
	if (remade === 0) return [said, ''];
	return [
		said,
		`${count(remade, 'later entry', 'later entries')} ${remade === 1 ? 'was' : 'were'} re-run ${redo ? 'with' : 'without'} it.`,
	];
}
