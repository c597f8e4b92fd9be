/**
 * Material of particles. Its shaders compute the flight, rotation, size and colour of each particle.
 * Owns: reading the table of emitters.
 */

import {
	attribute,
	cameraPosition,
	cameraWorldMatrix,
	clamp,
	cos,
	cross,
	exp,
	Fn,
	float,
	floor,
	fract,
	hash,
	int,
	ivec2,
	length,
	mix,
	normalize,
	positionGeometry,
	pow,
	select,
	sin,
	smoothstep,
	sqrt,
	texture,
	textureLoad,
	uint,
	uv,
	varying,
	vec2,
	vec3,
	vec4,
} from 'three/tsl';
import {
	AdditiveBlending,
	MeshBasicNodeMaterial,
	type Node,
	NormalBlending,
	type Texture,
} from 'three/webgpu';
import { rotate } from '../materials.ts';
import type { Air } from '../scene/air.ts';

/** Points over the lifetime for which colour and size are stored. */
export const STOPS = 4;

/**
 * Returns the values of one particle as nodes: its attributes, and access to its emitter's row in the table.
 */
function particleNodes(table: Texture) {
	const particle = attribute<'vec4'>('particle', 'vec4');
	const { x: age, y: share, z: bits } = particle;
	const row = int(particle.w.add(0.5));
	return {
		/** Age in seconds. */
		age,
		/** Elapsed share of its lifetime. */
		share,
		/** Returns a texel of the emitter's row. */
		emitterTexel: (texel: Node<'int'> | number): Node<'vec4'> =>
			textureLoad(table, ivec2(typeof texel === 'number' ? int(texel) : texel, row)),
		/** Returns random number `n` of the particle, from 0 to 1. */
		random: (n: number): Node<'float'> => hash(uint(bits).add(uint(n * 0x1000000))),
	};
}

type ParticleNodes = ReturnType<typeof particleNodes>;

/** Returns the starting position of a particle relative to its emitter, in the emitter's own axes. */
function startPosition({ emitterTexel, random }: ParticleNodes): Node<'vec3'> {
	const { xyz: size } = emitterTexel(2);
	const shape = emitterTexel(0).w;
	const angle = random(0).mul(Math.PI * 2);
	const height = random(1).mul(2).sub(1);
	const radius = sqrt(float(1).sub(height.mul(height)));
	const ball = vec3(cos(angle).mul(radius), height, sin(angle).mul(radius)).mul(
		pow(random(2), float(1 / 3)).mul(0.5),
	);
	const box = vec3(random(0), random(1), random(2)).sub(0.5);
	const discRadius = sqrt(random(1)).mul(0.5);
	const disc = vec3(cos(angle).mul(discRadius), 0, sin(angle).mul(discRadius));
	const unitPosition = select(shape.lessThan(1.5), ball, select(shape.lessThan(2.5), box, disc));
	return select(shape.lessThan(0.5), vec3(0), unitPosition.mul(size));
}

/** Returns the starting direction of a particle, a unit vector in the emitter's own axes. */
function startDirection({ emitterTexel, random }: ParticleNodes): Node<'vec3'> {
	const direction = emitterTexel(3).xyz;
	const helper = select(direction.y.abs().greaterThan(0.99), vec3(1, 0, 0), vec3(0, 1, 0));
	const right = normalize(cross(direction, helper));
	const up = cross(right, direction);
	const angle = random(3).mul(Math.PI * 2);
	const cosine = mix(cos(emitterTexel(2).w), float(1), random(4));
	const sine = sqrt(clamp(float(1).sub(cosine.mul(cosine)), 0, 1));
	return direction.mul(cosine).add(
		right
			.mul(cos(angle))
			.add(up.mul(sin(angle)))
			.mul(sine),
	);
}

/** Returns the starting velocity of a particle. */
function startVelocity(nodes: ParticleNodes): Node<'vec3'> {
	const { emitterTexel, random } = nodes;
	const speed = mix(emitterTexel(6).x, emitterTexel(6).y, random(5));
	return rotate(emitterTexel(1), startDirection(nodes)).mul(speed);
}

/** Returns the position of a particle at its age. */
function positionOf(nodes: ParticleNodes, start: Node<'vec3'>): Node<'vec3'> {
	const { age, emitterTexel, random } = nodes;
	const [drag, gravity] = [emitterTexel(4).w, emitterTexel(5).xyz];
	// Time of undamped flight over the same distance (s).
	const freeTime = select(
		drag.greaterThan(0.001),
		float(1)
			.sub(exp(drag.mul(age).negate()))
			.div(drag),
		age,
	);
	const sway = emitterTexel(3).w;
	const phase = vec3(random(6), random(7), random(8)).mul(Math.PI * 2);
	const offset = sin(phase.add(vec3(1.9, 1.3, 2.3).mul(age)))
		.sub(sin(phase))
		.mul(sway);
	return emitterTexel(0)
		.xyz.add(rotate(emitterTexel(1), startPosition(nodes)))
		.add(start.mul(freeTime))
		.add(gravity.mul(age.mul(age).mul(0.5)))
		.sub(emitterTexel(4).xyz.mul(age))
		.add(offset);
}

/** Returns the size of a particle at its age. */
function sizeOf({ share, emitterTexel }: ParticleNodes): Node<'float'> {
	const stop = share.mul(STOPS - 1);
	const sizes = emitterTexel(11);
	return select(
		stop.lessThan(1),
		mix(sizes.x, sizes.y, stop),
		select(stop.lessThan(2), mix(sizes.y, sizes.z, stop.sub(1)), mix(sizes.z, sizes.w, stop.sub(2))),
	);
}

/** Returns the position of a corner of a particle. A stretched particle extends along its velocity. */
function cornerOf(nodes: ParticleNodes, isStretched: boolean): Node<'vec3'> {
	const { age, emitterTexel, random } = nodes;
	const start = startVelocity(nodes).toVar();
	const position = positionOf(nodes, start).toVar();
	const size = sizeOf(nodes);
	const right = cameraWorldMatrix.mul(vec4(1, 0, 0, 0)).xyz;
	const up = cameraWorldMatrix.mul(vec4(0, 1, 0, 0)).xyz;
	if (isStretched) {
		const velocity = start
			.mul(exp(emitterTexel(4).w.mul(age).negate()))
			.add(emitterTexel(5).xyz.mul(age))
			.sub(emitterTexel(4).xyz);
		const stretch = velocity.mul(emitterTexel(6).w).toVar();
		const stretchLength = length(stretch).toVar();
		const axis = stretch.div(stretchLength.max(1e-5));
		const side = normalize(cross(axis, cameraPosition.sub(position)));
		return position
			.add(side.mul(positionGeometry.x).mul(size))
			.add(axis.mul(positionGeometry.y).mul(size.add(stretchLength)));
	}
	const angle = emitterTexel(5)
		.w.mul(age)
		.add(random(9).mul(Math.PI * 2));
	const corner = vec2(
		positionGeometry.x.mul(cos(angle)).sub(positionGeometry.y.mul(sin(angle))),
		positionGeometry.x.mul(sin(angle)).add(positionGeometry.y.mul(cos(angle))),
	);
	return position.add(right.mul(corner.x).add(up.mul(corner.y)).mul(size));
}

/** Returns the colour of a particle at its age. */
function colorOf({ share, emitterTexel }: ParticleNodes): Node<'vec4'> {
	const stop = share.mul(STOPS - 1);
	const stopIndex = clamp(floor(stop), 0, STOPS - 2);
	const firstTexel = int(stopIndex.add(0.5)).add(7);
	return varying(
		mix(
			emitterTexel(firstTexel),
			emitterTexel(firstTexel.add(1)),
			select(share.greaterThanEqual(1), float(1), fract(stop)),
		),
	);
}

/** Returns the material for particles of one kind. `table`: texture of emitters. */
export function particleMaterial(
	table: Texture,
	air: Air,
	picture: Texture | null,
	isAdditive: boolean,
	isStretched: boolean,
): MeshBasicNodeMaterial {
	const material = new MeshBasicNodeMaterial();
	material.transparent = true;
	material.depthWrite = false;
	material.toneMapped = false;
	material.blending = isAdditive ? AdditiveBlending : NormalBlending;
	const nodes = particleNodes(table);
	material.positionNode = Fn(() => cornerOf(nodes, isStretched))();
	const color = colorOf(nodes);
	const reflectance = varying(nodes.emitterTexel(6).z);
	const distance = length(uv().sub(0.5)).mul(2);
	const softness = float(1).sub(smoothstep(0.15, 1, distance));
	const pictureColor: Node<'vec4'> =
		picture === null ? vec4(1, 1, 1, softness.mul(softness)) : texture(picture, uv());
	const light = color.xyz.mul(pictureColor.xyz);
	material.fragmentNode = vec4(
		air.particleColor(light, reflectance, isAdditive),
		color.w.mul(pictureColor.w),
	);
	material.name = 'particles';
	return material;
}
