/**
 * Dragging the row of an entity onto another row.
 * Owns: distinguishing a drag from a click, and the row under the pointer.
 */

import { useRef } from 'preact/hooks';
import type { Entity } from '../entities/entity.ts';
import { usePanels } from '../state/panels.ts';

/** Called when an entity is dragged onto another row; null for the row of a group. */
export type Drop = (dragged: Entity, onto: Entity | null) => void;

/** A press that moves less than this (CSS pixels) is a click. */
const CLICK_PX = 4;

const DROP_MARK = 'drop-target';

/** Makes a row draggable onto others. Returns the listeners of its element. */
export function useRowDrag(entity: Entity, drop: Drop) {
	const { entities } = usePanels();
	const from = useRef<readonly [number, number] | null>(null);
	const target = useRef<Element | null>(null);
	const mark = (now: Element | null) => {
		target.current?.classList.remove(DROP_MARK);
		now?.classList.add(DROP_MARK);
		target.current = now;
	};
	const end = () => {
		from.current = null;
		mark(null);
	};
	return {
		onPointerDown(event: PointerEvent) {
			if (event.button === 0 && event.target instanceof Element && event.target.closest('input') === null)
				from.current = [event.clientX, event.clientY];
		},
		onPointerMove(event: PointerEvent) {
			if (from.current === null) return;
			const [x, y] = from.current;
			if (target.current === null && Math.hypot(event.clientX - x, event.clientY - y) < CLICK_PX) return;
			(event.currentTarget as Element).setPointerCapture(event.pointerId);
			const under = document.elementFromPoint(event.clientX, event.clientY)?.closest('.tree-row') ?? null;
			mark(under === event.currentTarget ? null : under);
		},
		onPointerUp() {
			const row = target.current;
			end();
			if (row === null) return;
			const id = /^entity-(\d+)$/.exec(row.id)?.[1];
			const onto = id === undefined ? null : entities.list.value.find((entity) => entity.id === Number(id));
			if (onto !== undefined) drop(entity, onto);
		},
		onPointerCancel: end,
	};
}
