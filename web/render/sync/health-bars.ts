/**
 * Health bars, which face the camera and keep their size on screen. One draw call shows all bars.
 * Owns: the choice of rows with a bar, and the look of bars. A colour and a mark (disc, rhomb or square) show
 * the team.
 */

import {
	abs,
	attribute,
	cameraProjectionMatrix,
	cameraViewMatrix,
	Fn,
	float,
	floor,
	fract,
	length,
	max,
	mix,
	positionGeometry,
	select,
	step,
	uniform,
	varying,
	vec2,
	vec3,
	vec4,
} from 'three/tsl';
import {
	type Camera,
	Color,
	Matrix4,
	type Mesh,
	MeshBasicNodeMaterial,
	type Node,
	Vector2,
} from 'three/webgpu';
import type { BlockName, FrameBlocks, FrameRows } from '../../frames/frames.ts';
import { boxesOf } from '../boxes.ts';
import { halfHeight } from '../extent.ts';
import { type BlendStart, POSE_STRIDE } from '../interpolate.ts';
import {
	INK,
	LAPIS,
	LAPIS_SHADE,
	ROSE,
	ROSE_SHADE,
	VERDIGRIS,
	VERDIGRIS_SHADE,
	VERMILION,
	VERMILION_SHADE,
} from '../palette.ts';
import { BarPlaces, insideOf } from './bar-places.ts';
import { capacityOf } from './rows-mesh.ts';
import { ScreenQuads } from './screen-quads.ts';
import type { Picture, Sync } from './sync.ts';

const ROLE_HERO = 1;
const ROLE_TOWER = 3;
const ROLE_STRUCTURE = 4;

/** Width and height of bars (CSS pixels). */
const HERO: readonly [number, number] = [80, 10];
const TOWER: readonly [number, number] = [64, 7];
const MINION: readonly [number, number] = [44, 6];
/** Space for the mark at each side of a bar (CSS pixels). */
const MARK_SPACE = 14;
/** Height of the mark (CSS pixels). */
const MARK_HEIGHT = 11;
/** Distance from the top of an entity to its bar (m). */
const GAP = 0.35;
/** Numbers of a bar: position and filling; width, height, team and notches; shift (CSS pixels). */
const LAYOUT = { barAnchor: 4, barStyle: 4, barShift: 2 } as const;
/** Shift of a bar without room, which moves it out of the picture. */
const OUT_OF_PICTURE = 1e6;
/**
 * Size of a picture from which on bars have full size (CSS pixels). In smaller pictures they shrink, at most
 * to `MIN_SCALE`.
 */
const FULL_WIDTH = 640;
/** Minimum height of a picture in which bars have full size (CSS pixels). */
const FULL_HEIGHT = 400;
const MIN_SCALE = 0.5;
/** Blocks on which the choice and the look of bars depend. */
const LOOK_BLOCKS: readonly BlockName[] = ['rows', 'health', 'dead'];
/** HP between two notches on a hero's bar. */
const NOTCH_HP = 100;

/** Material of bars, and the size of the picture for it, from `barScreen`. */
export interface BarMaterial {
	readonly material: MeshBasicNodeMaterial;
	readonly screen: { value: Vector2 };
}

/**
 * Returns the size of a picture for its bars (CSS pixels). A small picture counts as a larger one, so its
 * bars shrink.
 */
export function barScreen(width: number, height: number): readonly [width: number, height: number] {
	const scale = Math.max(Math.min(width / FULL_WIDTH, height / FULL_HEIGHT, 1), MIN_SCALE);
	return [width / scale, height / scale];
}

/** Creates the material. Each renderer has one. */
export function barMaterial(): BarMaterial {
	const screen = uniform(new Vector2(1, 1));
	const material = new MeshBasicNodeMaterial();
	material.transparent = true;
	material.depthTest = false;
	material.depthWrite = false;
	material.toneMapped = false;
	const anchor = attribute<'vec4'>('barAnchor', 'vec4');
	const style = attribute<'vec4'>('barStyle', 'vec4');
	const shift = attribute<'vec2'>('barShift', 'vec2');
	const size = style.xy;
	const quad = vec2(size.x.add(MARK_SPACE * 2), max(size.y, MARK_HEIGHT));
	material.vertexNode = Fn(() => {
		const clip = cameraProjectionMatrix.mul(cameraViewMatrix).mul(vec4(anchor.xyz, 1)).toVar();
		const pixel = vec2(2).div(screen);
		// Whole pixels keep edges crisp.
		const anchorPixel = floor(clip.xy.div(clip.w).div(pixel)).add(shift).mul(pixel);
		const corner = anchorPixel.add(positionGeometry.xy.mul(quad).mul(pixel));
		return select(clip.w.lessThanEqual(0.05), vec4(2, 2, 2, 1), vec4(corner, 0, 1));
	})();
	const position = varying(positionGeometry.xy.add(0.5).mul(quad));
	const barSize = varying(size);
	const fill = varying(anchor.w);
	const team = varying(style.z);
	const notches = varying(style.w);
	material.fragmentNode = Fn(() => {
		// p: pixels from the bar's lower left corner.
		const p = position.sub(vec2(MARK_SPACE, max(barSize.y, MARK_HEIGHT).sub(barSize.y).mul(0.5))).toVar();
		const insideBar = step(0, p.x).mul(step(p.x, barSize.x)).mul(step(0, p.y)).mul(step(p.y, barSize.y));
		const edge = step(p.x, 1)
			.add(step(barSize.x.sub(1), p.x))
			.add(step(p.y, 1))
			.add(step(barSize.y.sub(1), p.y));
		const position1d = p.x.sub(1).div(barSize.x.sub(2));
		const light = teamColor(team, LAPIS, VERMILION, ROSE, VERDIGRIS);
		const shade = teamColor(team, LAPIS_SHADE, VERMILION_SHADE, ROSE_SHADE, VERDIGRIS_SHADE);
		const ramp = mix(shade, light, step(barSize.y.mul(0.5), p.y));
		const notch = select(
			notches.greaterThan(1),
			step(fract(position1d.mul(notches)), notches.div(barSize.x.sub(2))).mul(
				step(0.5, floor(position1d.mul(notches))),
			),
			float(0),
		);
		const filledShare = step(position1d, fill);
		const track = mix(encodedColor(INK), ramp, filledShare.mul(float(1).sub(notch.mul(0.75))));
		const body = mix(track, encodedColor(INK), edge.min(1));
		// The mark to the left of the bar: disc, rhomb, or square from the third team on.
		const m = position.sub(vec2(MARK_SPACE - 7, max(barSize.y, MARK_HEIGHT).mul(0.5)));
		const rhomb = abs(m.x).add(abs(m.y));
		const square = max(abs(m.x), abs(m.y)).mul(1.15);
		const distance = select(
			team.lessThan(1.5),
			length(m),
			select(team.lessThan(2.5), rhomb.mul(0.85), square),
		);
		const hasMark = step(0.5, team);
		const markShare = step(distance, 5).mul(hasMark);
		const markColor = mix(encodedColor(INK), light, step(distance, 3.6));
		const alpha = max(insideBar.mul(0.94), markShare);
		return vec4(mix(body, markColor, markShare.mul(float(1).sub(insideBar))), alpha);
	})();
	material.name = 'health-bars';
	return { material, screen };
}

/** Bars of a frame. */
export class HealthBars implements Sync {
	readonly object: Mesh;
	readonly isOver = true;
	readonly #screen: BarMaterial['screen'];
	readonly #quads: ScreenQuads;
	#rows: Uint32Array = new Uint32Array(0);
	#count = 0;
	#heights: Float32Array = new Float32Array(0);
	readonly #view = new Matrix4();
	readonly #places = new BarPlaces();
	/** Offset in the numbers of each placed bar. */
	#seen: Uint32Array = new Uint32Array(0);

	constructor({ material, screen }: BarMaterial) {
		this.#screen = screen;
		this.#quads = new ScreenQuads(material, LAYOUT, 20);
		this.object = this.#quads.mesh;
	}

	/** Number of bars. */
	get count(): number {
		return this.#count;
	}

	/** Takes a frame. `changed`: changed blocks, or null if all of the frame is new. */
	setFrame(blocks: FrameBlocks, changed: ReadonlySet<BlockName> | null = null): void {
		if (changed === null || LOOK_BLOCKS.some((name) => changed.has(name))) this.#chooseRows(blocks);
		const { poses } = blocks;
		const boxes = boxesOf(blocks);
		for (let index = 0; index < this.#count; index++) {
			const pose = this.#rows[index]! * POSE_STRIDE;
			this.#heights[index] = boxes[pose + 1]! - poses[pose + 1]! + halfHeight(boxes, pose) + GAP;
		}
	}

	/**
	 * Chooses the rows with a bar: wounded entities, and all heroes, towers and structures. Heroes are last, so
	 * they are on top.
	 */
	#chooseRows({ rows, health, dead }: FrameBlocks): void {
		const { roles } = rows;
		if (roles.length > this.#rows.length) {
			this.#rows = new Uint32Array(capacityOf(roles.length));
			this.#heights = new Float32Array(this.#rows.length);
		}
		const chosenRows = this.#rows;
		let count = 0;
		let heroRows = 0;
		for (let row = 0; row < roles.length; row++) {
			const maximum = health[row * 2 + 1]!;
			if (maximum <= 0 || dead[row] === 1) continue;
			const role = roles[row]!;
			if (role === ROLE_HERO) heroRows++;
			else if (role === ROLE_TOWER || role === ROLE_STRUCTURE || health[row * 2]! < maximum)
				chosenRows[count++] = row;
		}
		for (let row = 0; heroRows > 0; row++) {
			if (roles[row] !== ROLE_HERO || health[row * 2 + 1]! <= 0 || dead[row] === 1) continue;
			chosenRows[count++] = row;
			heroRows--;
		}
		this.#count = count;
		this.#quads.reserve(count);
		for (let index = 0; index < count; index++) this.#style(index, rows, health);
		this.#quads.count = count;
	}

	/** Writes the size, the filling and the mark of a bar. */
	#style(index: number, { roles, teams }: FrameRows, health: Float32Array): void {
		const row = this.#rows[index]!;
		const role = roles[row]!;
		const size = role === ROLE_HERO ? HERO : role === ROLE_TOWER || role === ROLE_STRUCTURE ? TOWER : MINION;
		const maximum = health[row * 2 + 1]!;
		const { data, stride } = this.#quads;
		const offset = index * stride;
		data[offset + 3] = Math.min(Math.max(health[row * 2]! / maximum, 0), 1);
		data[offset + 4] = size[0];
		data[offset + 5] = size[1];
		data[offset + 6] = Math.max(teams[row]!, 0);
		const notches = maximum / NOTCH_HP;
		data[offset + 7] = role === ROLE_HERO && notches <= size[0] / 4 ? notches : 0;
	}

	/** Moves the bars above the drawn positions of their entities. */
	setPoses(previous: BlendStart | null, next: Float32Array, alpha: number): void {
		if (this.#count === 0) return;
		const { data, stride } = this.#quads;
		const from = previous === null || alpha >= 1 ? null : previous;
		for (let index = 0; index < this.#count; index++) {
			const row = this.#rows[index]!;
			const current = row * POSE_STRIDE;
			const previousRow = from === null ? -1 : from.rows === null ? row : from.rows[row]!;
			// Without an earlier pose, both are the newest.
			const poses = previousRow < 0 ? next : from!.poses;
			const start = previousRow < 0 ? current : previousRow * POSE_STRIDE;
			const to = index * stride;
			for (let axis = 0; axis < 3; axis++) {
				const origin = poses[start + axis]!;
				data[to + axis] = origin + (next[current + axis]! - origin) * alpha;
			}
			data[to + 1]! += this.#heights[index]!;
		}
	}

	prepare(picture: Picture): void {
		this.object.visible = picture.channel === 'color' && this.#count > 0;
		const [width, height] = barScreen(picture.width, picture.height);
		this.#screen.value.set(width, height);
		this.#arrange(picture.lens, width, height);
	}

	/**
	 * Shifts bars so that none covers another and all are inside the picture. The size comes from `barScreen`.
	 */
	#arrange(lens: Camera, width: number, height: number): void {
		const count = this.#count;
		if (count === 0) return;
		const { data, stride } = this.#quads;
		const places = this.#places;
		places.begin(count);
		if (this.#seen.length < count) this.#seen = new Uint32Array(capacityOf(count));
		const e = this.#view.multiplyMatrices(lens.projectionMatrix, lens.matrixWorldInverse).elements;
		for (let index = 0; index < count; index++) {
			const offset = index * stride;
			data[offset + 8] = data[offset + 9] = 0;
			const [px, py, pz] = [data[offset]!, data[offset + 1]!, data[offset + 2]!];
			const w = e[3]! * px + e[7]! * py + e[11]! * pz + e[15]!;
			const x = e[0]! * px + e[4]! * py + e[8]! * pz + e[12]!;
			const y = e[1]! * px + e[5]! * py + e[9]! * pz + e[13]!;
			if (w <= 0.05 || Math.abs(x) > w || Math.abs(y) > w) continue;
			const x2d = ((x / w) * width) / 2;
			const shiftedX = insideOf(x2d, data[offset + 4]! + MARK_SPACE * 2, width);
			data[offset + 8] = Math.round(shiftedX - x2d);
			this.#seen[places.add(shiftedX, ((y / w) * height) / 2, data[offset + 4]! + MARK_SPACE, w)] = offset;
		}
		places.arrange((bar, up) => {
			data[this.#seen[bar]! + 9] = up ?? OUT_OF_PICTURE;
		});
		this.#quads.upload(count);
	}

	dispose(): void {
		this.#quads.dispose();
	}
}

/** Returns the colour of team 1, team 2, a later team, or no team. */
function teamColor(
	team: Node<'float'>,
	first: number,
	second: number,
	later: number,
	none: number,
): Node<'vec3'> {
	return select(
		team.lessThan(0.5),
		encodedColor(none),
		select(
			team.lessThan(1.5),
			encodedColor(first),
			select(team.lessThan(2.5), encodedColor(second), encodedColor(later)),
		),
	);
}

function encodedColor(hex: number): Node<'vec3'> {
	const color = new Color().setHex(hex, '');
	return vec3(color.r, color.g, color.b);
}
