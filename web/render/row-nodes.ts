/**
 * How a vertex reads the row of its instance in a `RowTable`, one set for each renderer.
 * Owns: the texture nodes, which stand for the table of the stage that is drawn, and the blend between its two frames.
 */

import {
	attribute,
	dot,
	int,
	ivec2,
	length,
	max,
	mix,
	renderGroup,
	select,
	texture,
	textureLoad,
	uniform,
	varying,
	vec2,
	vec4,
} from 'three/tsl';
import { FloatType, type Node, type TextureNode, UnsignedByteType } from 'three/webgpu';
import { ACROSS, LOOK_TEXELS, makeTexture, POSE_TEXELS, type RowTable, SURFACE_TEXELS } from './row-table.ts';

export class RowNodes {
	readonly #blend = uniform(1).setGroup(renderGroup);
	readonly #none = [makeTexture(1, ACROSS, FloatType), makeTexture(1, ACROSS, UnsignedByteType)] as const;
	readonly #was = texture(this.#none[0]) as TextureNode<'vec4'>;
	readonly #now = texture(this.#none[0]) as TextureNode<'vec4'>;
	readonly #looks = texture(this.#none[1]) as TextureNode<'vec4'>;
	readonly #surfaces = texture(this.#none[0]) as TextureNode<'vec4'>;
	readonly place: Node<'vec3'>;
	readonly turn: Node<'vec4'>;
	readonly scale: Node<'vec3'>;
	/** Of a whole instance: 0 = dead, `LIVING` / 255 = alive, up to 1 as it flashes. */
	readonly state: Node<'float'>;
	/** sRGB. */
	readonly paint: Node<'vec3'>;
	/** Colour in segmentation. */
	readonly code: Node<'vec3'>;
	/** Metallic, roughness, alpha, cutoff. */
	readonly surface: Node<'vec4'>;
	/** Emitted light, linear. */
	readonly glow: Node<'vec3'>;
	/** Repeats of a picture. */
	readonly repeat: Node<'vec2'>;

	constructor() {
		const [first, second, third] = [0, 1, 2].map((at) => {
			const now = load(this.#now, POSE_TEXELS, at);
			const was = select(this.#blend.lessThan(1), load(this.#was, POSE_TEXELS, at), vec4(0));
			return { now, was, mixed: mix(was, now, this.#blend) };
		}) as [Texel, Texel, Texel];
		this.place = first.mixed.xyz;
		this.state = varying(first.mixed.w);
		this.scale = third.mixed.xyz;
		// The short way round.
		const near = select(dot(second.was, second.now).lessThan(0), second.now.negate(), second.now);
		const turned: Node<'vec4'> = mix(second.was, near, this.#blend);
		this.turn = select(this.#blend.lessThan(1), turned.div(max(length(turned), 1e-6)), second.now);
		this.paint = load(this.#looks, LOOK_TEXELS, 0).xyz;
		this.code = varying(load(this.#looks, LOOK_TEXELS, 1).xyz);
		this.surface = varying(load(this.#surfaces, SURFACE_TEXELS, 0));
		const more = load(this.#surfaces, SURFACE_TEXELS, 1);
		this.glow = varying(more.xyz);
		this.repeat = vec2(more.w, load(this.#surfaces, SURFACE_TEXELS, 2).x);
	}

	/** Draws rows of this table from now on. */
	use(table: RowTable): void {
		const { was, now, looks, surfaces } = table.textures;
		this.#blend.value = table.blend;
		this.#was.value = was;
		this.#now.value = now;
		this.#looks.value = looks;
		this.#surfaces.value = surfaces;
	}

	dispose(): void {
		for (const texture of this.#none) texture.dispose();
	}
}

interface Texel {
	readonly now: Node<'vec4'>;
	readonly was: Node<'vec4'>;
	readonly mixed: Node<'vec4'>;
}

/** A texel of the row that an instance draws. */
function load(table: TextureNode<'vec4'>, texels: number, at: number): Node<'vec4'> {
	const row = int(attribute<'uint'>('row', 'uint'));
	const place = ivec2(row.mod(ACROSS).mul(texels).add(at), row.div(ACROSS));
	return textureLoad(table, place) as Node<'vec4'>;
}
