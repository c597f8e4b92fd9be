/**
 * Letters that walk as the arrow keys do: W, A, S and D, for a unit that needs none of them for anything else.
 * Owns: when they do. Never: binds a key; the world gets the key that it has for walking.
 */

import { DEFAULT_BINDINGS } from '../../../shared/documents/input.ts';
import { type KeyMeanings, keysOfAction } from './key-meanings.ts';

const WALKS = { W: 'move_forward', A: 'move_left', S: 'move_back', D: 'move_right' } as const;
/** Usual meaning of each letter: every world has it, so it is no choice of a game. */
const USUAL: ReadonlyMap<string, string> = new Map(DEFAULT_BINDINGS.map(({ key, action }) => [key, action]));

/**
 * Key that the world gets for each letter. Empty if the world gives a letter a meaning of its own, or if the unit casts with one:
 * then A and S keep their usual meanings, too. `slots`: those of the unit's abilities.
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
