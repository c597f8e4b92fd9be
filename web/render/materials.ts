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
	sign,
	sRGBTransferEOTF,
	step,
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
} from 'three/webgpu';
import type { Channel } from '../host/frames.ts';
import type { ShapeName } from './geometries.ts';
import { ASH } from './palette.ts';
import type { GroundPlane } from './scene/ground.ts';
import { finished } from './scene/tone.ts';

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

/** The paint of an instance, linear; the dead are ashen. */
function painted(): Node<'vec3'> {
	const paint = attribute<'vec4'>('paint', 'vec4');
	const color = vec3(sRGBTransferEOTF(paint.xyz) as Node<'vec3'>);
	const grey = dot(color, vec3(0.2126, 0.7152, 0.0722));
	const ash = new Color(ASH);
	const ashen = mix(vec3(ash.r, ash.g, ash.b).mul(grey.mul(0.6).add(0.35)), color, 0.12);
	return varying(mix(ashen, color, paint.w));
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

/** The material of each kind of shape and channel, made when first asked for. */
export class Materials {
	readonly #groundPlane: GroundPlane;
	readonly #made = new Map<string, NodeMaterial>();

	constructor(groundPlane: GroundPlane) {
		this.#groundPlane = groundPlane;
	}

	/** The material that draws `shape` in `channel`. */
	of(shape: ShapeName, bevelled: boolean, channel: Channel): NodeMaterial {
		const sheet = shape === 'plane';
		const key = `${channel} ${sheet} ${bevelled}`;
		let material = this.#made.get(key);
		if (material === undefined) {
			material = channel === 'color' ? this.#paint() : this.#exact(channel);
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
		material.colorNode = painted();
		material.aoNode = this.#groundPlane.openness();
		material.outputNode = finished();
		return material;
	}

	/** A material whose bytes reach the picture unchanged: no light, no curve, no blending. */
	#exact(channel: 'segmentation' | 'depth'): MeshBasicNodeMaterial {
		const material = new MeshBasicNodeMaterial();
		material.fragmentNode =
			channel === 'depth' ? vec4(depthBytes(), 1) : vec4(attribute<'vec4'>('code', 'vec4').xyz, 1);
		material.toneMapped = false;
		material.fog = false;
		material.transparent = false;
		return material;
	}
}
