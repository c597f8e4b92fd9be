/**
 * What the page keeps an eye on while somebody plays: where units stand in the picture, and what happens to them.
 * Owns: that the page is told only of what is another now. Never: draws.
 */

import { type Camera, Vector3 } from 'three/webgpu';
import type { FrameBlocks, FrameEvent } from '../frames/frames.ts';
import { boxesOf } from './boxes.ts';
import { type BlendFrom, POSE_STRIDE } from './interpolate.ts';
import type { PlaceInPicture, ViewEvent, Watching } from './messages.ts';
import type { Vec3 } from './orbit.ts';
import { rowOf } from './selection.ts';

/** Metres from the top of a unit to where its name stands. */
const ABOVE = 0.35;

/** A frame on its way from the one before. */
export interface Moment {
	readonly blocks: FrameBlocks;
	readonly before: BlendFrom | null;
	/** 0: the frame before, 1: the newest. */
	readonly blend: number;
}

/** Where the middle of an entity is drawn; null when it is not. */
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

/** Metres from an entity's place to its top. */
function heightOf(blocks: FrameBlocks, id: number): number {
	const at = rowOf(id, blocks.rows) * POSE_STRIDE;
	const boxes = boxesOf(blocks);
	return boxes[at + 1]! + Math.abs(boxes[at + 8]!) / 2 - blocks.poses[at + 1]!;
}

export class Watched {
	#watching: Watching | null = null;
	#told = '';
	readonly #point = new Vector3();
	readonly #tell: (event: ViewEvent) => void;

	constructor(tell: (event: ViewEvent) => void) {
		this.#tell = tell;
	}

	set(watching: Watching | null): void {
		this.#watching = watching;
		this.#told = '';
	}

	/** Tells of what happened. */
	happened(world: string, tick: number, events: readonly FrameEvent[]): void {
		const kinds = this.#watching?.kinds;
		const told = kinds === undefined ? [] : events.filter(({ kind }) => kinds.includes(kind));
		if (told.length > 0) this.#tell({ type: 'happened', world, tick, events: told });
	}

	/** Tells where the watched stand in a picture of this size (CSS pixels). */
	drawn(moment: Moment, lens: Camera, width: number, height: number): void {
		if (this.#watching === null) return;
		const places: PlaceInPicture[] = [];
		for (const id of this.#watching.ids) {
			const place = placeOf(moment, id);
			if (place === null) continue;
			const { x, y, z } = this.#point
				.set(place[0], place[1] + heightOf(moment.blocks, id) + ABOVE, place[2])
				.project(lens);
			if (Math.abs(x) > 1.1 || Math.abs(y) > 1.1 || z > 1) continue;
			places.push({
				id,
				x: Math.round(((x + 1) / 2) * width),
				y: Math.round(((1 - y) / 2) * height),
			});
		}
		const said = JSON.stringify(places);
		if (said === this.#told) return;
		this.#told = said;
		this.#tell({ type: 'places', places });
	}
}
