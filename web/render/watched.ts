/**
 * Reports to the page during play: where units are in the picture, and what happens to them.
 * Owns: the rule that only changes are reported. Never: draws.
 */

import { type Camera, Vector3 } from 'three/webgpu';
import type { FrameBlocks, FrameEvent } from '../frames/frames.ts';
import { boxesOf } from './boxes.ts';
import { type BlendFrom, POSE_STRIDE } from './interpolate.ts';
import type { Order, PlaceInPicture, ViewEvent, Watching } from './messages.ts';
import type { Vec3 } from './orbit.ts';
import { BRASS_LINE, VERMILION } from './palette.ts';
import { rowOf } from './selection.ts';
import { stroke, under } from './tools/marks.ts';
import type { Sight } from './tools/sight.ts';
import type { Mark, Point } from './tools/tool.ts';

/** Distance from the top of a unit to its name (m). */
const NAME_LIFT = 0.35;

/** Duration of the mark at a position that a person chose (ms), and its initial radius (m). */
const MARK_MS = 600;
const MARK_RADIUS = 0.9;
/** Distance of a ring from the unit above it, and the ring's maximum radius (m). */
const RING_MARGIN = 0.25;
const MAX_RADIUS = 2.5;
const CORNERS = 36;
/** Height of rings above the ground (m). */
const RING_HEIGHT = 0.04;

/** A moment between two frames. */
export interface Moment {
	readonly blocks: FrameBlocks;
	readonly before: BlendFrom | null;
	/** 0: the previous frame, 1: the newest. */
	readonly blend: number;
}

/** Returns the position at which the middle of an entity is drawn; null if it is not drawn. */
export function placeOf({ blocks, before, blend }: Moment, id: number): Vec3 | null {
	const row = rowOf(id, blocks.rows);
	if (row < 0) return null;
	const to = row * POSE_STRIDE;
	const old = before === null ? -1 : (before.rows?.[row] ?? row);
	const from = old < 0 ? -1 : old * POSE_STRIDE;
	return [0, 1, 2].map((axis) => {
		const now = blocks.poses[to + axis]!;
		return from < 0 ? now : before!.poses[from + axis]! * (1 - blend) + now * blend;
	}) as Vec3;
}

/** Returns the distance from an entity's position to its top (m). */
function heightOf(blocks: FrameBlocks, id: number): number {
	const at = rowOf(id, blocks.rows) * POSE_STRIDE;
	const boxes = boxesOf(blocks);
	return boxes[at + 1]! + Math.abs(boxes[at + 8]!) / 2 - blocks.poses[at + 1]!;
}

/** Returns the visible parts of a circle on the ground. `dashed`: without every third part. */
function ringMarks(
	[x, y, z]: Readonly<Vec3>,
	radius: number,
	sight: Sight,
	color: number,
	dashed: boolean,
): Mark[] {
	const points = Array.from({ length: CORNERS + 1 }, (_, i) => {
		const angle = (i / CORNERS) * 2 * Math.PI;
		return sight.at(new Vector3(x + Math.cos(angle) * radius, y + RING_HEIGHT, z + Math.sin(angle) * radius));
	});
	const lines: Point[][] = [];
	for (let i = 0; i < CORNERS; i++) {
		const [from, to] = [points[i]!, points[i + 1]!];
		if (from === null || to === null || (dashed && i % 3 === 2)) continue;
		const last = lines.at(-1);
		if (last !== undefined && last.at(-1) === from) last.push(to);
		else lines.push([from, to]);
	}
	return lines.flatMap((line) => [...under(line), stroke(line, color)]);
}

/** Returns the height of a unit's lowest point above its position, and the radius of its ring (m). */
function footOf(blocks: FrameBlocks, id: number): { readonly foot: number; readonly radius: number } {
	const at = rowOf(id, blocks.rows) * POSE_STRIDE;
	const boxes = boxesOf(blocks);
	const size = Math.max(Math.abs(boxes[at + 7]!), Math.abs(boxes[at + 9]!)) / 2;
	return {
		foot: boxes[at + 1]! - Math.abs(boxes[at + 8]!) / 2 - blocks.poses[at + 1]!,
		radius: Math.min(MAX_RADIUS, size + RING_MARGIN),
	};
}

export class Watched {
	#watching: Watching | null = null;
	#order: (Order & { readonly at: number }) | null = null;
	#lastReport = '';
	readonly #point = new Vector3();
	readonly #report: (event: ViewEvent) => void;

	constructor(report: (event: ViewEvent) => void) {
		this.#report = report;
	}

	set(watching: Watching | null): void {
		this.#watching = watching;
		if (watching === null) this.#order = null;
		this.#lastReport = '';
	}

	/** Stores the latest order of a person. `at`: its time (ms). */
	order(order: Order, at: number): void {
		this.#order = { ...order, at };
	}

	/** Returns true while the mark of an order shrinks. */
	isMarking(now: number): boolean {
		const order = this.#order;
		return order !== null && order.point !== null && order.target === null && now - order.at < MARK_MS;
	}

	/** Returns rings under the played unit and its target, and the mark at the position of an order. */
	marks(moment: Moment, sight: Sight, now: number): readonly Mark[] {
		const watching = this.#watching;
		if (watching === null) return [];
		const order = this.#order;
		const ringUnder = (id: number | null | undefined, color: number, dashed: boolean): Mark[] => {
			const position = id == null ? null : placeOf(moment, id);
			if (position === null) return [];
			const { foot, radius } = footOf(moment.blocks, id!);
			return ringMarks([position[0], position[1] + foot, position[2]], radius, sight, color, dashed);
		};
		const remaining = order !== null && this.isMarking(now) ? 1 - (now - order.at) / MARK_MS : 0;
		return [
			...ringUnder(watching.mine, BRASS_LINE, false),
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
		const places: PlaceInPicture[] = [];
		for (const id of this.#watching.ids) {
			const position = placeOf(moment, id);
			if (position === null) continue;
			const { x, y, z } = this.#point
				.set(position[0], position[1] + heightOf(moment.blocks, id) + NAME_LIFT, position[2])
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
