/**
 * Reports to the page during play: positions of units in the picture, and watched events.
 * Owns: the rule that only changes are reported. Never: draws.
 */

import { type Camera, Vector3 } from 'three/webgpu';
import type { FrameBlocks, FrameEvent } from '../frames/frames.ts';
import { boxesOf } from './boxes.ts';
import { type BlendStart, POSE_STRIDE } from './interpolate.ts';
import type { Order, PicturePosition, ViewEvent, Watching } from './messages.ts';
import type { Vec3 } from './orbit.ts';
import { BRASS_LINE, VERMILION } from './palette.ts';
import { rowOf } from './selection.ts';
import { shadeMarks, stroke } from './tools/marks.ts';
import type { Sight } from './tools/sight.ts';
import type { Mark, Point } from './tools/tool.ts';

/** Distance from the top of a unit to its name (m). */
const NAME_HEIGHT = 0.35;

/** Duration of the mark at a position that a person chose (ms). */
const MARK_MS = 600;
/** Initial radius of this mark (m). */
const MARK_RADIUS = 0.9;
/** Distance of a ring from the outline of its unit (m). */
const RING_MARGIN = 0.25;
/** Maximum radius of a ring (m). */
const MAX_RADIUS = 2.5;
const RING_POINTS = 36;
/** Height of rings above the ground (m). */
const RING_HEIGHT = 0.04;

/** Moment between two frames. */
export interface Moment {
	readonly blocks: FrameBlocks;
	readonly start: BlendStart | null;
	/** Share of the newest frame: 0 is the previous frame, 1 is the newest. */
	readonly blend: number;
}

/** Returns the position at which the middle of an entity is drawn; null if it is not drawn. */
export function drawnPosition({ blocks, start, blend }: Moment, id: number): Vec3 | null {
	const row = rowOf(id, blocks.rows);
	if (row < 0) return null;
	const offset = row * POSE_STRIDE;
	const previousRow = start === null ? -1 : (start.rows?.[row] ?? row);
	const previousOffset = previousRow < 0 ? -1 : previousRow * POSE_STRIDE;
	return [0, 1, 2].map((axis) => {
		const current = blocks.poses[offset + axis]!;
		return previousOffset < 0
			? current
			: start!.poses[previousOffset + axis]! * (1 - blend) + current * blend;
	}) as Vec3;
}

/** Returns the distance from an entity's position to its top (m). */
function topOf(blocks: FrameBlocks, id: number): number {
	const offset = rowOf(id, blocks.rows) * POSE_STRIDE;
	const boxes = boxesOf(blocks);
	return boxes[offset + 1]! + Math.abs(boxes[offset + 8]!) / 2 - blocks.poses[offset + 1]!;
}

/** Returns the visible parts of a circle on the ground. `isDashed`: without every third part. */
function ringMarks(
	[x, y, z]: Readonly<Vec3>,
	radius: number,
	sight: Sight,
	color: number,
	isDashed: boolean,
): Mark[] {
	const points = Array.from({ length: RING_POINTS + 1 }, (_, i) => {
		const angle = (i / RING_POINTS) * 2 * Math.PI;
		return sight.pointOf(
			new Vector3(x + Math.cos(angle) * radius, y + RING_HEIGHT, z + Math.sin(angle) * radius),
		);
	});
	const lines: Point[][] = [];
	for (let i = 0; i < RING_POINTS; i++) {
		const [start, end] = [points[i]!, points[i + 1]!];
		if (start === null || end === null || (isDashed && i % 3 === 2)) continue;
		const last = lines.at(-1);
		if (last !== undefined && last.at(-1) === start) last.push(end);
		else lines.push([start, end]);
	}
	return lines.flatMap((line) => [...shadeMarks(line), stroke(line, color)]);
}

/** Returns the height of a unit's lowest point above its position, and the radius of its ring (m). */
function footOf(blocks: FrameBlocks, id: number): { readonly foot: number; readonly radius: number } {
	const offset = rowOf(id, blocks.rows) * POSE_STRIDE;
	const boxes = boxesOf(blocks);
	const size = Math.max(Math.abs(boxes[offset + 7]!), Math.abs(boxes[offset + 9]!)) / 2;
	return {
		foot: boxes[offset + 1]! - Math.abs(boxes[offset + 8]!) / 2 - blocks.poses[offset + 1]!,
		radius: Math.min(MAX_RADIUS, size + RING_MARGIN),
	};
}

export class WatchReporter {
	#watching: Watching | null = null;
	#order: (Order & { readonly time: number }) | null = null;
	#lastReport = '';
	readonly #point = new Vector3();
	readonly #report: (event: ViewEvent) => void;

	constructor(report: (event: ViewEvent) => void) {
		this.#report = report;
	}

	watch(watching: Watching | null): void {
		this.#watching = watching;
		if (watching === null) this.#order = null;
		this.#lastReport = '';
	}

	/** Stores the latest order of a person. `at`: its time (ms). */
	setOrder(order: Order, time: number): void {
		this.#order = { ...order, time };
	}

	/** Returns true while the mark of an order shrinks. */
	isMarking(now: number): boolean {
		const order = this.#order;
		return order !== null && order.point !== null && order.target === null && now - order.time < MARK_MS;
	}

	/** Returns rings under the played unit and its target, and the mark at the position of an order. */
	marks(moment: Moment, sight: Sight, now: number): readonly Mark[] {
		const watching = this.#watching;
		if (watching === null) return [];
		const order = this.#order;
		const ringUnder = (id: number | null | undefined, color: number, isDashed: boolean): Mark[] => {
			const position = id == null ? null : drawnPosition(moment, id);
			if (position === null) return [];
			const { foot, radius } = footOf(moment.blocks, id!);
			return ringMarks([position[0], position[1] + foot, position[2]], radius, sight, color, isDashed);
		};
		const remaining = order !== null && this.isMarking(now) ? 1 - (now - order.time) / MARK_MS : 0;
		return [
			...ringUnder(watching.ownUnit, BRASS_LINE, false),
			...ringUnder(order?.target, VERMILION, true),
			...(remaining > 0 ? ringMarks(order!.point!, MARK_RADIUS * remaining, sight, BRASS_LINE, false) : []),
		];
	}

	/** Reports the events of a tick whose kinds the page watches. */
	reportEvents(world: string, tick: number, events: readonly FrameEvent[]): void {
		const kinds = this.#watching?.kinds;
		const frameEvents = kinds === undefined ? [] : events.filter(({ kind }) => kinds.includes(kind));
		if (frameEvents.length > 0) this.#report({ type: 'happened', world, tick, events: frameEvents });
	}

	/** Reports the positions of the watched units in a picture of this size (CSS pixels). */
	reportPositions(moment: Moment, lens: Camera, width: number, height: number): void {
		if (this.#watching === null) return;
		const places: PicturePosition[] = [];
		for (const id of this.#watching.ids) {
			const position = drawnPosition(moment, id);
			if (position === null) continue;
			const { x, y, z } = this.#point
				.set(position[0], position[1] + topOf(moment.blocks, id) + NAME_HEIGHT, position[2])
				.project(lens);
			if (Math.abs(x) > 1.1 || Math.abs(y) > 1.1 || z > 1) continue;
			places.push({
				id,
				x: Math.round(((x + 1) / 2) * width),
				y: Math.round(((1 - y) / 2) * height),
			});
		}
		const text = JSON.stringify(places);
		if (text === this.#lastReport) return;
		this.#lastReport = text;
		this.#report({ type: 'places', places });
	}
}
