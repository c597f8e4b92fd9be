/**
 * Controls of the played entity as one line of text, with the keys of the world.
 * Owns: the texts. Never: a key itself.
 */

import type { ShownAbility } from './units.ts';

const ARROWS: Readonly<Record<string, string>> = {
	ArrowUp: '↑',
	ArrowLeft: '←',
	ArrowDown: '↓',
	ArrowRight: '→',
};
const WALKS = ['move_forward', 'move_left', 'move_back', 'move_right'] as const;

/**
 * Returns the controls as sentences; empty without keys. `keysOf` returns the keys of an action, those of the keyboard first.
 * `letters` are further keys for walking.
 */
export function controlsText(
	keysOf: (action: string) => readonly string[],
	fights: boolean,
	abilities: readonly Pick<ShownAbility, 'slot' | 'name'>[],
	letters: readonly string[] = [],
): string {
	const key = (action: string): string | undefined =>
		keysOf(action).find((name) => !/^(Gamepad|Touch|Mouse)/.test(name));
	const words: string[] = [];
	const walks = WALKS.flatMap((action) => key(action) ?? []);
	if (walks.length > 0) {
		const isArrows = walks.every((name) => name in ARROWS);
		const keys = isArrows ? 'arrow keys' : walks.map((name) => ARROWS[name] ?? name).join(' ');
		const all = letters.length > 0 ? `${letters.join(' ')} or ${keys} move.` : `${keys} move.`;
		words.push(`${all.slice(0, 1).toUpperCase()}${all.slice(1)}`);
	}
	if (keysOf('move_or_attack').includes('MouseRight'))
		words.push(fights ? 'Right-click to go or attack.' : 'Right-click to go.');
	const attack = key('attack');
	if (fights && attack !== undefined) words.push(`${attack} attacks the nearest enemy.`);
	const casts = abilities.flatMap(({ slot, name }) => {
		const found = key(`ability_${slot.toLowerCase()}`);
		return found === undefined ? [] : [name === '' ? found : `${found} ${name}`];
	});
	if (casts.length > 0) words.push(`Cast: ${casts.join(', ')}.`);
	return words.join(' ');
}
