/**
 * Gamepads. Browsers send no events for their buttons, so they must be polled.
 * Owns: polling once per animation frame, only while a gamepad is connected.
 */

import type { Hands } from './hands.ts';
import { PAD_AXES, PAD_KEYS, steadyAxis } from './keys.ts';

/** Values read from a gamepad. */
export interface PadReading {
	readonly buttons: readonly { readonly pressed: boolean }[];
	readonly axes: readonly number[];
}

/** Sends presses, releases and axis moves since the last reading. `before`: keys pressed then. Returns the keys pressed now. */
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

/** Polls the first connected gamepad. Returns a function that stops it. */
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
