/**
 * The selected entities, and the entity under a ray.
 * Owns: the selected entities. One whose slot was given to another is no longer selected.
 */

import { Plane, Ray, Vector3 } from 'three/webgpu';
import type { FrameRows } from '../frames/frames.ts';
import type { Aim, EntityRef, SelectedEntity } from './messages.ts';
import { Picker } from './pick.ts';
import type { Stage } from './stage.ts';
import type { Meshes } from './sync/meshes.ts';
import type { Outline } from './sync/outline.ts';
import type { Hit } from './sync/sync.ts';
import type { SurfaceHit } from './tools/landing.ts';

type PickedStage = Pick<Stage, 'meshes' | 'pick'>;

const UP = new Vector3(0, 1, 0);
/** The ground that is there where nothing else is: the plate, at height 0. */
const PLATE = new Plane(UP, 0);
/** Nothing is put down farther away than this (m). */
const FARTHEST = 1000;

export class Selection {
	readonly #picker = new Picker();
	#selected: readonly SelectedEntity[] = [];

	/** Selects these, the last one last. */
	select(entities: readonly SelectedEntity[]): void {
		this.#selected = entities;
	}

	get selected(): readonly SelectedEntity[] {
		return this.#selected;
	}

	/** Returns the entity that a ray hits first, or null. */
	pick(ray: Ray, stage: PickedStage, rows: FrameRows): EntityRef | null {
		const met = this.meet(ray, stage, rows);
		return met === null ? null : { id: met.id, generation: met.generation };
	}

	/** Returns the first hit of a ray and its distance, or null. */
	meet(ray: Ray, stage: PickedStage, rows: FrameRows): Hit | null {
		const hit = this.#picker.first(ray, stage.meshes);
		const solid = stage.pick(ray);
		if (solid !== null && solid.distance < (hit?.distance ?? Infinity)) return solid;
		return hit === null ? null : { ...refOf(hit.row, rows), distance: hit.distance };
	}

	/** Returns the target of a ray. Behind a unit the ground is taken to be at `height`. */
	aim(ray: Ray, height: number, stage: PickedStage, rows: FrameRows): Aim {
		const met = this.meet(ray, stage, rows);
		const hit = met === null ? null : { id: met.id, generation: met.generation };
		const row = met === null ? -1 : rowOf(met.id, rows);
		const onGround = met !== null && (row < 0 || rows.teams[row]! < 0);
		const { origin, direction } = ray;
		const distance = onGround ? met.distance : (height - origin.y) / direction.y;
		if (!(distance > 0 && distance < Infinity)) return { hit, point: null };
		const point = ray.at(distance, new Vector3());
		return { hit, point: [point.x, point.y, point.z] };
	}

	/**
	 * Returns the surface under a ray, and the row that has it or -1: an entity's but those in `skip`, a terrain's,
	 * or the plate's.
	 */
	surface(
		ray: Ray,
		stage: PickedStage,
		skip: ReadonlySet<number>,
	): (SurfaceHit & { readonly row: number }) | null {
		const hit = this.#picker.first(ray, stage.meshes, skip);
		const solid = stage.pick(ray)?.distance ?? Infinity;
		const plate = ray.distanceToPlane(PLATE) ?? Infinity;
		const distance = Math.min(hit?.distance ?? Infinity, solid, plate);
		if (!(distance < FARTHEST)) return null;
		const point = ray.at(distance, new Vector3());
		return hit !== null && hit.distance === distance
			? { point, normal: hit.normal, row: hit.row }
			: { point, normal: UP, row: -1 };
	}

	/** Returns the surface straight below a place. */
	below(position: Vector3, stage: PickedStage, skip: ReadonlySet<number>) {
		return this.surface(new Ray(position, new Vector3(0, -1, 0)), stage, skip);
	}

	/** Puts the line round the selected entities that are drawn, and round those below them. */
	draw(outline: Outline, meshes: Meshes, rows: FrameRows): void {
		const shown = new Set<number>();
		for (const { id, generation, carries } of this.#selected) {
			const row = rowOf(id, rows);
			if (row >= 0 && rows.generations[row] === generation) shown.add(row);
			for (const child of carries) shown.add(rowOf(child, rows));
		}
		const found = [...shown].flatMap((row) => {
			const drawn = row < 0 ? null : meshes.find(row);
			return drawn === null ? [] : [drawn];
		});
		outline.show(found);
	}
}

/** Returns the row of an entity, or -1 when it is not drawn. */
export function rowOf(id: number, rows: FrameRows | null): number {
	return rows === null ? -1 : rows.ids.indexOf(id);
}

function refOf(row: number, rows: FrameRows): EntityRef {
	return { id: rows.ids[row]!, generation: rows.generations[row]! };
}
