/**
 * Gamepads: browsers tell of them only when they are asked.
 * Owns: asking, once for each picture of the page, and only while a gamepad is there.
 */

import type { Hands } from './hands.ts';
import { PAD_AXES, PAD_KEYS, steadyAxis } from './keys.ts';

/** Values read from a gamepad. */
export interface PadReading {
	readonly buttons: readonly { readonly pressed: boolean }[];
	readonly axes: readonly number[];
}

/** Presses, releases and moves what differs from `before`. Returns the keys that are pressed now. */
export function readPad(
	hands: Pick<Hands, 'press' | 'release' | 'axis'>,
	pad: PadReading,
	before: ReadonlySet<string>,
): ReadonlySet<string> {
	const pressed = new Set(PAD_KEYS.filter((_, index) => pad.buttons[index]?.pressed === true));
	for (const key of pressed) if (!before.has(key)) hands.press(key);
	for (const key of before) if (!pressed.has(key)) hands.release(key);
	for (const [index, key] of PAD_AXES.entries()) hands.axis(key, steadyAxis(pad.axes[index] ?? 0));
	return pressed;
}

/** Reads the first gamepad that is there until the answered function is called. */
export function readGamepads(hands: Hands, takes: () => boolean): () => void {
	let pressed: ReadonlySet<string> = new Set();
	let frameRequest = 0;
	const ask = (): void => {
		const pad = navigator.getGamepads().find((gamepad) => gamepad !== null);
		frameRequest = pad === undefined ? 0 : requestAnimationFrame(ask);
		if (pad != null && takes()) pressed = readPad(hands, pad, pressed);
	};
	const begin = (): void => {
		if (frameRequest === 0) ask();
	};
	addEventListener('gamepadconnected', begin);
	begin();
	return () => {
		removeEventListener('gamepadconnected', begin);
		cancelAnimationFrame(frameRequest);
	};
}
