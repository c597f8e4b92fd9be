/**
 * Shader nodes that read the row of an instance in a `RowTable`: one set for each renderer.
 * Owns: the texture nodes, bound to the table of the drawn stage, and the blend between its two frames.
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
	vec3,
	vec4,
} from 'three/tsl';
import { FloatType, type Node, type TextureNode, UnsignedByteType } from 'three/webgpu';
import {
	LOOK_TEXELS,
	makeTexture,
	POSE_TEXELS,
	ROWS_ACROSS,
	type RowTable,
	SURFACE_TEXELS,
} from './row-table.ts';

export class RowNodes {
	/** Share of the second frame in the blend. */
	readonly #share = uniform(1).setGroup(renderGroup);
	readonly #emptyTextures = [
		makeTexture(1, ROWS_ACROSS, FloatType),
		makeTexture(1, ROWS_ACROSS, UnsignedByteType),
	] as const;
	readonly #first = texture(this.#emptyTextures[0]) as TextureNode<'vec4'>;
	readonly #second = texture(this.#emptyTextures[0]) as TextureNode<'vec4'>;
	readonly #looks = texture(this.#emptyTextures[1]) as TextureNode<'vec4'>;
	readonly #surfaces = texture(this.#emptyTextures[0]) as TextureNode<'vec4'>;
	readonly position: Node<'vec3'>;
	readonly rotation: Node<'vec4'>;
	readonly scale: Node<'vec3'>;
	/** State of the instance: 0 = dead, `LIVING` / 255 = alive, more, up to 1, during a flash. */
	readonly state: Node<'float'>;
	/** Paint in sRGB. */
	readonly paint: Node<'vec3'>;
	/** Colour in segmentation. */
	readonly code: Node<'vec3'>;
	/** Metallic, roughness, alpha, cutoff. */
	readonly surface: Node<'vec4'>;
	/** Emitted light, linear. */
	readonly glow: Node<'vec3'>;
	/** Repeats of pictures. */
	readonly repeat: Node<'vec2'>;
	/** Height of bumps. */
	readonly bump: Node<'float'>;
	readonly occlusion: Node<'float'>;
	readonly transmission: Node<'float'>;

	constructor() {
		const share = this.#share;
		const emptyTexel = vec4(0);
		const texels = [0, 1, 2].map((index) => {
			// A frame without a share in the blend is not read.
			const first = select(
				share.lessThan(1),
				load(this.#first, POSE_TEXELS, index),
				emptyTexel,
			) as Node<'vec4'>;
			const second = select(
				share.greaterThan(0),
				load(this.#second, POSE_TEXELS, index),
				emptyTexel,
			) as Node<'vec4'>;
			return { first, second, mixed: mix(first, second, share) };
		});
		const [position, rotation, last] = texels as [Texel, Texel, Texel];
		this.position = position.mixed.xyz;
		this.scale = vec3(rotation.mixed.w, last.mixed.xy);
		this.state = varying(last.mixed.z);
		// Turn the short way round.
		const first = vec4(position.first.w, rotation.first.xyz);
		const second = vec4(position.second.w, rotation.second.xyz);
		const nearRotation = select(dot(first, second).lessThan(0), second.negate(), second);
		const blendedRotation: Node<'vec4'> = mix(first, nearRotation, share);
		const isBetween = share.greaterThan(0).and(share.lessThan(1));
		this.rotation = select(
			isBetween,
			blendedRotation.div(max(length(blendedRotation), 1e-6)),
			blendedRotation,
		);
		this.paint = load(this.#looks, LOOK_TEXELS, 0).xyz;
		this.code = varying(load(this.#looks, LOOK_TEXELS, 1).xyz);
		this.surface = varying(load(this.#surfaces, SURFACE_TEXELS, 0));
		const secondTexel = load(this.#surfaces, SURFACE_TEXELS, 1);
		this.glow = varying(secondTexel.xyz);
		const thirdTexel = load(this.#surfaces, SURFACE_TEXELS, 2);
		this.repeat = vec2(secondTexel.w, thirdTexel.x);
		const relief = varying(thirdTexel.yzw);
		this.bump = relief.x;
		this.occlusion = relief.y;
		this.transmission = relief.z;
	}

	/** Binds a table. The next draws use its rows. */
	bindTable(table: RowTable): void {
		const { first, second, looks, surfaces } = table.textures;
		this.#share.value = table.share;
		this.#first.value = first;
		this.#second.value = second;
		this.#looks.value = looks;
		this.#surfaces.value = surfaces;
	}

	dispose(): void {
		for (const texture of this.#emptyTextures) texture.dispose();
	}
}

/** A texel of a row in the two frames, and its blend. */
interface Texel {
	readonly first: Node<'vec4'>;
	readonly second: Node<'vec4'>;
	readonly mixed: Node<'vec4'>;
}

/** Returns texel number `index` of the instance's row. */
function load(table: TextureNode<'vec4'>, texels: number, index: number): Node<'vec4'> {
	const row = int(attribute<'uint'>('row', 'uint'));
	const position = ivec2(row.mod(ROWS_ACROSS).mul(texels).add(index), row.div(ROWS_ACROSS));
	return textureLoad(table, position) as Node<'vec4'>;
}
