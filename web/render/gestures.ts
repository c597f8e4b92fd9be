/**
 * Turns mouse, touch, wheel and keys on the canvas into presses, drags and camera moves.
 * Owns: the listeners. A drag without a tool turns the camera; with Shift, the camera moves sideways. The
 * wheel or two fingers zoom. The middle button always moves the camera. The right button belongs to the page.
 */

import type { CameraMove } from './messages.ts';

/** A press that moves less than this many CSS pixels is a click. */
const CLICK_PX = 4;
/** Exponent of the zoom factor per pixel of the wheel. */
const WHEEL_EXPONENT = 0.0012;
/** CSS pixels of a drag that moves the camera as one arrow key does. */
const KEY_PX = 24;

export interface GestureTargets {
	readonly move: (move: CameraMove) => void;
	/**
	 * Called when the pointer is pressed. Coordinates here and below are CSS pixels from the canvas's top left
	 * corner.
	 */
	readonly press: (x: number, y: number, shift: boolean) => void;
	/** Called while the pointer is dragged. `move`: the camera's move, if no tool uses the drag. */
	readonly drag: (x: number, y: number, move: CameraMove) => void;
	readonly release: (x: number, y: number, shift: boolean, click: boolean) => void;
	/** Called when the pointer moves without a press. */
	readonly hover: (x: number, y: number) => void;
	/** Called when a press was cancelled, such as by a second finger. */
	readonly cancel: () => void;
}

/** Listens to a canvas. Returns a function that removes the listeners. */
export function listenToGestures(canvas: HTMLCanvasElement, targets: GestureTargets): () => void {
	const controller = new AbortController();
	const { signal } = controller;
	const fingers = new Map<number, { x: number; y: number }>();
	let distance = 0;
	const canvasPoint = (event: PointerEvent): [number, number] => {
		const box = canvas.getBoundingClientRect();
		return [event.clientX - box.left, event.clientY - box.top];
	};
	if (canvas.tabIndex < 0) canvas.tabIndex = 0;
	canvas.style.touchAction = 'none';

	canvas.addEventListener(
		'pointerdown',
		(event) => {
			if (event.button === 2) return;
			if (event.button === 1) event.preventDefault();
			if (fingers.size === 0) distance = 0;
			fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
			canvas.setPointerCapture(event.pointerId);
			if (fingers.size > 1) targets.cancel();
			else if (event.button === 0) targets.press(...canvasPoint(event), event.shiftKey);
		},
		{ signal },
	);
	canvas.addEventListener(
		'pointermove',
		(event) => {
			const finger = fingers.get(event.pointerId);
			if (finger === undefined) {
				if (event.buttons === 0) targets.hover(...canvasPoint(event));
				return;
			}
			const dx = event.clientX - finger.x;
			const dy = event.clientY - finger.y;
			distance += Math.abs(dx) + Math.abs(dy);
			if (distance < CLICK_PX) return;
			if (fingers.size === 2) {
				const oldDistance = fingerDistance(fingers);
				fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
				const newDistance = fingerDistance(fingers);
				if (oldDistance > 0 && newDistance > 0)
					targets.move({ kind: 'zoom', factor: oldDistance / newDistance });
				targets.move({ kind: 'pan', dx: dx / 2, dy: dy / 2 });
				return;
			}
			fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
			const move = { kind: event.shiftKey ? 'pan' : 'turn', dx, dy } as const;
			if ((event.buttons & 1) === 0) targets.move(move);
			else targets.drag(...canvasPoint(event), move);
		},
		{ signal },
	);
	const release = (event: PointerEvent): void => {
		if (!fingers.delete(event.pointerId)) return;
		if (event.type !== 'pointerup') targets.cancel();
		else if (event.button === 0 && fingers.size === 0)
			targets.release(...canvasPoint(event), event.shiftKey, distance < CLICK_PX);
	};
	canvas.addEventListener('pointerup', release, { signal });
	canvas.addEventListener('pointercancel', release, { signal });
	canvas.addEventListener('contextmenu', (event) => event.preventDefault(), { signal });
	canvas.addEventListener(
		'wheel',
		(event) => {
			event.preventDefault();
			const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * 16 : event.deltaY;
			targets.move({
				kind: 'zoom',
				factor: Math.exp(Math.max(-400, Math.min(400, pixels)) * WHEEL_EXPONENT),
			});
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
	return () => controller.abort();
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

function fingerDistance(fingers: ReadonlyMap<number, { x: number; y: number }>): number {
	const [a, b] = [...fingers.values()];
	return a === undefined || b === undefined ? 0 : Math.hypot(a.x - b.x, a.y - b.y);
}
