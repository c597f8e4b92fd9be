/**
 * Lists of visible rows, for each group of rows and each frustum of a picture.
 * Owns: the test of spheres against a frustum, the lists on the device, one for each level of detail, and the
 * mesh that draws a list. Every pass has its own lists, also shadows and reflections, because three.js calls
 * the mesh before each pass.
 */

import {
	type BufferGeometry,
	type Frustum,
	type FrustumArray,
	InstancedBufferAttribute,
	InstancedBufferGeometry,
	type Material,
	Mesh,
} from 'three/webgpu';
import type { NumberList } from '../../../shared/contract/numbers.ts';
import { type Detail, distancesOf, type Eye, levelAt, ONE_LEVEL, SHARP_EYE } from '../detail-level.ts';
import { type RowTable, SPHERE_FLOATS } from '../row-table.ts';

/** Minimum number of instances for which a buffer has room. */
const MIN_CAPACITY = 16;
/** Number of planes of a frustum. */
const PLANES = 6;
/** Share of unseen rows up to which a list contains all rows, and its limits. */
const SPARE = { least: 0.1, most: 0.5 };
/** Triangles that a GPU draws in the time in which the processor tests a row. */
const TRIANGLES_PER_TEST = 45;
/** Pictures for which a list with all rows is not tested again. */
const REST_PICTURES = 15;
/**
 * Minimum number of triangles for levels of detail. In smaller groups, levels save less than their draws
 * cost.
 */
const MIN_TRIANGLES = 20_000;

/**
 * Frustums of the current picture. They are numbered in order of use, so each keeps its number in the next
 * picture.
 */
export class Views {
	/** Number of the picture. */
	picture = 0;
	/** True if the processor draws. Then unseen triangles cost more than tests of rows. */
	readonly isSoftware: boolean;
	/** Eye of the picture, on which the levels of detail of all its passes depend. */
	eye: Eye = SHARP_EYE;
	#count = 0;
	readonly #planes: Float64Array[] = [];
	readonly #scratch = new Float64Array(PLANES * 4);

	constructor(isSoftware = true) {
		this.isSoftware = isSoftware;
	}

	/** Begins the next picture. Its own frustum comes first, then those of shadows and reflections. */
	beginPicture(eye = SHARP_EYE): void {
		this.eye = eye;
		this.picture++;
		this.#count = 0;
	}

	/** Returns the number of a frustum in this picture. */
	numberOf({ planes }: Frustum): number {
		const scratch = this.#scratch;
		for (let plane = 0; plane < PLANES; plane++) {
			const { normal, constant } = planes[plane]!;
			scratch[plane * 4] = normal.x;
			scratch[plane * 4 + 1] = normal.y;
			scratch[plane * 4 + 2] = normal.z;
			scratch[plane * 4 + 3] = constant;
		}
		for (let view = 0; view < this.#count; view++) if (isSame(this.#planes[view]!, scratch)) return view;
		this.#planes[this.#count] ??= new Float64Array(PLANES * 4);
		this.#planes[this.#count]!.set(scratch);
		return this.#count++;
	}

	/** Returns four numbers for each plane of a frustum: its normal, which points inwards, and its distance. */
	planesOf(view: number): Float64Array {
		return this.#planes[view]!;
	}
}

/** Returns true if all numbers of two arrays of the same length are equal. */
function isSame(a: Float64Array, b: Float64Array): boolean {
	for (let offset = 0; offset < a.length; offset++) if (a[offset] !== b[offset]) return false;
	return true;
}

/** Rows that are drawn together in one view. */
interface VisibleRows {
	readonly view: number;
	readonly rows: InstancedBufferAttribute;
	/** Indices of the rows in their group, which are the keys of their bones; null without bones. */
	readonly slots: InstancedBufferAttribute | null;
	count: number;
}

/** Visible rows of one group in one view. */
interface RowList extends VisibleRows {
	/** The same rows by level of detail; empty if all rows have full detail. */
	readonly levels: readonly VisibleRows[];
	/** Number of the picture of its last update. */
	picture: number;
	/** Pictures for which the list still contains all rows without a test. */
	rest: number;
}

/** A group of rows with the same look. */
export class RowGroup {
	readonly #views: Views;
	readonly #table: RowTable;
	/** Called with the index of each visible row, to compute its bones; null without bones. */
	readonly #fillBones: ((index: number) => void) | null;
	readonly #detail: Detail;
	/** Distances at which the levels begin. */
	readonly #distances: Float64Array;
	#rows: Uint32Array = new Uint32Array(0);
	/** Spheres of its rows, and the number of the poses for which they were measured. */
	#spheres: Float32Array = new Float32Array(0);
	#measured = -1;
	/** Lists by view. */
	readonly #lists = new Map<number, RowList>();

	constructor(
		views: Views,
		table: RowTable,
		fillBones: ((index: number) => void) | null = null,
		detail: Detail = ONE_LEVEL,
	) {
		this.#views = views;
		this.#table = table;
		this.#fillBones = fillBones;
		this.#detail = detail;
		this.#distances = new Float64Array(detail.errors.length);
	}

	/** Rows of the frame, in ascending order. */
	get rows(): Uint32Array {
		return this.#rows;
	}

	set rows(order: Uint32Array) {
		const { isDivided } = this;
		this.#rows = order;
		this.#measured = -1;
		for (const list of this.#lists.values()) list.rest = 0;
		const isFull = [...this.#lists.values()].some(({ rows }) => rows.count < order.length);
		if (isFull || this.isDivided !== isDivided) this.dispose();
	}

	/** True if its rows are drawn at several levels of detail. */
	get isDivided(): boolean {
		const { triangles, errors } = this.#detail;
		return errors.length > 0 && this.#rows.length * triangles >= MIN_TRIANGLES;
	}

	/** Returns the rows in a frustum. */
	visibleRows(frustum: Frustum): RowList {
		const view = this.#views.numberOf(frustum);
		let list = this.#lists.get(view);
		if (list === undefined) {
			list = this.#makeList(view);
			this.#lists.set(view, list);
		}
		if (list.picture === this.#views.picture) return list;
		list.picture = this.#views.picture;
		if (list.rest > 0) list.rest--;
		else this.#collectRows(list, this.#views.planesOf(view));
		if (list.levels.length > 0) this.#assignLevels(list);
		return list;
	}

	/** Returns the visible rows at a level of detail; null if the group does not have this level. */
	visibleRowsAt(frustum: Frustum, level: number): VisibleRows | null {
		const list = this.visibleRows(frustum);
		return list.levels[level] ?? (level === 0 ? list : null);
	}

	/** Frees the lists. They are created again at their next use. */
	dispose(): void {
		for (const list of this.#lists.values())
			for (const { rows, slots } of [list, ...list.levels]) {
				rows.dispose();
				slots?.dispose();
			}
		this.#lists.clear();
	}

	/** Share of unseen rows up to which it is cheaper to draw all rows. */
	get #spare(): number {
		const { triangles } = this.#detail;
		if (this.#views.isSoftware || triangles === 0) return SPARE.least;
		return Math.min(Math.max(TRIANGLES_PER_TEST / triangles, SPARE.least), SPARE.most);
	}

	/** Measures the spheres of its rows. */
	#measure(): Float32Array {
		this.#measured = this.#table.version;
		this.#spheres = this.#table.spheresOf(this.#rows);
		return this.#spheres;
	}

	#collectRows(list: RowList, planes: Float64Array): void {
		const rows = list.rows.array as Uint32Array;
		const slots = (list.slots?.array ?? null) as Uint32Array | null;
		const order = this.#rows;
		const spheres = this.#measured === this.#table.version ? this.#spheres : this.#measure();
		const [ax, ay, az, aw, bx, by, bz, bw, cx, cy, cz, cw] = planes as unknown as NumberList<12>;
		const [dx, dy, dz, dw, ex, ey, ez, ew, fx, fy, fz, fw] = planes.subarray(12) as unknown as NumberList<12>;
		let count = 0;
		let hasChanged = false;
		for (let index = 0; index < order.length; index++) {
			const row = order[index]!;
			const offset = row * SPHERE_FLOATS;
			const x = spheres[offset]!;
			const y = spheres[offset + 1]!;
			const z = spheres[offset + 2]!;
			const limit = -spheres[offset + 3]!;
			// Not a loop, so that the planes stay in registers. A row without a position (NaN) counts as inside.
			if (ax * x + ay * y + az * z + aw < limit || bx * x + by * y + bz * z + bw < limit) continue;
			if (cx * x + cy * y + cz * z + cw < limit || dx * x + dy * y + dz * z + dw < limit) continue;
			if (ex * x + ey * y + ez * z + ew < limit || fx * x + fy * y + fz * z + fw < limit) continue;
			if (rows[count] !== row) {
				rows[count] = row;
				hasChanged = true;
			}
			if (slots !== null) {
				slots[count] = index;
				this.#fillBones?.(index);
			}
			count++;
		}
		if (slots === null && count >= order.length * (1 - this.#spare)) {
			// Drawing unseen rows changes nothing, and leaving out so few saves less than it costs.
			hasChanged ||= count < order.length;
			rows.set(order);
			count = order.length;
			list.rest = REST_PICTURES;
		}
		hasChanged ||= count > list.count;
		list.count = count;
		if (hasChanged || slots !== null) markForUpload(list);
	}

	/** Assigns the visible rows to their levels of detail in this picture. */
	#assignLevels({ view, rows, slots, count, levels }: RowList): void {
		const { eye } = this.#views;
		const distances = this.#distances;
		distancesOf(this.#detail.errors, eye, view > 0, distances);
		const spheres = this.#measured === this.#table.version ? this.#spheres : this.#measure();
		const { sizes } = this.#table;
		const listRows = rows.array as Uint32Array;
		const listSlots = (slots?.array ?? null) as Uint32Array | null;
		const levelRows = levels.map((level) => level.rows.array as Uint32Array);
		const levelSlots = levels.map((level) => (level.slots?.array ?? null) as Uint32Array | null);
		const counts = levels.map(() => 0);
		for (let index = 0; index < count; index++) {
			const row = listRows[index]!;
			const offset = row * SPHERE_FLOATS;
			const x = spheres[offset]! - eye.x;
			const y = spheres[offset + 1]! - eye.y;
			const z = spheres[offset + 2]! - eye.z;
			const distance = eye.isParallel ? 1 : Math.sqrt(x * x + y * y + z * z) - spheres[offset + 3]!;
			const level = levelAt(distances, distance, sizes[row]!);
			const position = counts[level]!++;
			levelRows[level]![position] = row;
			if (listSlots !== null) levelSlots[level]![position] = listSlots[index]!;
		}
		for (const [level, levelList] of levels.entries()) {
			levelList.count = counts[level]!;
			markForUpload(levelList);
		}
	}

	#makeList(view: number): RowList {
		const length = capacityOf(this.#rows.length);
		const attribute = () => new InstancedBufferAttribute(new Uint32Array(length), 1);
		const hasBones = this.#fillBones !== null;
		const make = (): VisibleRows => ({
			view,
			rows: attribute(),
			slots: hasBones ? attribute() : null,
			count: 0,
		});
		const levels = this.isDivided ? [make(), ...this.#detail.errors.map(make)] : [];
		return { ...make(), levels, picture: -1, rest: 0 };
	}
}

/** Marks the rows for sending to the device with the next draw. */
function markForUpload({ rows, slots, count }: VisibleRows): void {
	for (const attribute of [rows, slots]) {
		if (attribute === null) continue;
		attribute.clearUpdateRanges();
		attribute.addUpdateRange(0, count);
		attribute.needsUpdate = true;
	}
}

/** Vertices of a shape, and the corners of its triangles. */
export type Triangles = Pick<BufferGeometry, 'index' | 'attributes'>;

/** Mesh that draws each visible row of a group as an instance of a shape. */
export class RowsMesh extends Mesh<InstancedBufferGeometry, Material> {
	readonly #group: RowGroup;
	/** Level of detail of its rows; null for all rows. */
	readonly #level: number | null;
	#shape: Triangles;
	/** One geometry for each view. */
	readonly #geometries = new Map<number, InstancedBufferGeometry>();

	constructor(group: RowGroup, shape: Triangles, level: number | null = null) {
		super(new InstancedBufferGeometry());
		this.#group = group;
		this.#level = level;
		this.#shape = shape;
		this.matrixAutoUpdate = false;
	}

	/** Replaces the shape. */
	setShape(shape: Triangles): void {
		this.#disposeGeometries();
		this.#shape = shape;
	}

	/** Called by three.js before each pass. Selects the list of the rows that are visible in the pass. */
	override intersectsFrustum(frustum: Frustum | FrustumArray): boolean {
		const group = this.#group;
		const passFrustum = frustum as Frustum;
		const visible =
			this.#level === null ? group.visibleRows(passFrustum) : group.visibleRowsAt(passFrustum, this.#level);
		// A small part of a model may have no triangles at a distance.
		if (visible === null || this.#shape.index?.count === 0) return false;
		const { view, rows, slots, count } = visible;
		let geometry = this.#geometries.get(view);
		if (geometry === undefined) {
			geometry = instancedGeometry(this.#shape);
			this.#geometries.set(view, geometry);
		}
		if (geometry.getAttribute('row') !== rows) {
			geometry.setAttribute('row', rows);
			if (slots !== null) geometry.setAttribute('slot', slots);
		}
		geometry.instanceCount = count;
		this.geometry = geometry;
		return count > 0;
	}

	/** Restores the list of this pass, because a nested pass, such as for shadows, has selected another. */
	override onBeforeRender(...[, , , geometry]: Parameters<Mesh['onBeforeRender']>): void {
		this.geometry = geometry as InstancedBufferGeometry;
	}

	override dispose(): void {
		super.dispose();
		this.#disposeGeometries();
	}

	#disposeGeometries(): void {
		for (const geometry of this.#geometries.values()) geometry.dispose();
		this.#geometries.clear();
	}
}

/** Returns a geometry that draws a shape several times. */
export function instancedGeometry(shape: Triangles): InstancedBufferGeometry {
	const geometry = new InstancedBufferGeometry();
	geometry.setIndex(shape.index);
	for (const [name, vertexAttribute] of Object.entries(shape.attributes))
		geometry.setAttribute(name, vertexAttribute);
	geometry.instanceCount = 0;
	return geometry;
}

/** Returns the smallest power of two that is at least `count`, or the minimum capacity. */
export function capacityOf(count: number): number {
	return 2 ** Math.ceil(Math.log2(Math.max(count, MIN_CAPACITY)));
}
