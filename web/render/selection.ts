/**
 * The selected entities, and the entity under a ray.
 * Owns: the selected entities. A despawned entity is no longer selected, even if a later entity has its id.
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

type PickableStage = Pick<Stage, 'meshes' | 'pick'>;

const UP = new Vector3(0, 1, 0);
const DOWN = new Vector3(0, -1, 0);
/** The plate: the ground at height 0 if nothing else is hit. */
const PLATE = new Plane(UP, 0);
/** Maximum distance of a surface from the eye (m). */
const MAX_DISTANCE = 1000;

export class Selection {
	readonly #picker = new Picker();
	#selected: readonly SelectedEntity[] = [];

	/** Replaces the selection. The last entity is the one selected last. */
	select(entities: readonly SelectedEntity[]): void {
		this.#selected = entities;
	}

	get selected(): readonly SelectedEntity[] {
		return this.#selected;
	}

	/** Returns the entity that a ray hits first, or null. */
	pick(ray: Ray, stage: PickableStage, rows: FrameRows): EntityRef | null {
		const hit = this.firstHit(ray, stage, rows);
		return hit === null ? null : { id: hit.id, generation: hit.generation };
	}

	/** Returns the first hit of a ray and its distance, or null. */
	firstHit(ray: Ray, stage: PickableStage, rows: FrameRows): Hit | null {
		const hit = this.#picker.firstHit(ray, stage.meshes);
		const solid = stage.pick(ray);
		if (solid !== null && solid.distance < (hit?.distance ?? Infinity)) return solid;
		return hit === null ? null : { ...refOf(hit.row, rows), distance: hit.distance };
	}

	/**
	 * Returns the target of a ray. If the ray hits a unit or the sky, the point is its intersection with
	 * `height` (m).
	 */
	aimAt(ray: Ray, height: number, stage: PickableStage, rows: FrameRows): Aim {
		const first = this.firstHit(ray, stage, rows);
		const hit = first === null ? null : { id: first.id, generation: first.generation };
		const row = first === null ? -1 : rowOf(first.id, rows);
		const isOnGround = first !== null && (row < 0 || rows.teams[row]! < 0);
		const { origin, direction } = ray;
		const distance = isOnGround ? first.distance : (height - origin.y) / direction.y;
		if (!(distance > 0 && distance < Infinity)) return { hit, point: null };
		const point = ray.at(distance, new Vector3());
		return { hit, point: [point.x, point.y, point.z] };
	}

	/**
	 * Returns the first surface on a ray: of an entity not in `skip`, of a terrain or of the plate. `row`: row
	 * of the entity, or -1.
	 */
	surfaceHit(
		ray: Ray,
		stage: PickableStage,
		skip: ReadonlySet<number>,
	): (SurfaceHit & { readonly row: number }) | null {
		const hit = this.#picker.firstHit(ray, stage.meshes, skip);
		const solid = stage.pick(ray)?.distance ?? Infinity;
		const plate = ray.distanceToPlane(PLATE) ?? Infinity;
		const distance = Math.min(hit?.distance ?? Infinity, solid, plate);
		if (!(distance < MAX_DISTANCE)) return null;
		const point = ray.at(distance, new Vector3());
		return hit !== null && hit.distance === distance
			? { point, normal: hit.normal, row: hit.row }
			: { point, normal: UP, row: -1 };
	}

	/** Returns the surface straight below a position. */
	surfaceBelow(position: Vector3, stage: PickableStage, skip: ReadonlySet<number>) {
		return this.surfaceHit(new Ray(position, DOWN), stage, skip);
	}

	/** Returns the height of one row's surface straight below a position; null without one. */
	heightOf(row: number, position: Vector3, stage: PickableStage): number | null {
		const otherRows = { has: (candidate: number) => candidate !== row };
		const hit = this.#picker.firstHit(new Ray(position, DOWN), stage.meshes, otherRows);
		return hit === null ? null : position.y - hit.distance;
	}

	/** Outlines the selected entities that are drawn, and their children. */
	draw(outline: Outline, meshes: Meshes, rows: FrameRows): void {
		const rowsToOutline = new Set<number>();
		for (const { id, generation, descendants } of this.#selected) {
			const row = rowOf(id, rows);
			if (row >= 0 && rows.generations[row] === generation) rowsToOutline.add(row);
			for (const child of descendants) rowsToOutline.add(rowOf(child, rows));
		}
		const drawnRows = [...rowsToOutline].flatMap((row) => {
			const drawn = row < 0 ? null : meshes.drawnRow(row);
			return drawn === null ? [] : [drawn];
		});
		outline.setInstances(drawnRows);
	}
}

/** Returns the row of an entity, or -1 when it is not drawn. */
export function rowOf(id: number, rows: FrameRows | null): number {
	return rows === null ? -1 : rows.ids.indexOf(id);
}

function refOf(row: number, rows: FrameRows): EntityRef {
	return { id: rows.ids[row]!, generation: rows.generations[row]! };
}
