/**
 * Damage numbers, which rise over hurt entities, fade, and keep their size on screen. One draw call shows all
 * digits.
 * Owns: the numbers and their positions. They depend only on the moments of a frame and the shown tick.
 */

import {
	attribute,
	cameraProjectionMatrix,
	cameraViewMatrix,
	Fn,
	float,
	mix,
	positionGeometry,
	select,
	smoothstep,
	texture,
	uniform,
	varying,
	vec2,
	vec3,
	vec4,
} from 'three/tsl';
import { type DataTexture, type Mesh, MeshBasicNodeMaterial, Vector2 } from 'three/webgpu';
import { type FeedbackMoment, MOMENT_TICKS } from '../../../shared/documents/feedback.ts';
import { scramble } from '../../../shared/media/particles.ts';
import type { BlockName, FrameBlocks, FrameFeedback } from '../../frames/frames.ts';
import { CELL_HEIGHT, digitTexture, REACH } from '../digits.ts';
import { barScreen } from './health-bars.ts';
import { ScreenQuads } from './screen-quads.ts';
import type { Picture, Sync } from './sync.ts';

/** Maximum number of numbers in a picture; the newest are shown. */
const MAX_NUMBERS = 64;
/** Ticks within which hits on the same entity become one number. */
const MERGE_TICKS = 14;
/** Height of a digit for the smallest hit (CSS pixels). */
const MIN_HEIGHT = 14;
/** Growth of the height for a hit that takes a quarter of all health (CSS pixels). */
const GROWTH = 9;
/** Distance between digits, in widths of a digit's cell. */
const PITCH = 0.76;
/** Height above the entity at which a number starts, over its health bar (CSS pixels). */
const START_HEIGHT = 26;
/** Distance that a number rises (CSS pixels). */
const RISE = 34;
/** Maximum sideways offset of a number (CSS pixels). */
const MAX_OFFSET = 15;
/** Ticks in which a number settles to its size. */
const SPRING_TICKS = 6;
/** Half the width of a stroke, in widths of a cell. */
const STROKE = 0.095;
/** Half the width of a stroke with its dark edge, in widths of a cell. */
const EDGE = 0.2;
/** Share of health from which on a number is golden. */
const HEAVY_SHARE = 0.2;
/** Position in the world; offset, height and digit; colour and opacity. */
const LAYOUT = { numberAnchor: 3, numberLayout: 4, numberLook: 2 } as const;

export interface NumberMaterial {
	readonly material: MeshBasicNodeMaterial;
	readonly screen: { value: Vector2 };
	readonly digits: DataTexture;
}

/** Makes the material, one for each renderer. */
export function numberMaterial(): NumberMaterial {
	const screen = uniform(new Vector2(1, 1));
	const digits = digitTexture();
	const material = new MeshBasicNodeMaterial();
	material.transparent = true;
	material.depthTest = false;
	material.depthWrite = false;
	material.toneMapped = false;
	const anchor = attribute<'vec3'>('numberAnchor', 'vec3');
	const layout = attribute<'vec4'>('numberLayout', 'vec4');
	const look = attribute<'vec2'>('numberLook', 'vec2');
	const height = layout.z;
	material.vertexNode = Fn(() => {
		const clip = cameraProjectionMatrix.mul(cameraViewMatrix).mul(vec4(anchor, 1)).toVar();
		const pixel = vec2(2).div(screen);
		const corner = layout.xy.add(positionGeometry.xy.mul(vec2(height.div(CELL_HEIGHT), height)));
		const position2d = clip.xy.div(clip.w).add(corner.mul(pixel));
		return select(clip.w.lessThanEqual(0.05), vec4(2, 2, 2, 1), vec4(position2d, 0, 1));
	})();
	const position = varying(positionGeometry.xy.add(0.5));
	const digit = varying(layout.w);
	// Size of a pixel in widths of a cell.
	const step = varying(float(CELL_HEIGHT).div(height));
	const isHeavy = varying(look.x);
	const opacity = varying(look.y);
	material.fragmentNode = Fn(() => {
		const near = texture(digits, vec2(position.x.add(digit).div(10), position.y)).r;
		const distance = float(1).sub(near).mul(REACH);
		const strokeShare = float(1).sub(smoothstep(step.mul(-0.5), step.mul(0.5), distance.sub(STROKE)));
		const edgeShare = float(1).sub(smoothstep(step.mul(-0.75), step.mul(0.75), distance.sub(EDGE)));
		const ink = mix(vec3(1, 0.97, 0.9), vec3(1, 0.78, 0.28), isHeavy);
		const shade = ink.mul(mix(float(0.86), float(1), smoothstep(0.2, 0.6, position.y)));
		return vec4(mix(vec3(0.05, 0.04, 0.06), shade, strokeShare), edgeShare.mul(opacity));
	})();
	material.name = 'damage-numbers';
	return { material, screen, digits };
}

/** Number for one or more hits in quick succession. */
export type DamageNumber = Pick<FeedbackMoment, 'tick' | 'number' | 'place' | 'size' | 'amount' | 'share'>;

/** Returns the numbers at a moment, oldest first. */
export function numbersAt(moments: readonly FeedbackMoment[], now: number): DamageNumber[] {
	const numbers: DamageNumber[] = [];
	/** Index of the last number of each entity. */
	const lastIndexes = new Map<string, number>();
	for (const { kind, tick, number, place, size, amount, share, entity } of moments) {
		const age = now - tick;
		if (kind !== 'hurt' || age < 0 || age >= MOMENT_TICKS.hurt) continue;
		const entityKey = `${entity.id} ${entity.generation}`;
		const index = lastIndexes.get(entityKey);
		const previous = index === undefined ? undefined : numbers[index];
		if (previous !== undefined && tick - previous.tick < MERGE_TICKS) {
			numbers[index!] = { ...previous, amount: previous.amount + amount, share: previous.share + share };
			continue;
		}
		lastIndexes.set(entityKey, numbers.length);
		numbers.push({ tick, number, place, size, amount, share });
	}
	return numbers.filter(({ amount }) => amount >= 0.5);
}

export class DamageNumbers implements Sync {
	readonly object: Mesh;
	readonly isOver = true;
	readonly #screen: NumberMaterial['screen'];
	readonly #quads: ScreenQuads;
	#count = 0;
	#feedback: FrameFeedback | null = null;

	constructor({ material, screen }: NumberMaterial) {
		this.#screen = screen;
		this.#quads = new ScreenQuads(material, LAYOUT, 21);
		this.object = this.#quads.mesh;
	}

	setFrame({ feedback }: FrameBlocks, changed: ReadonlySet<BlockName>): void {
		if (changed.has('feedback')) this.#feedback = feedback;
	}

	/** Writes the digits for the shown moment. */
	setPoses(_: object | null, __: Float32Array, ___: number, ago: number): void {
		this.#count = 0;
		if (this.#feedback === null || !this.#feedback.settings.numbers) return;
		const now = this.#feedback.tick - ago;
		for (const damageNumber of numbersAt(this.#feedback.moments, now).slice(-MAX_NUMBERS))
			this.#writeDigits(damageNumber, now - damageNumber.tick);
		this.#quads.count = this.#count;
		if (this.#count > 0) this.#quads.upload(this.#count);
	}

	prepare({ channel, width, height }: Picture): void {
		this.object.visible = channel === 'color' && this.#count > 0;
		this.#screen.value.set(...barScreen(width, height));
	}

	dispose(): void {
		this.#quads.dispose();
	}

	#writeDigits({ amount, share, place, size, number }: DamageNumber, age: number): void {
		const text = String(Math.round(amount));
		this.#quads.reserve(this.#count + text.length);
		const { data, stride } = this.#quads;
		const progress = age / MOMENT_TICKS.hurt;
		const spring = age < SPRING_TICKS ? 1 + 0.45 * (1 - age / SPRING_TICKS) : 1;
		const height = (MIN_HEIGHT + GROWTH * Math.min(share * 4, 1)) * spring;
		const pitch = (height / CELL_HEIGHT) * PITCH;
		const left = -((text.length - 1) * pitch) / 2 + (scramble(number) / 0xffffffff - 0.5) * 2 * MAX_OFFSET;
		const up = START_HEIGHT + RISE * (1 - (1 - progress) * (1 - progress));
		const alpha = Math.min((1 - progress) / 0.35, 1);
		for (let i = 0; i < text.length; i++) {
			const offset = this.#count * stride;
			data[offset] = place[0];
			data[offset + 1] = place[1] + Math.min(size, 2) / 2;
			data[offset + 2] = place[2];
			data[offset + 3] = left + i * pitch;
			data[offset + 4] = up;
			data[offset + 5] = height;
			data[offset + 6] = Number(text[i]);
			data[offset + 7] = share >= HEAVY_SHARE ? 1 : 0;
			data[offset + 8] = alpha;
			this.#count++;
		}
	}
}
