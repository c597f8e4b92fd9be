/**
 * The rows of a frame as textures: the pose in the last two frames, paint, code, surface.
 * Owns: the textures of one stage, each written once per frame, and the bounds of each row between the two frames.
 * Never: knows which rows are drawn. The shader side is in row-nodes.ts.
 */

import { DataTexture, FloatType, NearestFilter, RGBAFormat, UnsignedByteType } from 'three/webgpu';
import { type BlendFrom, blendPose, POSE_STRIDE } from './interpolate.ts';

/** Rows side by side in a texture: a power of two. */
export const ACROSS = 512;
/** Texels of a row. */
export const POSE_TEXELS = 3;
export const LOOK_TEXELS = 2;
export const SURFACE_TEXELS = 3;

/** Floats of a row: its pose as in frames, its state, and an unused number. */
const ROW_FLOATS = POSE_TEXELS * 4;
const SCALE = 7;
const STATE = POSE_STRIDE;
/** Floats of a row of `spheres`: the middle and the radius (m). A row of reaches has the same size. */
export const SPHERE_FLOATS = 4;

/** Poses in one frame. */
interface RowMoment {
	readonly texture: DataTexture;
	readonly data: Float32Array;
	/** The same numbers two by two, which are copied faster. */
	readonly pairs: Float64Array;
	readonly rows: number;
	/** Poses from which the texture was written. */
	source: Float32Array | null;
}

/** The dead rows, and the state of the others. */
export interface Living {
	readonly dead: Uint8Array;
	readonly alive: number;
}

export class RowTable {
	#count = 0;
	/**
	 * The two frames, whose roles alternate. Swapping the textures instead would make every draw bind them again.
	 */
	readonly #moments: [RowMoment, RowMoment] = [makeMoment(ACROSS), makeMoment(ACROSS)];
	/** Index of the newest frame. */
	#newest: 0 | 1 = 1;
	#looks = makeTexture(LOOK_TEXELS, ACROSS, UnsignedByteType);
	#surfaces = makeTexture(SURFACE_TEXELS, ACROSS, FloatType);
	#blend = 1;
	#isStale = true;
	#spheres = new Float32Array(0);
	#sizes = new Float32Array(0);
	/** Number of the poses that `enclose` was last called for, and those of `#spheres` of all rows and of `#sizes`. */
	#version = 0;
	#measured = 0;
	#sized = 0;
	/** Margin of the spheres (m), and true if rows move from the earlier frame. */
	#more = 0;
	#moves = false;
	/** Squares of the reach along each axis, and 1 if it is a radius in any direction. */
	#reaches = new Float32Array(0);

	/** Share of the texture `second` in the poses that are shown. */
	get share(): number {
		return this.#newest === 1 ? this.#blend : 1 - this.#blend;
	}

	get textures(): Readonly<Record<'first' | 'second' | 'looks' | 'surfaces', DataTexture>> {
		return {
			first: this.#moments[0].texture,
			second: this.#moments[1].texture,
			looks: this.#looks,
			surfaces: this.#surfaces,
		};
	}

	get #was(): RowMoment {
		return this.#moments[1 - this.#newest]!;
	}

	get #now(): RowMoment {
		return this.#moments[this.#newest];
	}

	/** Makes room for `count` rows. Their looks, reaches and surfaces must be set afterwards. */
	setCount(count: number, isSurfaced: boolean): void {
		this.#count = count;
		this.#isStale = true;
		this.#looks = roomFor(this.#looks, LOOK_TEXELS, count, UnsignedByteType);
		if (isSurfaced) this.#surfaces = roomFor(this.#surfaces, SURFACE_TEXELS, count, FloatType);
		if (this.#spheres.length >= count * SPHERE_FLOATS) return;
		this.#spheres = new Float32Array(rowsAbove(count) * SPHERE_FLOATS);
		this.#reaches = new Float32Array(this.#spheres.length);
		this.#sizes = new Float32Array(rowsAbove(count));
	}

	/** Sets the paint of a row (sRGB bytes) and its code. */
	setLook(row: number, paint: ArrayLike<number>, from: number, code: readonly number[]): void {
		const bytes = this.#looks.image.data as Uint8Array;
		const at = row * LOOK_TEXELS * 4;
		for (let part = 0; part < 3; part++) {
			bytes[at + part] = paint[from + part]!;
			bytes[at + 4 + part] = code[part]!;
		}
		this.#looks.needsUpdate = true;
	}

	/**
	 * Sets the surface of a row: metallic, roughness, alpha, cutoff; emitted light; repeats; height of bumps, occlusion,
	 * transmission.
	 */
	setSurface(row: number, values: readonly number[]): void {
		(this.#surfaces.image.data as Float32Array).set(values, row * SURFACE_TEXELS * 4);
		this.#surfaces.needsUpdate = true;
	}

	/** Makes the next `setPoses` write the poses even if they have not changed. */
	expire(): void {
		this.#isStale = true;
	}

	/**
	 * Shows the moment `alpha` between the poses `before` and `next`. Returns true if it wrote `next` and the state of
	 * each row: then the caller must apply the changes of this frame again and enclose all rows.
	 */
	setPoses(before: BlendFrom | null, next: Float32Array, alpha: number, living: Living): boolean {
		this.#blend = before === null ? 1 : Math.min(alpha, 1);
		const isKnown = this.#now.source === next && (before === null || this.#was.source === before.poses);
		if (isKnown && !this.#isStale) return false;
		this.#isStale = false;
		const isNew = before === null ? null : this.#keep(before, living);
		this.#moments[this.#newest] = room(this.#now, this.#count);
		fill(this.#now, next, this.#count, null, living);
		if (isNew !== null) {
			const [was, now] = [this.#was.data, this.#now.data];
			for (let row = 0; row < this.#count; row++)
				if (isNew[row]! < 0)
					was.set(now.subarray(row * ROW_FLOATS, (row + 1) * ROW_FLOATS), row * ROW_FLOATS);
		}
		return true;
	}

	/** Makes `before` the earlier frame. Returns each row's index in it, -1 for new rows; null if the rows are the same. */
	#keep({ poses, rows }: BlendFrom, living: Living): Int32Array | null {
		if (this.#now.source === poses && rows === null) {
			this.#newest = this.#newest === 1 ? 0 : 1;
			return null;
		}
		if (this.#now.source !== poses && this.#was.source === poses) return null;
		this.#moments[1 - this.#newest] = room(this.#was, this.#count);
		if (this.#now.source === poses && rows !== null) {
			const [to, from] = [this.#was.data, this.#now.data];
			for (let row = 0; row < this.#count; row++) {
				const at = rows[row]! * ROW_FLOATS;
				if (at >= 0) to.set(from.subarray(at, at + ROW_FLOATS), row * ROW_FLOATS);
			}
			this.#was.source = poses;
			this.#was.texture.needsUpdate = true;
		} else fill(this.#was, poses, this.#count, rows, living);
		return rows;
	}

	/** Sets the state of a row in this frame: dead, living or flashing. */
	setState(row: number, state: number): void {
		this.#now.data[row * ROW_FLOATS + STATE] = state;
	}

	stateOf(row: number): number {
		return this.#now.data[row * ROW_FLOATS + STATE]!;
	}

	/** Shrinks a row in this frame. `low`: its lowest point before scaling, which does not move. */
	shrink(row: number, low: number, wide: number, high: number): void {
		const { data } = this.#now;
		const at = row * ROW_FLOATS;
		data[at + 1]! += low * data[at + SCALE + 1]! * (1 - high);
		data[at + SCALE]! *= wide;
		data[at + SCALE + 1]! *= high;
		data[at + SCALE + 2]! *= wide;
	}

	/** Sets the reach of the rows in `order` from their places before scaling, along each axis or in any direction (m). */
	setReach(order: Uint32Array, reach: readonly [number, number, number] | number): void {
		const [x, y, z] = typeof reach === 'number' ? [reach, reach, reach] : reach;
		for (const row of order) {
			const at = row * SPHERE_FLOATS;
			this.#reaches[at] = x * x;
			this.#reaches[at + 1] = y * y;
			this.#reaches[at + 2] = z * z;
			this.#reaches[at + 3] = typeof reach === 'number' ? 1 : 0;
		}
	}

	/** Encloses all rows with a margin of `more` metres. `moves`: they move from the earlier frame. */
	enclose(more: number, moves: boolean): void {
		this.#more = more;
		this.#moves = moves;
		this.#version++;
	}

	/** Number of the poses. Spheres that were measured for another number are not valid. */
	get version(): number {
		return this.#version;
	}

	/** Sphere around each row between the two frames. */
	get spheres(): Float32Array {
		if (this.#measured !== this.#version) this.#measure(null);
		this.#measured = this.#version;
		return this.#spheres;
	}

	/** Returns the spheres, of which only those of the rows in `order` are valid. */
	spheresOf(order: Uint32Array): Float32Array {
		if (this.#measured !== this.#version) this.#measure(order);
		return this.#spheres;
	}

	/** Largest scale of each row in the two frames. */
	get sizes(): Float32Array {
		if (this.#sized !== this.#version) this.#measureSizes();
		this.#sized = this.#version;
		return this.#sizes;
	}

	#measureSizes(): void {
		const now = this.#now.data;
		const was = this.#moves ? this.#was.data : now;
		for (let row = 0; row < this.#count; row++) {
			const at = row * ROW_FLOATS + SCALE;
			const wide = largerSquare(now[at]!, was[at]!);
			const high = largerSquare(now[at + 1]!, was[at + 1]!);
			const deep = largerSquare(now[at + 2]!, was[at + 2]!);
			this.#sizes[row] = Math.sqrt(Math.max(wide, high, deep));
		}
	}

	/** Measures the spheres of the rows in `order`; null for all. */
	#measure(order: Uint32Array | null): void {
		const now = this.#now.data;
		const was = this.#moves ? this.#was.data : now;
		const spheres = this.#spheres;
		const reaches = this.#reaches;
		const more = this.#more;
		const count = order === null ? this.#count : order.length;
		for (let index = 0; index < count; index++) {
			const row = order === null ? index : order[index]!;
			const at = row * ROW_FLOATS;
			const to = row * SPHERE_FLOATS;
			const dx = (now[at]! - was[at]!) / 2;
			const dy = (now[at + 1]! - was[at + 1]!) / 2;
			const dz = (now[at + 2]! - was[at + 2]!) / 2;
			const x = largerSquare(now[at + SCALE]!, was[at + SCALE]!) * reaches[to]!;
			const y = largerSquare(now[at + SCALE + 1]!, was[at + SCALE + 1]!) * reaches[to + 1]!;
			const z = largerSquare(now[at + SCALE + 2]!, was[at + SCALE + 2]!) * reaches[to + 2]!;
			const far = Math.sqrt(reaches[to + 3] === 1 ? Math.max(x, y, z) : x + y + z);
			const moved = Math.sqrt(dx * dx + dy * dy + dz * dz);
			spheres[to] = was[at]! + dx;
			spheres[to + 1] = was[at + 1]! + dy;
			spheres[to + 2] = was[at + 2]! + dz;
			// A small margin for the rounding to 32 bits.
			spheres[to + 3] = (far + moved + more) * 1.0001 + 0.0001;
		}
	}

	/** Writes the pose of a row at the shown moment, in the layout of frames. */
	poseOf(row: number, out: Float32Array): Float32Array {
		const at = row * ROW_FLOATS;
		const [was, now] = [this.#was.data, this.#now.data].map((data) => data.subarray(at, at + POSE_STRIDE));
		blendPose(out, was!, now!, this.#blend);
		return out;
	}

	dispose(): void {
		for (const texture of Object.values(this.textures)) texture.dispose();
	}
}

const largerSquare = (a: number, b: number): number => Math.max(a * a, b * b);

/** Writes the poses of `count` rows. `rows`: the index of each row in `poses`; null if it is the same. */
function fill(
	moment: RowMoment,
	poses: Float32Array,
	count: number,
	rows: Int32Array | null,
	{ dead, alive }: Living,
): void {
	const { data, texture } = moment;
	if (rows === null && poses.byteOffset % 8 === 0) copyPairs(moment, poses, count);
	else
		for (let row = 0; row < count; row++) {
			const from = (rows === null ? row : rows[row]!) * POSE_STRIDE;
			if (from < 0) continue;
			const to = row * ROW_FLOATS;
			for (let part = 0; part < POSE_STRIDE; part++) data[to + part] = poses[from + part]!;
		}
	for (let row = 0; row < count; row++) data[row * ROW_FLOATS + STATE] = dead[row] === 1 ? 0 : alive;
	moment.source = poses;
	texture.needsUpdate = true;
}

/** Copies the poses of `count` rows, two numbers at a time. */
function copyPairs({ pairs }: RowMoment, poses: Float32Array, count: number): void {
	const from = new Float64Array(poses.buffer, poses.byteOffset, (count * POSE_STRIDE) / 2);
	for (let row = 0, at = 0; row < count; row++, at += POSE_STRIDE / 2) {
		const to = row * (ROW_FLOATS / 2);
		pairs[to] = from[at]!;
		pairs[to + 1] = from[at + 1]!;
		pairs[to + 2] = from[at + 2]!;
		pairs[to + 3] = from[at + 3]!;
		pairs[to + 4] = from[at + 4]!;
	}
}

function makeMoment(rows: number): RowMoment {
	const texture = makeTexture(POSE_TEXELS, rows, FloatType);
	const data = texture.image.data as Float32Array;
	return { texture, data, pairs: new Float64Array(data.buffer), rows, source: null };
}

/** Returns a moment with room for `count` rows. */
function room(moment: RowMoment, count: number): RowMoment {
	if (count <= moment.rows) return moment;
	moment.texture.dispose();
	return makeMoment(rowsAbove(count));
}

/** Returns a texture with room for `count` rows. */
function roomFor(
	held: DataTexture,
	texels: number,
	count: number,
	type: typeof FloatType | typeof UnsignedByteType,
): DataTexture {
	if (count <= held.image.height * ACROSS) return held;
	held.dispose();
	return makeTexture(texels, rowsAbove(count), type);
}

/** Returns a capacity for `count` rows, at most an eighth more: the whole texture is sent to the device. */
function rowsAbove(count: number): number {
	const step = Math.max(ACROSS, 2 ** (Math.ceil(Math.log2(Math.max(count, 1))) - 3));
	return Math.max(1, Math.ceil(count / step)) * step;
}

export function makeTexture(
	texels: number,
	rows: number,
	type: typeof FloatType | typeof UnsignedByteType,
): DataTexture {
	const [width, height] = [ACROSS * texels, rows / ACROSS];
	const length = width * height * 4;
	const data = type === FloatType ? new Float32Array(length) : new Uint8Array(length);
	const texture = new DataTexture(data, width, height, RGBAFormat, type);
	texture.magFilter = texture.minFilter = NearestFilter;
	texture.generateMipmaps = false;
	texture.needsUpdate = true;
	return texture;
}
