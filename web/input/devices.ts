/**
 * Keyboard and mouse, during play: pressed keys go to the world, and the page gets only the others.
 * Owns: the listeners, where the pointer aims, and that everything is released when the page is left.
 */

import type { AimPoint, Hands } from './hands.ts';
import { keyOfStroke, MOUSE_KEYS } from './keys.ts';

export interface DevicesServices {
	readonly canvas: HTMLElement;
	readonly hands: Hands;
	/** Returns true if the world takes pressed keys now. */
	readonly takes: () => boolean;
	/** Returns the target at a point of the canvas (CSS pixels). */
	readonly aim: (x: number, y: number) => Promise<AimPoint>;
	/** Passes on a key that has no meaning in the world. Returns true if the page used it. */
	readonly left: (event: KeyboardEvent) => boolean;
}

/** Milliseconds between two looks at what a moving pointer aims at. */
const AIM_MS = 100;

const isField = (target: EventTarget | null): boolean =>
	target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;

/** Listens until the answered function is called. */
export function listenToDevices({ canvas, hands, takes, aim, left }: DevicesServices): () => void {
	const stop = new AbortController();
	const { signal } = stop;
	/** Target under the pointer: an aimed key is sent immediately, with the last known target. */
	let aimed: AimPoint = {};
	let looked = 0;
	const at = ({ clientX, clientY }: PointerEvent): readonly [number, number] => {
		const box = canvas.getBoundingClientRect();
		return [clientX - box.left, clientY - box.top];
	};

	const down = (event: KeyboardEvent): void => {
		if (event.isComposing || event.ctrlKey || event.metaKey || isField(event.target)) return;
		const key = keyOfStroke(event);
		// The way out is the page's, whatever a world makes of it.
		const taken = key !== null && key !== 'Escape' && takes() && hands.press(key, aimed);
		if (!taken && (event.repeat || !left(event))) return;
		event.preventDefault();
		event.stopPropagation();
	};
	const up = (event: KeyboardEvent): void => {
		const key = keyOfStroke(event);
		if (key !== null) hands.release(key);
	};
	addEventListener('keydown', down, { signal, capture: true });
	addEventListener('keyup', up, { signal, capture: true });

	canvas.addEventListener(
		'pointerdown',
		(event) => {
			const key = event.pointerType === 'mouse' ? MOUSE_KEYS[event.button] : undefined;
			if (key !== undefined && takes()) hands.press(key, aim(...at(event)));
		},
		{ signal },
	);
	addEventListener(
		'pointerup',
		(event) => {
			const key = MOUSE_KEYS[event.button];
			if (key !== undefined) hands.release(key);
		},
		{ signal },
	);
	canvas.addEventListener(
		'pointermove',
		(event) => {
			if (event.timeStamp - looked < AIM_MS || !takes()) return;
			looked = event.timeStamp;
			void aim(...at(event)).then((seen) => {
				aimed = seen;
			});
		},
		{ signal },
	);

	const leave = (): void => hands.releaseAll();
	addEventListener('blur', leave, { signal });
	addEventListener('pagehide', leave, { signal });
	document.addEventListener('visibilitychange', () => document.hidden && leave(), { signal });
	return () => {
		stop.abort();
		leave();
	};
}
