/**
 * Reads gamepads. Browsers send no events for the buttons, so gamepads must be polled.
 * Owns: the polling, once per animation frame while a gamepad is connected.
 */

import type { InputSender } from './hands.ts';
import { PAD_AXES, PAD_KEYS, steadyAxis } from './keys.ts';

/** Values read from a gamepad. */
export interface PadReading {
	readonly buttons: readonly { readonly pressed: boolean }[];
	readonly axes: readonly number[];
}

/**
 * Sends presses, releases and axis moves since the last reading. `pressedBefore`: keys that were pressed at that reading. Returns
 * the currently pressed keys.
 */
export function readPad(
	inputSender: Pick<InputSender, 'press' | 'release' | 'axis'>,
	pad: PadReading,
	pressedBefore: ReadonlySet<string>,
): ReadonlySet<string> {
	const pressed = new Set(PAD_KEYS.filter((_, index) => pad.buttons[index]?.pressed === true));
	for (const key of pressed) if (!pressedBefore.has(key)) inputSender.press(key);
	for (const key of pressedBefore) if (!pressed.has(key)) inputSender.release(key);
	for (const [index, key] of PAD_AXES.entries()) inputSender.axis(key, steadyAxis(pad.axes[index] ?? 0));
	return pressed;
}

/**
 * Polls the first connected gamepad. Returns a function that stops the polling. `isWorldActive` returns true if input goes to the
 * world.
 */
export function pollGamepads(inputSender: InputSender, isWorldActive: () => boolean): () => void {
	let pressed: ReadonlySet<string> = new Set();
	let frameRequest = 0;
	const poll = (): void => {
		const pad = navigator.getGamepads().find((gamepad) => gamepad !== null);
		frameRequest = pad === undefined ? 0 : requestAnimationFrame(poll);
		if (pad != null && isWorldActive()) pressed = readPad(inputSender, pad, pressed);
	};
	const begin = (): void => {
		if (frameRequest === 0) poll();
	};
	addEventListener('gamepadconnected', begin);
	begin();
	return () => {
		removeEventListener('gamepadconnected', begin);
		cancelAnimationFrame(frameRequest);
	};
}
