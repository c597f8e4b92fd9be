/**
 * The materials of the instanced meshes, one set for each renderer: paint, segmentation and depth.
 * Owns: how an instance's pose, paint and code (attributes of `InstanceBuffers`) become vertices and colours.
 */

import {
	abs,
	attribute,
	cross,
	dot,
	Fn,
	float,
	floor,
	max,
	min,
	mix,
	normalGeometry,
	normalize,
	normalLocal,
	positionGeometry,
	positionView,
	reflectVector,
	sign,
	sRGBTransferEOTF,
	step,
	texture,
	uv,
	varying,
	vec3,
	vec4,
} from 'three/tsl';
import {
	Color,
	DoubleSide,
	FrontSide,
	MeshBasicNodeMaterial,
	MeshStandardNodeMaterial,
	type Node,
	type NodeMaterial,
	type Texture,
} from 'three/webgpu';
import type { Channel, SurfaceKind } from '../host/frames.ts';
import type { ShapeName } from './geometries.ts';
import { ASH } from './palette.ts';
import type { Air } from './scene/air.ts';
import type { GroundPlane } from './scene/ground.ts';
import type { Textures } from './textures.ts';

/** Widest bevel of a cube, in metres, and as a share of its shortest edge. */
const BEVEL_METRES = 0.035;
const BEVEL_SHARE = 0.08;

export const posePlace = (): Node<'vec3'> => attribute<'vec3'>('posePlace', 'vec3');
export const poseTurn = (): Node<'vec4'> => attribute<'vec4'>('poseTurn', 'vec4');
export const poseScale = (): Node<'vec3'> => attribute<'vec3'>('poseScale', 'vec3');

/** Turns a vector by a unit quaternion. */
export function turned(q: Node<'vec4'>, v: Node<'vec3'>): Node<'vec3'> {
	const axis = q.xyz;
	return v.add(cross(axis, cross(axis, v).add(v.mul(q.w))).mul(2));
}

/** The vertex of an instance in the world, in metres; also sets its normal. */
function placed(bevelled: boolean): Node<'vec3'> {
	return Fn(() => {
		const scale = poseScale();
		const turn = poseTurn();
		const local = positionGeometry.mul(scale).toVar();
		if (bevelled) {
			const size = abs(scale);
			const shortest = min(size.x, min(size.y, size.z));
			const bevel = min(shortest.mul(BEVEL_SHARE), BEVEL_METRES);
			const inwards = sign(positionGeometry)
				.mul(sign(scale))
				.mul(vec3(1).sub(abs(normalGeometry)));
			local.subAssign(inwards.mul(bevel));
		}
		const steady = max(abs(scale), vec3(1e-5)).mul(step(vec3(0), scale).mul(2).sub(1));
		normalLocal.assign(normalize(turned(turn, normalGeometry.div(steady))));
		return turned(turn, local).add(posePlace());
	})();
}

/** The paint of an instance, linear. */
const paintOf = (): Node<'vec3'> =>
	vec3(sRGBTransferEOTF(attribute<'vec4'>('paint', 'vec4').xyz) as Node<'vec3'>);

/** A colour of an instance as it shows: that of the dead is ashen. */
function mortal(color: Node<'vec3'>): Node<'vec3'> {
	const alive = varying(attribute<'vec4'>('paint', 'vec4').w);
	const grey = dot(color, vec3(0.2126, 0.7152, 0.0722));
	const ash = new Color(ASH);
	const ashen = mix(vec3(ash.r, ash.g, ash.b).mul(grey.mul(0.6).add(0.35)), color, 0.12);
	return mix(ashen, color, alive);
}

/** Millimetres along the view axis as three bytes, lowest first. */
function depthBytes(): Node<'vec3'> {
	const mm = min(floor(max(positionView.z.negate(), 0).mul(1000).add(0.5)), float(0xfffffe));
	const high = floor(mm.div(65536));
	const rest = mm.sub(high.mul(65536));
	const middle = floor(rest.div(256));
	const low = rest.sub(middle.mul(256));
	return vec3(low, middle, high).div(255);
}

/** The picture on a shape, repeated as the instance says. */
const laid = (picture: Texture): Node<'vec4'> =>
	texture(picture, varying(uv().mul(attribute<'vec2'>('repeat', 'vec2'))));

/** The alpha of an instance where it is seen. */
function alphaOf(picture: Texture | null): Node<'float'> {
	const own = varying(attribute<'vec4'>('surface', 'vec4').z);
	return picture === null ? own : own.mul(laid(picture).w);
}

/** The material of each kind of shape and channel, made when first asked for. */
export class Materials {
	readonly #groundPlane: GroundPlane;
	readonly #air: Air;
	readonly #textures: Textures;
	readonly #made = new Map<string, NodeMaterial>();

	constructor(groundPlane: GroundPlane, air: Air, textures: Textures) {
		this.#groundPlane = groundPlane;
		this.#air = air;
		this.#textures = textures;
	}

	/** The material that draws `shape` in `channel`; `surface` is null for paint alone. */
	of(shape: ShapeName, bevelled: boolean, surface: SurfaceKind | null, channel: Channel): NodeMaterial {
		const sheet = shape === 'plane';
		const picture = surface?.texture == null ? null : this.#textures.get(surface.texture);
		const masked = surface?.alpha === 'mask';
		const look = channel === 'color' ? surface?.alpha : masked && 'mask';
		const key = `${channel} ${sheet} ${bevelled} ${look} ${picture?.uuid}`;
		let material = this.#made.get(key);
		if (material === undefined) {
			if (channel !== 'color') material = this.#exact(channel, masked ? alphaOf(picture) : null);
			else if (surface === null) material = this.#paint();
			else material = this.#surface(surface, picture);
			if (picture !== null) this.#endWith(picture, key);
			material.positionNode = placed(bevelled);
			material.side = sheet ? DoubleSide : FrontSide;
			// Shadows from the faces that the sun sees touch what casts them.
			material.shadowSide = sheet ? DoubleSide : FrontSide;
			material.name = key;
			this.#made.set(key, material);
		}
		return material;
	}

	dispose(): void {
		for (const material of this.#made.values()) material.dispose();
		this.#made.clear();
	}

	#paint(): MeshStandardNodeMaterial {
		const material = new MeshStandardNodeMaterial({ roughness: 0.46, metalness: 0 });
		material.colorNode = varying(mortal(paintOf()));
		material.aoNode = this.#groundPlane.openness();
		material.outputNode = this.#air.finished();
		return material;
	}

	#surface({ alpha }: SurfaceKind, picture: Texture | null): MeshStandardNodeMaterial {
		const material = new MeshStandardNodeMaterial();
		const surface = varying(attribute<'vec4'>('surface', 'vec4'));
		const paint = varying(paintOf());
		const color = mortal(picture === null ? paint : paint.mul(laid(picture).xyz)).toVar();
		material.colorNode = color;
		material.metalnessNode = surface.x;
		material.roughnessNode = surface.y;
		const open = this.#groundPlane.openness();
		material.aoNode = open;
		// No picture of the surroundings is kept: a metal mirrors the sky's gradient.
		const mirrored = color.mul(surface.x).mul(this.#air.mirrored(reflectVector, surface.y)).mul(open);
		material.emissiveNode = varying(attribute<'vec3'>('glow', 'vec3')).add(mirrored);
		if (alpha !== 'opaque') material.opacityNode = alphaOf(picture);
		if (alpha === 'mask') material.alphaTestNode = surface.w;
		if (alpha === 'blend') {
			material.transparent = true;
			material.depthWrite = false;
		}
		material.outputNode = this.#air.finished();
		return material;
	}

	/** Forgets a material when its texture is freed. */
	#endWith(picture: Texture, key: string): void {
		const end = (): void => {
			picture.removeEventListener('dispose', end);
			this.#made.get(key)?.dispose();
			this.#made.delete(key);
		};
		picture.addEventListener('dispose', end);
	}

	/** A material whose bytes reach the picture unchanged: no light, no curve, no blending. */
	#exact(channel: 'segmentation' | 'depth', alpha: Node<'float'> | null): MeshBasicNodeMaterial {
		const material = new MeshBasicNodeMaterial();
		const bytes = channel === 'depth' ? depthBytes() : attribute<'vec4'>('code', 'vec4').xyz;
		material.fragmentNode = Fn(() => {
			if (alpha !== null) alpha.lessThan(varying(attribute<'vec4'>('surface', 'vec4')).w).discard();
			return vec4(bytes, 1);
		})();
		material.toneMapped = false;
		material.fog = false;
		material.transparent = false;
		return material;
	}
}
