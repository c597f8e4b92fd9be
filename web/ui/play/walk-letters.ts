/**
 * The letters W, A, S and D walk like the arrow keys, for a unit that uses none of them for anything else.
 * Owns: the conditions. Never: binds a key; the world gets its own key for walking.
 */

import { DEFAULT_BINDINGS } from '../../../shared/documents/input.ts';
import { type KeyMeanings, keysOfAction } from './key-meanings.ts';

const WALKS = { W: 'move_forward', A: 'move_left', S: 'move_back', D: 'move_right' } as const;
/** Default meaning of each letter. Every world has it, so it is not a choice of a game. */
const USUAL: ReadonlyMap<string, string> = new Map(DEFAULT_BINDINGS.map(({ key, action }) => [key, action]));

/**
 * Returns the sent key for each letter. It is empty if the world binds one of the letters, or if the unit casts with one; then
 * all keep their meanings. `slots` are those of the unit's abilities.
 */
export function walkLetters(meanings: KeyMeanings, slots: readonly string[]): ReadonlyMap<string, string> {
	const casts = new Set(slots.map((slot) => `ability_${slot.toLowerCase()}`));
	const found = new Map<string, string>();
	for (const [letter, action] of Object.entries(WALKS)) {
		const meaning = meanings.get(letter);
		const isFree = meaning === undefined || (meaning === USUAL.get(letter) && !casts.has(meaning));
		const key = keysOfAction(meanings, action).find((name) => !/^(Gamepad|Touch|Mouse)/.test(name));
		if (!isFree || key === undefined) return new Map();
		found.set(letter, key);
	}
	return found;
}
