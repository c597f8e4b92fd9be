/**
 * Turns mouse, touch, wheel and keys on the canvas into camera moves and clicks.
 * Owns: the listeners. Drag turns, Shift and drag moves sideways, the wheel or two fingers zoom. The right button is left to the page.
 */

import type { CameraMove } from './messages.ts';

/** A press that moves less than this many CSS pixels is a click. */
const CLICK_PX = 4;
/** Zoom for each pixel of the wheel. */
const WHEEL = 0.0012;
const KEY_PX = 24;

export interface GestureTargets {
	readonly move: (move: CameraMove) => void;
	/** CSS pixels from the canvas's top left corner. */
	readonly click: (x: number, y: number) => void;
}

/** Listens until the answered function is called. */
export function listen(canvas: HTMLCanvasElement, targets: GestureTargets): () => void {
	const stop = new AbortController();
	const { signal } = stop;
	const fingers = new Map<number, { x: number; y: number }>();
	let travelled = 0;
	if (canvas.tabIndex < 0) canvas.tabIndex = 0;
	canvas.style.touchAction = 'none';

	canvas.addEventListener(
		'pointerdown',
		(event) => {
			if (event.button === 2) return;
			if (event.button === 1) event.preventDefault();
			if (fingers.size === 0) travelled = 0;
			fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
			canvas.setPointerCapture(event.pointerId);
		},
		{ signal },
	);
	canvas.addEventListener(
		'pointermove',
		(event) => {
			const finger = fingers.get(event.pointerId);
			if (finger === undefined) return;
			const dx = event.clientX - finger.x;
			const dy = event.clientY - finger.y;
			travelled += Math.abs(dx) + Math.abs(dy);
			if (travelled < CLICK_PX) return;
			if (fingers.size === 2) {
				const gap = spread(fingers);
				fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
				const wider = spread(fingers);
				if (gap > 0 && wider > 0) targets.move({ kind: 'zoom', factor: gap / wider });
				targets.move({ kind: 'pan', dx: dx / 2, dy: dy / 2 });
				return;
			}
			fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
			targets.move({ kind: event.shiftKey ? 'pan' : 'turn', dx, dy });
		},
		{ signal },
	);
	const release = (event: PointerEvent): void => {
		if (!fingers.delete(event.pointerId)) return;
		if (event.type !== 'pointerup' || event.button !== 0 || travelled >= CLICK_PX || fingers.size > 0) return;
		const box = canvas.getBoundingClientRect();
		targets.click(event.clientX - box.left, event.clientY - box.top);
	};
	canvas.addEventListener('pointerup', release, { signal });
	canvas.addEventListener('pointercancel', release, { signal });
	canvas.addEventListener('contextmenu', (event) => event.preventDefault(), { signal });
	canvas.addEventListener(
		'wheel',
		(event) => {
			event.preventDefault();
			const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * 16 : event.deltaY;
			targets.move({ kind: 'zoom', factor: Math.exp(Math.max(-400, Math.min(400, pixels)) * WHEEL) });
		},
		{ signal, passive: false },
	);
	canvas.addEventListener(
		'keydown',
		(event) => {
			if (event.ctrlKey || event.metaKey || event.altKey) return;
			const move = keyMove(event.key, event.shiftKey);
			if (move === null) return;
			event.preventDefault();
			targets.move(move);
		},
		{ signal },
	);
	return () => stop.abort();
}

function keyMove(key: string, shift: boolean): CameraMove | null {
	const kind = shift ? 'pan' : 'turn';
	switch (key) {
		case 'ArrowLeft':
			return { kind, dx: KEY_PX, dy: 0 };
		case 'ArrowRight':
			return { kind, dx: -KEY_PX, dy: 0 };
		case 'ArrowUp':
			return { kind, dx: 0, dy: KEY_PX };
		case 'ArrowDown':
			return { kind, dx: 0, dy: -KEY_PX };
		case '+':
		case '=':
			return { kind: 'zoom', factor: 0.88 };
		case '-':
			return { kind: 'zoom', factor: 1.14 };
		default:
			return null;
	}
}

function spread(fingers: ReadonlyMap<number, { x: number; y: number }>): number {
	const [a, b] = [...fingers.values()];
	return a === undefined || b === undefined ? 0 : Math.hypot(a.x - b.x, a.y - b.y);
}
