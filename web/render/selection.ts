/**
 * Which entity is selected, and which lies under a point of the picture.
 * Owns: the selected entity. One whose slot was given to another is no longer it.
 */

import type { Ray } from 'three/webgpu';
import type { FrameRows } from '../host/frames.ts';
import { POSE_STRIDE } from './interpolate.ts';
import type { EntityRef } from './messages.ts';
import { Picker } from './pick.ts';
import type { Meshes } from './sync/meshes.ts';
import type { Outline } from './sync/outline.ts';

export class Selection {
	readonly #picker = new Picker();
	#selected: EntityRef | null = null;

	/** Selects the entity that has this id now, or nothing. */
	select(id: number | null, rows: FrameRows | null): void {
		const row = id === null ? -1 : rowOf(id, rows);
		this.#selected = row < 0 ? null : refOf(row, rows!);
	}

	/** The entity that a ray hits first, or null; `click` selects it. */
	pick(ray: Ray, meshes: Meshes, rows: FrameRows, click: boolean): EntityRef | null {
		const hit = this.#picker.first(ray, meshes.batches.values());
		const found = hit === null ? null : refOf(hit.row, rows);
		if (click) this.#selected = found;
		return found;
	}

	/** Puts the line round the selected entity, or takes it away. */
	draw(outline: Outline, meshes: Meshes, rows: FrameRows): void {
		const row = this.#selected === null ? -1 : rowOf(this.#selected.id, rows);
		const current = row >= 0 && rows.generations[row] === this.#selected!.generation;
		const found = current ? meshes.find(row) : null;
		if (found === null) outline.hide();
		else outline.show(found.batch.shape, found.batch.poses, found.index * POSE_STRIDE);
	}
}

/** The row of an entity, or -1 when it is not drawn. */
export function rowOf(id: number, rows: FrameRows | null): number {
	return rows === null ? -1 : rows.ids.indexOf(id);
}

function refOf(row: number, rows: FrameRows): EntityRef {
	return { id: rows.ids[row]!, generation: rows.generations[row]! };
}
