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
	Vector4,
} from 'three/webgpu';
import type { BlockName, FrameBlocks } from '../../frames/frames.ts';
import { boxesOf } from '../boxes.ts';
import { halfExtents } from '../extent.ts';
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
/** Step by which a bar moves up if it would cover another (CSS pixels), and maximum of steps. */
const APART = 12;
const MAX_STEPS = 5;
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
	readonly #point = new Vector4();

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
			this.#lifts[index] = boxes[pose + 1]! - poses[pose + 1]! + halfExtents(boxes, pose)[1] + GAP;
		}
	}

	/** Chooses the rows with a bar: the wounded, and always heroes, towers and structures. Heroes are last, so on top. */
	#choose({ rows, health, dead }: FrameBlocks): void {
		const plain: number[] = [];
		const heroes: number[] = [];
		const { roles } = rows;
		for (let row = 0; row < roles.length; row++) {
			const maximum = health[row * 2 + 1]!;
			if (maximum <= 0 || dead[row] === 1) continue;
			const role = roles[row]!;
			if (role === ROLE_HERO) heroes.push(row);
			else if (role === ROLE_TOWER || role === ROLE_STRUCTURE || health[row * 2]! < maximum) plain.push(row);
		}
		const chosen = plain.concat(heroes);
		this.#count = chosen.length;
		if (chosen.length > this.#rows.length) {
			this.#rows = new Uint32Array(powerAbove(chosen.length));
			this.#lifts = new Float32Array(this.#rows.length);
		}
		this.#quads.reserve(chosen.length);
		const { data, stride } = this.#quads;
		for (let index = 0; index < chosen.length; index++) {
			const row = chosen[index]!;
			this.#rows[index] = row;
			const role = roles[row]!;
			const [width, height] =
				role === ROLE_HERO ? HERO : role === ROLE_TOWER || role === ROLE_STRUCTURE ? TOWER : MINION;
			const maximum = health[row * 2 + 1]!;
			const at = index * stride;
			data[at + 3] = Math.min(Math.max(health[row * 2]! / maximum, 0), 1);
			data[at + 4] = width;
			data[at + 5] = height;
			data[at + 6] = Math.max(rows.teams[row]!, 0);
			const notches = maximum / NOTCH_HP;
			data[at + 7] = role === ROLE_HERO && notches <= width / 4 ? notches : 0;
		}
		this.#quads.count = chosen.length;
	}

	/** Moves the bars above the drawn places of their entities. */
	setPoses(before: BlendFrom | null, next: Float32Array, alpha: number): void {
		if (this.#count === 0) return;
		const { data, stride } = this.#quads;
		for (let index = 0; index < this.#count; index++) {
			const row = this.#rows[index]!;
			const b = row * POSE_STRIDE;
			const old = before === null || alpha >= 1 ? -1 : before.rows === null ? row : before.rows[row]!;
			for (let axis = 0; axis < 3; axis++) {
				const now = next[b + axis]!;
				const was = old < 0 ? now : before!.poses[old * POSE_STRIDE + axis]!;
				data[index * stride + axis] = was + (now - was) * alpha;
			}
			data[index * stride + 1]! += this.#lifts[index]!;
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
		if (this.#count === 0) return;
		const { data, stride } = this.#quads;
		const seen: SeenBar[] = [];
		this.#view.multiplyMatrices(lens.projectionMatrix, lens.matrixWorldInverse);
		for (let index = 0; index < this.#count; index++) {
			const at = index * stride;
			data[at + 8] = data[at + 9] = 0;
			this.#point.set(data[at]!, data[at + 1]!, data[at + 2]!, 1).applyMatrix4(this.#view);
			const { x, y, w } = this.#point;
			if (w <= 0.05 || Math.abs(x) > w || Math.abs(y) > w) continue;
			const wide = data[at + 4]! + SIDE;
			const across = ((x / w) * width) / 2;
			const inside = insideOf(across, data[at + 4]! + SIDE * 2, width);
			data[at + 8] = Math.round(inside - across);
			seen.push({ at, x: inside, y: ((y / w) * height) / 2, wide, away: w });
		}
		// The wide bars of heroes and buildings come first, then the nearest.
		seen.sort((a, b) => b.wide - a.wide || a.away - b.away || a.at - b.at);
		for (const [index, shift] of shiftsOf(seen).entries()) data[seen[index]!.at + 9] = shift ?? NO_ROOM;
		this.#quads.send(this.#count);
	}

	dispose(): void {
		this.#quads.dispose();
	}
}

/** A bar in CSS pixels, y upwards. */
export interface PlacedBar {
	readonly x: number;
	readonly y: number;
	readonly wide: number;
}

interface SeenBar extends PlacedBar {
	readonly at: number;
	readonly away: number;
}

/** Returns `x` moved so that the whole bar is in the picture; the middle if the bar is wider than the picture. */
export function insideOf(x: number, wide: number, width: number): number {
	const most = Math.max(0, (width - wide) / 2);
	return Math.max(-most, Math.min(x, most));
}

/**
 * Moves bars upwards so that none covers another. The first bars in the list keep their places. Returns the shift of each
 * bar, or null for a bar without room near its place.
 */
export function shiftsOf(bars: readonly PlacedBar[]): (number | null)[] {
	let lowest = Infinity;
	for (const { y } of bars) lowest = Math.min(lowest, y);
	/** Placed bars by lanes of height, the lowest first. */
	const lanes: PlacedBar[][] = [];
	const first = Math.floor(lowest / APART) - 1;
	const shifts = new Array<number | null>(bars.length).fill(null);
	for (let at = 0; at < bars.length; at++) {
		const { x, y, wide } = bars[at]!;
		let free = y;
		for (let step = 0; step <= MAX_STEPS; step++) {
			const lane = Math.floor(free / APART) - first;
			while (lanes.length <= lane + 1) lanes.push([]);
			const other =
				coveredIn(lanes[lane]!, x, free, wide) ??
				coveredIn(lanes[lane + 1]!, x, free, wide) ??
				coveredIn(lanes[lane - 1]!, x, free, wide);
			if (other === null) {
				lanes[lane]!.push({ x, y: free, wide });
				shifts[at] = Math.round(free - y);
				break;
			}
			free = other.y + APART;
		}
	}
	return shifts;
}

/** Returns the first bar of a lane that a bar at this place would cover. It runs some ten thousand times per picture. */
function coveredIn(lane: readonly PlacedBar[], x: number, y: number, wide: number): PlacedBar | null {
	for (let at = 0; at < lane.length; at++) {
		const bar = lane[at]!;
		if (Math.abs(bar.x - x) < (bar.wide + wide) / 2 && Math.abs(bar.y - y) < APART - 0.5) return bar;
	}
	return null;
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
