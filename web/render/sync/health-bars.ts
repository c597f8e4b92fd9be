/**
 * Health bars: they face the camera, keep their size on screen and are drawn in one call.
 * Owns: the choice of rows with a bar, and its look. A colour and a mark (disc, rhomb or square) show the team.
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
import { type BlendFrom, POSE_STRIDE } from '../interpolate.ts';
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
import { powerAbove } from './rows-mesh.ts';
import { ScreenQuads } from './screen-quads.ts';
import type { Picture, Sync } from './sync.ts';

const ROLE_HERO = 1;
const ROLE_TOWER = 3;
const ROLE_STRUCTURE = 4;

/** Width and height of bars (CSS pixels). */
const HERO: readonly [number, number] = [80, 10];
const TOWER: readonly [number, number] = [64, 7];
const MINION: readonly [number, number] = [44, 6];
/** Room for the mark at each side of a bar, and the height of the mark (CSS pixels). */
const SIDE = 14;
const MARK = 11;
/** Distance from the top of an entity to its bar (m). */
const GAP = 0.35;
/** Numbers of a bar: position and filling; width, height, team and notches; shift (CSS pixels). */
const LAYOUT = { barAnchor: 4, barStyle: 4, barShift: 2 } as const;
/** Shift of a bar without room, which moves it out of the picture. */
const NO_ROOM = 1e6;
/** Size of a picture from which on bars have full size (CSS pixels). In smaller pictures they shrink, at most to `SMALLEST`. */
const FULL_WIDTH = 640;
const FULL_HEIGHT = 400;
const SMALLEST = 0.5;
/** Blocks on which the choice and the look of bars depend. */
const LOOKS: readonly BlockName[] = ['rows', 'health', 'dead'];
/** HP between two notches on a hero's bar. */
const NOTCH_HP = 100;

/** Material of bars, and the size of the picture for it, from `barScreen`. */
export interface BarMaterial {
	readonly material: MeshBasicNodeMaterial;
	readonly screen: { value: Vector2 };
}

/**
 * Returns the size of a picture for its bars (CSS pixels). A small picture counts as a larger one, so its bars shrink.
 */
export function barScreen(width: number, height: number): readonly [width: number, height: number] {
	const scale = Math.max(Math.min(width / FULL_WIDTH, height / FULL_HEIGHT, 1), SMALLEST);
	return [width / scale, height / scale];
}

/** Makes the material, one for each renderer. */
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
	const quad = vec2(size.x.add(SIDE * 2), max(size.y, MARK));
	material.vertexNode = Fn(() => {
		const clip = cameraProjectionMatrix.mul(cameraViewMatrix).mul(vec4(anchor.xyz, 1)).toVar();
		const pixel = vec2(2).div(screen);
		// Whole pixels keep edges crisp.
		const at = floor(clip.xy.div(clip.w).div(pixel)).add(shift).mul(pixel);
		const corner = at.add(positionGeometry.xy.mul(quad).mul(pixel));
		return select(clip.w.lessThanEqual(0.05), vec4(2, 2, 2, 1), vec4(corner, 0, 1));
	})();
	const position = varying(positionGeometry.xy.add(0.5).mul(quad));
	const inside = varying(size);
	const fill = varying(anchor.w);
	const team = varying(style.z);
	const notches = varying(style.w);
	material.fragmentNode = Fn(() => {
		// p: pixels from the bar's lower left corner.
		const p = position.sub(vec2(SIDE, max(inside.y, MARK).sub(inside.y).mul(0.5))).toVar();
		const within = step(0, p.x).mul(step(p.x, inside.x)).mul(step(0, p.y)).mul(step(p.y, inside.y));
		const edge = step(p.x, 1)
			.add(step(inside.x.sub(1), p.x))
			.add(step(p.y, 1))
			.add(step(inside.y.sub(1), p.y));
		const along = p.x.sub(1).div(inside.x.sub(2));
		const light = teamColor(team, LAPIS, VERMILION, ROSE, VERDIGRIS);
		const shade = teamColor(team, LAPIS_SHADE, VERMILION_SHADE, ROSE_SHADE, VERDIGRIS_SHADE);
		const ramp = mix(shade, light, step(inside.y.mul(0.5), p.y));
		const notch = select(
			notches.greaterThan(1),
			step(fract(along.mul(notches)), notches.div(inside.x.sub(2))).mul(step(0.5, floor(along.mul(notches)))),
			float(0),
		);
		const filled = step(along, fill);
		const track = mix(encoded(INK), ramp, filled.mul(float(1).sub(notch.mul(0.75))));
		const body = mix(track, encoded(INK), edge.min(1));
		// The mark to the left of the bar: disc, rhomb, or square from the third team on.
		const m = position.sub(vec2(SIDE - 7, max(inside.y, MARK).mul(0.5)));
		const rhomb = abs(m.x).add(abs(m.y));
		const square = max(abs(m.x), abs(m.y)).mul(1.15);
		const far = select(team.lessThan(1.5), length(m), select(team.lessThan(2.5), rhomb.mul(0.85), square));
		const marked = step(0.5, team);
		const disc = step(far, 5).mul(marked);
		const face = mix(encoded(INK), light, step(far, 3.6));
		const alpha = max(within.mul(0.94), disc);
		return vec4(mix(body, face, disc.mul(float(1).sub(within))), alpha);
	})();
	material.name = 'health-bars';
	return { material, screen };
}

/** The bars of a frame. */
export class HealthBars implements Sync {
	readonly object: Mesh;
	readonly over = true;
	readonly #screen: BarMaterial['screen'];
	readonly #quads: ScreenQuads;
	#rows: Uint32Array = new Uint32Array(0);
	#count = 0;
	#lifts: Float32Array = new Float32Array(0);
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
		if (changed === null || LOOKS.some((name) => changed.has(name))) this.#choose(blocks);
		const { poses } = blocks;
		const boxes = boxesOf(blocks);
		for (let index = 0; index < this.#count; index++) {
			const pose = this.#rows[index]! * POSE_STRIDE;
			this.#lifts[index] = boxes[pose + 1]! - poses[pose + 1]! + halfHeight(boxes, pose) + GAP;
		}
	}

	/** Chooses the rows with a bar: the wounded, and always heroes, towers and structures. Heroes are last, so on top. */
	#choose({ rows, health, dead }: FrameBlocks): void {
		const { roles } = rows;
		if (roles.length > this.#rows.length) {
			this.#rows = new Uint32Array(powerAbove(roles.length));
			this.#lifts = new Float32Array(this.#rows.length);
		}
		const chosen = this.#rows;
		let count = 0;
		let heroes = 0;
		for (let row = 0; row < roles.length; row++) {
			const maximum = health[row * 2 + 1]!;
			if (maximum <= 0 || dead[row] === 1) continue;
			const role = roles[row]!;
			if (role === ROLE_HERO) heroes++;
			else if (role === ROLE_TOWER || role === ROLE_STRUCTURE || health[row * 2]! < maximum)
				chosen[count++] = row;
		}
		for (let row = 0; heroes > 0; row++) {
			if (roles[row] !== ROLE_HERO || health[row * 2 + 1]! <= 0 || dead[row] === 1) continue;
			chosen[count++] = row;
			heroes--;
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
		const at = index * stride;
		data[at + 3] = Math.min(Math.max(health[row * 2]! / maximum, 0), 1);
		data[at + 4] = size[0];
		data[at + 5] = size[1];
		data[at + 6] = Math.max(teams[row]!, 0);
		const notches = maximum / NOTCH_HP;
		data[at + 7] = role === ROLE_HERO && notches <= size[0] / 4 ? notches : 0;
	}

	/** Moves the bars above the drawn places of their entities. */
	setPoses(before: BlendFrom | null, next: Float32Array, alpha: number): void {
		if (this.#count === 0) return;
		const { data, stride } = this.#quads;
		const from = before === null || alpha >= 1 ? null : before;
		for (let index = 0; index < this.#count; index++) {
			const row = this.#rows[index]!;
			const now = row * POSE_STRIDE;
			const old = from === null ? -1 : from.rows === null ? row : from.rows[row]!;
			// Without an earlier pose, both are the newest.
			const poses = old < 0 ? next : from!.poses;
			const was = old < 0 ? now : old * POSE_STRIDE;
			const to = index * stride;
			for (let axis = 0; axis < 3; axis++) {
				const start = poses[was + axis]!;
				data[to + axis] = start + (next[now + axis]! - start) * alpha;
			}
			data[to + 1]! += this.#lifts[index]!;
		}
	}

	prepare(picture: Picture): void {
		this.object.visible = picture.channel === 'color' && this.#count > 0;
		const [width, height] = barScreen(picture.width, picture.height);
		this.#screen.value.set(width, height);
		this.#arrange(picture.lens, width, height);
	}

	/** Shifts bars so that none covers another and all are inside the picture. The size comes from `barScreen`. */
	#arrange(lens: Camera, width: number, height: number): void {
		const count = this.#count;
		if (count === 0) return;
		const { data, stride } = this.#quads;
		const places = this.#places;
		places.begin(count);
		if (this.#seen.length < count) this.#seen = new Uint32Array(powerAbove(count));
		const e = this.#view.multiplyMatrices(lens.projectionMatrix, lens.matrixWorldInverse).elements;
		for (let index = 0; index < count; index++) {
			const at = index * stride;
			data[at + 8] = data[at + 9] = 0;
			const [px, py, pz] = [data[at]!, data[at + 1]!, data[at + 2]!];
			const w = e[3]! * px + e[7]! * py + e[11]! * pz + e[15]!;
			const x = e[0]! * px + e[4]! * py + e[8]! * pz + e[12]!;
			const y = e[1]! * px + e[5]! * py + e[9]! * pz + e[13]!;
			if (w <= 0.05 || Math.abs(x) > w || Math.abs(y) > w) continue;
			const across = ((x / w) * width) / 2;
			const inside = insideOf(across, data[at + 4]! + SIDE * 2, width);
			data[at + 8] = Math.round(inside - across);
			this.#seen[places.add(inside, ((y / w) * height) / 2, data[at + 4]! + SIDE, w)] = at;
		}
		places.arrange((bar, up) => {
			data[this.#seen[bar]! + 9] = up ?? NO_ROOM;
		});
		this.#quads.send(count);
	}

	dispose(): void {
		this.#quads.dispose();
	}
}

/** Returns the colour of team 1, team 2, a later team, or no team. */
function teamColor(team: Node<'float'>, one: number, two: number, more: number, none: number): Node<'vec3'> {
	return select(
		team.lessThan(0.5),
		encoded(none),
		select(team.lessThan(1.5), encoded(one), select(team.lessThan(2.5), encoded(two), encoded(more))),
	);
}

function encoded(hex: number): Node<'vec3'> {
	const color = new Color().setHex(hex, '');
	return vec3(color.r, color.g, color.b);
}
