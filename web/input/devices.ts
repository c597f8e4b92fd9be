/**
 * Reads keyboard and mouse during play. Bound keys go to the world, and the page gets the others.
 * Owns: the listeners, the target under the pointer, and the release of all keys when the page loses focus.
 */

import type { AimPoint, InputSender } from './hands.ts';
import { keyOfStroke, MOUSE_KEYS } from './keys.ts';

export interface DevicesServices {
	readonly canvas: HTMLElement;
	readonly inputSender: InputSender;
	/** Returns true if pressed keys currently go to the world. */
	readonly isWorldActive: () => boolean;
	/** Returns the target at a point of the canvas (CSS pixels). */
	readonly findTarget: (x: number, y: number) => Promise<AimPoint>;
	/** Handles a key that has no meaning in the world. Returns true if the page used it. */
	readonly handlePageKey: (event: KeyboardEvent) => boolean;
}

/** Minimum time between two updates of the pointer's target (ms). */
const MIN_AIM_INTERVAL_MS = 100;

const isField = (target: EventTarget | null): boolean =>
	target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;

/** Listens until the returned function is called. */
export function listenToDevices({
	canvas,
	inputSender,
	isWorldActive,
	findTarget,
	handlePageKey,
}: DevicesServices): () => void {
	const stop = new AbortController();
	const { signal } = stop;
	/** Last known target under the pointer. A key press sends it without waiting for a new one. */
	let target: AimPoint = {};
	let lastUpdate = 0;
	const canvasPoint = ({ clientX, clientY }: PointerEvent): readonly [number, number] => {
		const box = canvas.getBoundingClientRect();
		return [clientX - box.left, clientY - box.top];
	};

	const onKeyDown = (event: KeyboardEvent): void => {
		if (event.isComposing || event.ctrlKey || event.metaKey || isField(event.target)) return;
		const key = keyOfStroke(event);
		// Escape always belongs to the page, even if a world binds it.
		const isUsed = key !== null && key !== 'Escape' && isWorldActive() && inputSender.press(key, target);
		if (!isUsed && (event.repeat || !handlePageKey(event))) return;
		event.preventDefault();
		event.stopPropagation();
	};
	const onKeyUp = (event: KeyboardEvent): void => {
		const key = keyOfStroke(event);
		if (key !== null) inputSender.release(key);
	};
	addEventListener('keydown', onKeyDown, { signal, capture: true });
	addEventListener('keyup', onKeyUp, { signal, capture: true });

	canvas.addEventListener(
		'pointerdown',
		(event) => {
			const key = event.pointerType === 'mouse' ? MOUSE_KEYS[event.button] : undefined;
			if (key !== undefined && isWorldActive()) inputSender.press(key, findTarget(...canvasPoint(event)));
		},
		{ signal },
	);
	addEventListener(
		'pointerup',
		(event) => {
			const key = MOUSE_KEYS[event.button];
			if (key !== undefined) inputSender.release(key);
		},
		{ signal },
	);
	canvas.addEventListener(
		'pointermove',
		(event) => {
			if (event.timeStamp - lastUpdate < MIN_AIM_INTERVAL_MS || !isWorldActive()) return;
			lastUpdate = event.timeStamp;
			void findTarget(...canvasPoint(event)).then((newTarget) => {
				target = newTarget;
			});
		},
		{ signal },
	);

	const releaseKeys = (): void => inputSender.releaseAll();
	addEventListener('blur', releaseKeys, { signal });
	addEventListener('pagehide', releaseKeys, { signal });
	document.addEventListener('visibilitychange', () => document.hidden && releaseKeys(), { signal });
	return () => {
		stop.abort();
		releaseKeys();
	};
}
