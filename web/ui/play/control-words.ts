/**
 * Controls of the played entity, in a line of words, by the keys that the world has for it.
 * Owns: the words. Never: a key itself.
 */

const ARROWS: Readonly<Record<string, string>> = {
	ArrowUp: '↑',
	ArrowLeft: '←',
	ArrowDown: '↓',
	ArrowRight: '→',
};
const WALKS = ['move_forward', 'move_left', 'move_back', 'move_right'] as const;

/** Empty where nothing is played by keys. `keysOf`: keys of an action, the first of a keyboard first. */
export function controlWords(
	keysOf: (action: string) => readonly string[],
	slots: readonly string[],
): string {
	const key = (action: string): string | undefined =>
		keysOf(action).find((name) => !/^(Gamepad|Touch|Mouse)/.test(name));
	const words: string[] = [];
	const walks = WALKS.flatMap((action) => key(action) ?? []);
	if (walks.length > 0)
		words.push(
			walks.every((name) => name in ARROWS)
				? 'Arrows walk.'
				: `${walks.map((name) => ARROWS[name] ?? name).join(' ')} walk.`,
		);
	if (keysOf('move_or_attack').includes('MouseRight')) words.push('Right-click to go or attack.');
	const attack = key('attack');
	if (attack !== undefined) words.push(`${attack} attacks the nearest enemy.`);
	const casts = slots.flatMap((slot) => key(`ability_${slot.toLowerCase()}`) ?? []);
	if (casts.length > 0) words.push(`${casts.join(' ')} ${casts.length === 1 ? 'casts' : 'cast'}.`);
	return words.join(' ');
}
