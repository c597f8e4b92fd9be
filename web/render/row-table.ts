/**
 * Rows of a frame as textures: the poses of the last two frames, paint, code and surface.
 * Owns: the textures of one stage, each written once per frame, and the bounds of each row between the two
 * frames.
 * Never: knows which rows are drawn. The shader side is in row-nodes.ts.
 */

import { DataTexture, FloatType, NearestFilter, RGBAFormat, UnsignedByteType } from 'three/webgpu';
import { type BlendStart, blendPose, POSE_STRIDE } from './interpolate.ts';

/** Rows of the table side by side in a texture: a power of two. */
export const ROWS_ACROSS = 512;
/** Texels of a row. */
export const POSE_TEXELS = 3;
export const LOOK_TEXELS = 2;
export const SURFACE_TEXELS = 3;

/** Floats of a row: its pose as in frames, its state, and an unused number. */
const ROW_FLOATS = POSE_TEXELS * 4;
const SCALE_OFFSET = 7;
const STATE_OFFSET = POSE_STRIDE;
/** Floats of a row of `spheres`: the middle and the radius (m). A row of reaches has the same size. */
export const SPHERE_FLOATS = 4;

/** Poses of one frame, as a texture. */
interface RowPoses {
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
	readonly #frames: [RowPoses, RowPoses] = [makeRowPoses(ROWS_ACROSS), makeRowPoses(ROWS_ACROSS)];
	/** Index of the newest frame. */
	#newest: 0 | 1 = 1;
	#looks = makeTexture(LOOK_TEXELS, ROWS_ACROSS, UnsignedByteType);
	#surfaces = makeTexture(SURFACE_TEXELS, ROWS_ACROSS, FloatType);
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

	/** Share of the texture `second` in the shown poses. */
	get share(): number {
		return this.#newest === 1 ? this.#blend : 1 - this.#blend;
	}

	get textures(): Readonly<Record<'first' | 'second' | 'looks' | 'surfaces', DataTexture>> {
		return {
			first: this.#frames[0].texture,
			second: this.#frames[1].texture,
			looks: this.#looks,
			surfaces: this.#surfaces,
		};
	}

	get #previousFrame(): RowPoses {
		return this.#frames[1 - this.#newest]!;
	}

	get #newestFrame(): RowPoses {
		return this.#frames[this.#newest];
	}

	/** Makes room for `count` rows. Their looks, reaches and surfaces must be set afterwards. */
	setCount(count: number, hasSurfaces: boolean): void {
		this.#count = count;
		this.#isStale = true;
		this.#looks = textureWithRoom(this.#looks, LOOK_TEXELS, count, UnsignedByteType);
		if (hasSurfaces) this.#surfaces = textureWithRoom(this.#surfaces, SURFACE_TEXELS, count, FloatType);
		if (this.#spheres.length >= count * SPHERE_FLOATS) return;
		this.#spheres = new Float32Array(capacityFor(count) * SPHERE_FLOATS);
		this.#reaches = new Float32Array(this.#spheres.length);
		this.#sizes = new Float32Array(capacityFor(count));
	}

	/** Sets the paint of a row (sRGB bytes) and its code. */
	setLook(row: number, paint: ArrayLike<number>, offset: number, code: readonly number[]): void {
		const bytes = this.#looks.image.data as Uint8Array;
		const start = row * LOOK_TEXELS * 4;
		for (let component = 0; component < 3; component++) {
			bytes[start + component] = paint[offset + component]!;
			bytes[start + 4 + component] = code[component]!;
		}
		this.#looks.needsUpdate = true;
	}

	/**
	 * Sets the surface of a row: metallic, roughness, alpha, cutoff; emitted light; repeats; height of bumps,
	 * occlusion, transmission.
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
	 * Shows the moment `alpha` between the poses `previous` and `next`. Returns true if it wrote `next` and the
	 * state of each row. The caller must then apply the changes of this frame again, and request the bounds.
	 */
	setPoses(previous: BlendStart | null, next: Float32Array, alpha: number, living: Living): boolean {
		this.#blend = previous === null ? 1 : Math.min(alpha, 1);
		const isKnown =
			this.#newestFrame.source === next &&
			(previous === null || this.#previousFrame.source === previous.poses);
		if (isKnown && !this.#isStale) return false;
		this.#isStale = false;
		const previousRows = previous === null ? null : this.#setPrevious(previous, living);
		this.#frames[this.#newest] = withRoom(this.#newestFrame, this.#count);
		writePoses(this.#newestFrame, next, this.#count, null, living);
		if (previousRows !== null) {
			const [previousData, newestData] = [this.#previousFrame.data, this.#newestFrame.data];
			for (let row = 0; row < this.#count; row++)
				if (previousRows[row]! < 0)
					previousData.set(newestData.subarray(row * ROW_FLOATS, (row + 1) * ROW_FLOATS), row * ROW_FLOATS);
		}
		return true;
	}

	/** Makes `before` the earlier frame. Returns each row's index in it, -1 for new rows; null if the rows are the same. */
	#setPrevious({ poses, rows }: BlendStart, living: Living): Int32Array | null {
		if (this.#newestFrame.source === poses && rows === null) {
			this.#newest = this.#newest === 1 ? 0 : 1;
			return null;
		}
		if (this.#newestFrame.source !== poses && this.#previousFrame.source === poses) return null;
		this.#frames[1 - this.#newest] = withRoom(this.#previousFrame, this.#count);
		if (this.#newestFrame.source === poses && rows !== null) {
			const [target, source] = [this.#previousFrame.data, this.#newestFrame.data];
			for (let row = 0; row < this.#count; row++) {
				const start = rows[row]! * ROW_FLOATS;
				if (start >= 0) target.set(source.subarray(start, start + ROW_FLOATS), row * ROW_FLOATS);
			}
			this.#previousFrame.source = poses;
			this.#previousFrame.texture.needsUpdate = true;
		} else writePoses(this.#previousFrame, poses, this.#count, rows, living);
		return rows;
	}

	/** Sets the state of a row in this frame: dead, living or flashing. */
	setState(row: number, state: number): void {
		this.#newestFrame.data[row * ROW_FLOATS + STATE_OFFSET] = state;
	}

	stateOf(row: number): number {
		return this.#newestFrame.data[row * ROW_FLOATS + STATE_OFFSET]!;
	}

	/** Shrinks a row in this frame. `low`: its lowest point before scaling, which does not move. */
	shrink(row: number, low: number, widthFactor: number, heightFactor: number): void {
		const { data } = this.#newestFrame;
		const start = row * ROW_FLOATS;
		data[start + 1]! += low * data[start + SCALE_OFFSET + 1]! * (1 - heightFactor);
		data[start + SCALE_OFFSET]! *= widthFactor;
		data[start + SCALE_OFFSET + 1]! *= heightFactor;
		data[start + SCALE_OFFSET + 2]! *= widthFactor;
	}

	/** Sets the reach of rows from their positions before scaling, along each axis or in any direction (m). */
	setReach(order: Uint32Array, reach: readonly [number, number, number] | number): void {
		const [x, y, z] = typeof reach === 'number' ? [reach, reach, reach] : reach;
		for (const row of order) {
			const start = row * SPHERE_FLOATS;
			this.#reaches[start] = x * x;
			this.#reaches[start + 1] = y * y;
			this.#reaches[start + 2] = z * z;
			this.#reaches[start + 3] = typeof reach === 'number' ? 1 : 0;
		}
	}

	/** Requests bounds of all rows, with a margin (m). `isMoving`: rows move from the previous frame. */
	requestBounds(margin: number, isMoving: boolean): void {
		this.#more = margin;
		this.#moves = isMoving;
		this.#version++;
	}

	/** Number of the poses. Spheres that were measured for another number are not valid. */
	get version(): number {
		return this.#version;
	}

	/** Sphere around each row between the two frames. */
	get spheres(): Float32Array {
		if (this.#measured !== this.#version) this.#computeBounds(null);
		this.#measured = this.#version;
		return this.#spheres;
	}

	/** Returns the spheres, of which only those of the rows in `order` are valid. */
	spheresOf(order: Uint32Array): Float32Array {
		if (this.#measured !== this.#version) this.#computeBounds(order);
		return this.#spheres;
	}

	/** Largest scale of each row in the two frames. */
	get sizes(): Float32Array {
		if (this.#sized !== this.#version) this.#measureSizes();
		this.#sized = this.#version;
		return this.#sizes;
	}

	#measureSizes(): void {
		const newest = this.#newestFrame.data;
		const previous = this.#moves ? this.#previousFrame.data : newest;
		for (let row = 0; row < this.#count; row++) {
			const start = row * ROW_FLOATS + SCALE_OFFSET;
			const widthFactor = largerSquare(newest[start]!, previous[start]!);
			const heightFactor = largerSquare(newest[start + 1]!, previous[start + 1]!);
			const squareZ = largerSquare(newest[start + 2]!, previous[start + 2]!);
			this.#sizes[row] = Math.sqrt(Math.max(widthFactor, heightFactor, squareZ));
		}
	}

	/** Measures the spheres of the rows in `order`; null for all. */
	#computeBounds(order: Uint32Array | null): void {
		const newest = this.#newestFrame.data;
		const previous = this.#moves ? this.#previousFrame.data : newest;
		const spheres = this.#spheres;
		const reaches = this.#reaches;
		const margin = this.#more;
		const count = order === null ? this.#count : order.length;
		for (let index = 0; index < count; index++) {
			const row = order === null ? index : order[index]!;
			const poseStart = row * ROW_FLOATS;
			const sphereStart = row * SPHERE_FLOATS;
			const dx = (newest[poseStart]! - previous[poseStart]!) / 2;
			const dy = (newest[poseStart + 1]! - previous[poseStart + 1]!) / 2;
			const dz = (newest[poseStart + 2]! - previous[poseStart + 2]!) / 2;
			const x =
				largerSquare(newest[poseStart + SCALE_OFFSET]!, previous[poseStart + SCALE_OFFSET]!) *
				reaches[sphereStart]!;
			const y =
				largerSquare(newest[poseStart + SCALE_OFFSET + 1]!, previous[poseStart + SCALE_OFFSET + 1]!) *
				reaches[sphereStart + 1]!;
			const z =
				largerSquare(newest[poseStart + SCALE_OFFSET + 2]!, previous[poseStart + SCALE_OFFSET + 2]!) *
				reaches[sphereStart + 2]!;
			const reach = Math.sqrt(reaches[sphereStart + 3] === 1 ? Math.max(x, y, z) : x + y + z);
			const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
			spheres[sphereStart] = previous[poseStart]! + dx;
			spheres[sphereStart + 1] = previous[poseStart + 1]! + dy;
			spheres[sphereStart + 2] = previous[poseStart + 2]! + dz;
			// A small margin for the rounding to 32 bits.
			spheres[sphereStart + 3] = (reach + distance + margin) * 1.0001 + 0.0001;
		}
	}

	/** Writes the pose of a row at the shown moment, in the layout of frames. */
	poseOf(row: number, out: Float32Array): Float32Array {
		const start = row * ROW_FLOATS;
		const [previous, newest] = [this.#previousFrame.data, this.#newestFrame.data].map((data) =>
			data.subarray(start, start + POSE_STRIDE),
		);
		blendPose(out, previous!, newest!, this.#blend);
		return out;
	}

	dispose(): void {
		for (const texture of Object.values(this.textures)) texture.dispose();
	}
}

const largerSquare = (a: number, b: number): number => Math.max(a * a, b * b);

/** Writes the poses of `count` rows. `rows`: the index of each row in `poses`; null if it is the same. */
function writePoses(
	moment: RowPoses,
	poses: Float32Array,
	count: number,
	rows: Int32Array | null,
	{ dead, alive }: Living,
): void {
	const { data, texture } = moment;
	if (rows === null && poses.byteOffset % 8 === 0) copyPairs(moment, poses, count);
	else
		for (let row = 0; row < count; row++) {
			const source = (rows === null ? row : rows[row]!) * POSE_STRIDE;
			if (source < 0) continue;
			const target = row * ROW_FLOATS;
			for (let component = 0; component < POSE_STRIDE; component++)
				data[target + component] = poses[source + component]!;
		}
	for (let row = 0; row < count; row++) data[row * ROW_FLOATS + STATE_OFFSET] = dead[row] === 1 ? 0 : alive;
	moment.source = poses;
	texture.needsUpdate = true;
}

/** Copies the poses of `count` rows, two numbers at a time. */
function copyPairs({ pairs }: RowPoses, poses: Float32Array, count: number): void {
	const source = new Float64Array(poses.buffer, poses.byteOffset, (count * POSE_STRIDE) / 2);
	for (let row = 0, start = 0; row < count; row++, start += POSE_STRIDE / 2) {
		const target = row * (ROW_FLOATS / 2);
		pairs[target] = source[start]!;
		pairs[target + 1] = source[start + 1]!;
		pairs[target + 2] = source[start + 2]!;
		pairs[target + 3] = source[start + 3]!;
		pairs[target + 4] = source[start + 4]!;
	}
}

function makeRowPoses(rows: number): RowPoses {
	const texture = makeTexture(POSE_TEXELS, rows, FloatType);
	const data = texture.image.data as Float32Array;
	return { texture, data, pairs: new Float64Array(data.buffer), rows, source: null };
}

/** Returns poses with room for `count` rows. */
function withRoom(moment: RowPoses, count: number): RowPoses {
	if (count <= moment.rows) return moment;
	moment.texture.dispose();
	return makeRowPoses(capacityFor(count));
}

/** Returns a texture with room for `count` rows. */
function textureWithRoom(
	texture: DataTexture,
	texels: number,
	count: number,
	type: typeof FloatType | typeof UnsignedByteType,
): DataTexture {
	if (count <= texture.image.height * ROWS_ACROSS) return texture;
	texture.dispose();
	return makeTexture(texels, capacityFor(count), type);
}

/**
 * Returns a capacity for `count` rows. It is at most an eighth larger, because the whole texture is sent to
 * the device.
 */
function capacityFor(count: number): number {
	const step = Math.max(ROWS_ACROSS, 2 ** (Math.ceil(Math.log2(Math.max(count, 1))) - 3));
	return Math.max(1, Math.ceil(count / step)) * step;
}

export function makeTexture(
	texels: number,
	rows: number,
	type: typeof FloatType | typeof UnsignedByteType,
): DataTexture {
	const [width, height] = [ROWS_ACROSS * texels, rows / ROWS_ACROSS];
	const length = width * height * 4;
	const data = type === FloatType ? new Float32Array(length) : new Uint8Array(length);
	const texture = new DataTexture(data, width, height, RGBAFormat, type);
	texture.magFilter = texture.minFilter = NearestFilter;
	texture.generateMipmaps = false;
	texture.needsUpdate = true;
	return texture;
}
