/**
 * Materials of plants. Each instance has a position and a rotation, moves in the wind, and disappears beyond the distance of its layer.
 * Owns: the materials, one set per renderer. The data of a layer are in its vertices and instances, because uniforms of each draw would
 * be written in every picture.
 */

import {
	attribute,
	cos,
	Fn,
	float,
	length,
	normalGeometry,
	normalLocal,
	normalViewGeometry,
	positionGeometry,
	sin,
	smoothstep,
	varying,
	vec3,
	vec4,
} from 'three/tsl';
import {
	DoubleSide,
	FrontSide,
	MeshBasicNodeMaterial,
	MeshStandardNodeMaterial,
	type Node,
	type NodeMaterial,
	Vector3,
} from 'three/webgpu';
import type { Channel } from '../../frames/frames.ts';
import { depthBytes, type Growth } from '../materials.ts';
import { pictureUniform } from '../picture-uniform.ts';
import type { Air } from '../scene/air.ts';

/** Share of a layer's distance beyond which plants shrink. */
const FADE_START = 0.85;

export class FoliageMaterials implements Growth {
	/** Seconds of the world's time, and the position of the eye. */
	readonly seconds = pictureUniform(0);
	readonly eye = pictureUniform(new Vector3());
	readonly #air: Air;
	readonly #cache = new Map<string, NodeMaterial>();

	constructor(air: Air) {
		this.#air = air;
	}

	of(channel: Channel, isThin: boolean): NodeMaterial {
		const key = `foliage ${channel} ${isThin}`;
		let material = this.#cache.get(key);
		if (material === undefined) {
			material = channel === 'color' ? this.#color(isThin) : exactMaterial(channel);
			material.positionNode = this.placeVertex();
			material.side = isThin ? DoubleSide : FrontSide;
			material.shadowSide = isThin ? DoubleSide : FrontSide;
			material.name = key;
			this.#cache.set(key, material);
		}
		return material;
	}

	dispose(): void {
		for (const material of this.#cache.values()) material.dispose();
	}

	#color(isThin: boolean): NodeMaterial {
		const material = new MeshStandardNodeMaterial({ roughness: 0.95, metalness: 0 });
		const leaf = attribute<'vec4'>('leaf', 'vec4');
		material.colorNode = this.varyColor(varying(leaf.xyz));
		// The normals of blades point up, so both sides are lit like the ground.
		if (isThin) material.normalNode = normalViewGeometry;
		material.outputNode = this.#air.outputColor();
		return material;
	}

	/** Varies the colour of each plant: some are lighter, some drier. */
	varyColor(color: Node<'vec3'>): Node<'vec3'> {
		const shade = attribute<'vec4'>('plantLook', 'vec4').y;
		return color
			.mul(varying(shade.mul(0.45).add(0.78)))
			.mul(vec3(varying(float(1).add(shade.sub(0.5).mul(0.16))), 1, 0.96));
	}

	/** Returns the vertex of an instance in the world (m); also sets its normal. */
	placeVertex(): Node<'vec3'> {
		return Fn(() => {
			const position = attribute<'vec4'>('plantPlace', 'vec4');
			const look = attribute<'vec4'>('plantLook', 'vec4');
			const angle = look.x.mul(Math.PI * 2);
			const [c, s] = [cos(angle), sin(angle)];
			const rotate = (v: Node<'vec3'>): Node<'vec3'> =>
				vec3(v.x.mul(c).add(v.z.mul(s)), v.y, v.z.mul(c).sub(v.x.mul(s)));
			const reach = look.w;
			const distance = length(position.xyz.sub(this.eye));
			const size = position.w.mul(float(1).sub(smoothstep(reach.mul(FADE_START), reach, distance)));
			// Gusts run over the field, and each plant has its own flutter.
			const gust = sin(this.seconds.mul(1.6).add(position.x.mul(0.35)).add(position.z.mul(0.21)));
			const flutter = sin(this.seconds.mul(4.1).add(look.y.mul(40)));
			const blown = gust.mul(0.75).add(0.35).add(flutter.mul(0.25)).mul(0.16);
			const sway = attribute<'float'>('sway', 'float').mul(look.z).mul(blown).mul(size);
			normalLocal.assign(rotate(normalGeometry));
			return rotate(positionGeometry)
				.mul(size)
				.add(position.xyz)
				.add(vec3(sway, sway.abs().mul(-0.15), sway.mul(0.5)));
		})();
	}
}

/**
 * Returns the material for a channel other than colour. In segmentation, plants have no id and hide entities behind them. In depth, they
 * have their own depth.
 */
function exactMaterial(channel: 'segmentation' | 'depth'): NodeMaterial {
	const material = new MeshBasicNodeMaterial();
	material.fragmentNode = vec4(channel === 'depth' ? depthBytes() : vec3(0), 1);
	material.toneMapped = false;
	material.fog = false;
	return material;
}
