/**
 * Which entity is selected, and which lies under a point of the picture.
 * Owns: the selected entity. One whose slot was given to another is no longer it.
 */

import type { Ray } from 'three/webgpu';
import type { FrameRows } from '../host/frames.ts';
import { POSE_STRIDE } from './interpolate.ts';
import type { EntityRef } from './messages.ts';
import { Picker } from './pick.ts';
import type { Stage } from './stage.ts';
import type { Meshes } from './sync/meshes.ts';
import type { Outline } from './sync/outline.ts';
import type { Hit } from './sync/sync.ts';

export class Selection {
	readonly #picker = new Picker();
	#selected: EntityRef | null = null;

	/** Selects the entity that has this id now, or nothing. */
	select(id: number | null, rows: FrameRows | null): void {
		const row = id === null ? -1 : rowOf(id, rows);
		this.#selected = row < 0 ? null : refOf(row, rows!);
	}

	/** The entity that a ray hits first, or null; `click` selects it. */
	pick(ray: Ray, stage: Pick<Stage, 'meshes' | 'pick'>, rows: FrameRows, click: boolean): EntityRef | null {
		const met = this.meet(ray, stage, rows);
		const found = met === null ? null : { id: met.id, generation: met.generation };
		if (click) this.#selected = found;
		return found;
	}

	/** What a ray hits first and how far away, or null. */
	meet(ray: Ray, stage: Pick<Stage, 'meshes' | 'pick'>, rows: FrameRows): Hit | null {
		const hit = this.#picker.first(ray, stage.meshes.batches.values());
		const solid = stage.pick(ray);
		if (solid !== null && solid.distance < (hit?.distance ?? Infinity)) return solid;
		return hit === null ? null : { ...refOf(hit.row, rows), distance: hit.distance };
	}

	/** Puts the line round the selected entity, or takes it away. */
	draw(outline: Outline, meshes: Meshes, rows: FrameRows): void {
		const row = this.#selected === null ? -1 : rowOf(this.#selected.id, rows);
		const current = row >= 0 && rows.generations[row] === this.#selected!.generation;
		const found = current ? meshes.find(row) : null;
		if (found === null) outline.hide();
		else outline.show(found.batch, found.index * POSE_STRIDE);
	}
}

/** The row of an entity, or -1 when it is not drawn. */
export function rowOf(id: number, rows: FrameRows | null): number {
	return rows === null ? -1 : rows.ids.indexOf(id);
}

function refOf(row: number, rows: FrameRows): EntityRef {
	return { id: rows.ids[row]!, generation: rows.generations[row]! };
}
