/**
 * Keys of a person's devices, by the engine's names.
 * Owns: the names of keys of keyboard, mouse and gamepad.
 * Never: defines the effect of a key; the world's bindings do.
 */

/** Properties of a keyboard event. */
export interface KeyStroke {
	readonly key: string;
	readonly code: string;
}

/** Keys that are named by their position, because their character depends on Shift and the layout. */
const POSITION_KEYS = new Set([
	'Space',
	'Minus',
	'Equal',
	'Comma',
	'Period',
	'Slash',
	'Semicolon',
	'Enter',
	'Tab',
	'Delete',
	'Backspace',
]);

/** Returns the engine's name of a key, or null if it has none. Letters and digits are those printed on the keys. */
export function keyOfStroke({ key, code }: KeyStroke): string | null {
	if (/^[a-z0-9]$/i.test(key)) return key.toUpperCase();
	// With Shift, or with another alphabet, the position of the key gives its name.
	const printedCharacter = /^(?:Key|Digit|Numpad)([A-Z0-9])$/.exec(code)?.[1];
	if (printedCharacter !== undefined) return printedCharacter;
	if (POSITION_KEYS.has(code)) return code;
	if (code === 'NumpadEnter') return 'Enter';
	return /^(Arrow(Up|Down|Left|Right)|F([1-9]|1[0-2])|Shift|Control|Alt|Escape)$/.test(key) ? key : null;
}

/** Buttons of a mouse by their numbers in pointer events. */
export const MOUSE_KEYS: readonly (string | undefined)[] = ['MouseLeft', 'MouseMiddle', 'MouseRight'];

/** Buttons of a gamepad of the standard layout by their numbers. */
export const PAD_KEYS: readonly string[] = [
	'A',
	'B',
	'X',
	'Y',
	'LB',
	'RB',
	'LT',
	'RT',
	'Back',
	'Start',
	'LS',
	'RS',
	'Up',
	'Down',
	'Left',
	'Right',
].map((name) => `Gamepad${name}`);

/** Axes of a gamepad of the standard layout by their numbers. */
export const PAD_AXES: readonly string[] = ['LeftX', 'LeftY', 'RightX', 'RightY'].map(
	(name) => `Gamepad${name}`,
);

/** Deflection below which a stick is at rest, from 0 to 1. */
const REST_DEFLECTION = 0.15;
/** Number of steps from rest to the end of an axis, so that small tremors send nothing. */
const STEPS = 20;

/** Returns the position of an axis, rounded to steps, and 0 near rest. */
export function steadyAxis(value: number): number {
	const deflection = Math.min(1, Math.abs(value));
	if (deflection < REST_DEFLECTION) return 0;
	const steps = Math.round(((deflection - REST_DEFLECTION) / (1 - REST_DEFLECTION)) * STEPS);
	return (Math.sign(value) * steps) / STEPS;
}
