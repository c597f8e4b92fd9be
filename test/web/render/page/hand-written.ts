/**
 * Code with three.js alone for the worlds of the bench: instanced meshes, sprites over them, plants, sparks.
 * Owns: three scenes, each with a sun that casts shadows, and what has to be filled in for a picture.
 */

import {
	attribute,
	cameraPosition,
	float,
	hash,
	instanceIndex,
	positionLocal,
	sin,
	uniform,
	vec3,
} from 'three/tsl';
import {
	AdditiveBlending,
	AmbientLight,
	BoxGeometry,
	type BufferGeometry,
	Color,
	ConeGeometry,
	CylinderGeometry,
	DirectionalLight,
	DoubleSide,
	DynamicDrawUsage,
	Frustum,
	IcosahedronGeometry,
	InstancedBufferAttribute,
	InstancedMesh,
	Matrix4,
	Mesh,
	MeshBasicNodeMaterial,
	MeshStandardNodeMaterial,
	OctahedronGeometry,
	type PerspectiveCamera,
	PlaneGeometry,
	Quaternion,
	Scene,
	Sphere,
	SphereGeometry,
	TorusGeometry,
	Vector3,
} from 'three/webgpu';

export interface HandWritten {
	readonly scene: Scene;
	/** Fills in what is other in the next picture. */
	fill(camera: PerspectiveCamera, picture: number): void;
}

/** Several of them in one scene. */
export function together(...make: readonly ((scene: Scene) => HandWritten)[]): HandWritten {
	const scene = lit();
	const parts = make.map((part) => part(scene));
	return {
		scene,
		fill(camera, picture) {
			for (const part of parts) part.fill(camera, picture);
		},
	};
}

const UP = new Vector3(0, 1, 0);

function lit(): Scene {
	const scene = new Scene();
	const ground = new Mesh(new PlaneGeometry(400, 400).rotateX(-Math.PI / 2), new MeshStandardNodeMaterial());
	ground.receiveShadow = true;
	const sun = new DirectionalLight(0xffffff, 3);
	sun.position.set(-40, 50, 20);
	sun.castShadow = true;
	sun.shadow.mapSize.set(1024, 1024);
	Object.assign(sun.shadow.camera, { left: -60, right: 60, top: 60, bottom: -60, far: 200 });
	scene.add(ground, sun, new AmbientLight(0xffffff, 1));
	return scene;
}

const SHAPES: readonly (() => BufferGeometry)[] = [
	() => new BoxGeometry(),
	() => new SphereGeometry(0.5, 14, 10),
	() => new PlaneGeometry().rotateX(-Math.PI / 2),
	() => new CylinderGeometry(0.5, 0.5, 1, 14),
	() => new ConeGeometry(0.5, 1, 14),
	() => new OctahedronGeometry(0.5),
	() => new TorusGeometry(0.35, 0.15, 8, 14),
	() => new IcosahedronGeometry(0.5, 1),
];

/** Things of eight kinds that move, their poses those of a frame, and a bar over each of the first `bars`. */
export function movingThings(
	count: number,
	bars: number,
	poses: (picture: number) => Float32Array,
	scene = lit(),
): HandWritten {
	const shapes = SHAPES.map((make) => make());
	const color = new Color();
	const each = Math.ceil(count / shapes.length);
	const meshes = shapes.map((shape) => {
		const mesh = new InstancedMesh(shape, new MeshStandardNodeMaterial(), each);
		mesh.instanceMatrix.setUsage(DynamicDrawUsage);
		mesh.castShadow = mesh.receiveShadow = true;
		mesh.frustumCulled = false;
		for (let i = 0; i < each; i++) mesh.setColorAt(i, color.setHSL((i % 100) / 100, 0.6, 0.5));
		scene.add(mesh);
		return mesh;
	});
	const shares = new InstancedBufferAttribute(new Float32Array(bars).fill(0.5), 1);
	shares.setUsage(DynamicDrawUsage);
	const quad = new PlaneGeometry(0.6, 0.08);
	quad.setAttribute('share', shares);
	const material = new MeshBasicNodeMaterial();
	material.depthTest = false;
	material.colorNode = positionLocal.x
		.add(0.3)
		.div(0.6)
		.lessThan(attribute<'float'>('share', 'float'))
		.select(vec3(0.2, 0.7, 0.3), vec3(0.1));
	const signs = new InstancedMesh(quad, material, bars);
	signs.instanceMatrix.setUsage(DynamicDrawUsage);
	signs.frustumCulled = false;
	signs.renderOrder = 20;
	scene.add(signs);
	const matrix = new Matrix4();
	const position = new Vector3();
	const turn = new Quaternion();
	const scale = new Vector3();
	const one = new Vector3(1, 1, 1);
	return {
		scene,
		fill(camera, picture) {
			const now = poses(picture);
			for (let i = 0; i < count; i++) {
				const at = i * 10;
				position.fromArray(now, at);
				turn.fromArray(now, at + 3);
				scale.fromArray(now, at + 7);
				meshes[i % shapes.length]!.setMatrixAt(
					Math.floor(i / shapes.length),
					matrix.compose(position, turn, scale),
				);
			}
			for (const mesh of meshes) mesh.instanceMatrix.needsUpdate = true;
			for (let i = 0; i < bars; i++) {
				position.fromArray(now, i * 10).addScaledVector(UP, 0.6);
				signs.setMatrixAt(i, matrix.compose(position, camera.quaternion, one));
				shares.array[i] = ((i + picture) % 10) / 10;
			}
			signs.instanceMatrix.needsUpdate = true;
			shares.needsUpdate = true;
		},
	};
}

/** Things of eight kinds that move, as above, of which those are drawn that the camera or the sun sees within `reach` metres. */
export function crowd(count: number, poses: (picture: number) => Float32Array, reach: number): HandWritten {
	const scene = lit();
	const sun = scene.children.find((child) => child instanceof DirectionalLight)!;
	Object.assign(sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach });
	sun.shadow.camera.updateProjectionMatrix();
	const each = Math.ceil(count / SHAPES.length);
	const meshes = SHAPES.map((make) => {
		const mesh = new InstancedMesh(make(), new MeshStandardNodeMaterial(), each);
		mesh.castShadow = mesh.receiveShadow = true;
		mesh.frustumCulled = false;
		mesh.setColorAt(each - 1, new Color());
		scene.add(mesh);
		return mesh;
	});
	const color = new Color();
	const colors = Float32Array.from(
		{ length: count * 3 },
		(_, i) => color.setHSL((Math.floor(i / 3) % 100) / 100, 0.6, 0.5).toArray()[i % 3]!,
	);
	const [frustum, lighted] = [new Frustum(), new Frustum()];
	const ball = new Sphere();
	const matrix = new Matrix4();
	const position = new Vector3();
	const turn = new Quaternion();
	const scale = new Vector3();
	return {
		scene,
		fill(camera, picture) {
			const now = poses(picture);
			scene.updateMatrixWorld();
			sun.shadow.updateMatrices(sun);
			lighted.copy(sun.shadow.getFrustum());
			camera.updateMatrixWorld();
			matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
			frustum.setFromProjectionMatrix(matrix, camera.coordinateSystem);
			for (const mesh of meshes) mesh.count = 0;
			for (let i = 0; i < count; i++) {
				const at = i * 10;
				ball.center.fromArray(now, at);
				scale.fromArray(now, at + 7);
				ball.radius = scale.length() / 2;
				if (!frustum.intersectsSphere(ball) && !lighted.intersectsSphere(ball)) continue;
				position.fromArray(now, at);
				turn.fromArray(now, at + 3);
				const mesh = meshes[i % meshes.length]!;
				const index = mesh.count++;
				mesh.setMatrixAt(index, matrix.compose(position, turn, scale));
				mesh.setColorAt(index, color.fromArray(colors, i * 3));
			}
			for (const { count: drawn, instanceMatrix, instanceColor } of meshes)
				for (const attribute of [instanceMatrix, instanceColor!]) {
					attribute.clearUpdateRanges();
					attribute.addUpdateRange(0, drawn * attribute.itemSize);
					attribute.needsUpdate = true;
				}
		},
	};
}

/** `count` tufts of a shape over a square field with a side of `side` metres, in tiles that are culled, blown by a wind. */
export function meadow(
	count: number,
	side: number,
	tiles: number,
	shape: BufferGeometry,
	scene = lit(),
): HandWritten {
	const seconds = uniform(0);
	const material = new MeshStandardNodeMaterial({ side: DoubleSide });
	const sway = sin(seconds.mul(1.6).add(float(instanceIndex).mul(0.35)))
		.mul(0.16)
		.mul(positionLocal.y);
	material.positionNode = positionLocal.add(vec3(sway, 0, sway.mul(0.5)));
	material.colorNode = vec3(0.3, 0.5, 0.2).mul(hash(instanceIndex).mul(0.4).add(0.8));
	const matrix = new Matrix4();
	const chance = (n: number): number => Math.abs(Math.sin(n * 12.9898) * 43758.5453) % 1;
	const each = Math.round(count / (tiles * tiles));
	for (let tile = 0; tile < tiles * tiles; tile++) {
		const mesh = new InstancedMesh(shape, material, each);
		const [left, near] = [
			((tile % tiles) / tiles - 0.5) * side,
			(Math.floor(tile / tiles) / tiles - 0.5) * side,
		];
		for (let i = 0; i < each; i++) {
			const n = tile * each + i;
			matrix.makeRotationY(chance(n) * 6);
			matrix.setPosition(left + (chance(n + 0.3) * side) / tiles, 0, near + (chance(n + 0.6) * side) / tiles);
			mesh.setMatrixAt(i, matrix);
		}
		mesh.receiveShadow = true;
		mesh.computeBoundingSphere();
		scene.add(mesh);
	}
	return {
		scene,
		fill(_, picture) {
			seconds.value = picture / 60;
		},
	};
}

/** `count` sparks that fly up and fall: each moved on by the processor, drawn as a quad that faces the camera. */
export function sparks(count: number, scene = lit()): HandWritten {
	const places = new InstancedBufferAttribute(new Float32Array(count * 4), 4);
	const looks = new InstancedBufferAttribute(new Float32Array(count * 4), 4);
	for (const attribute of [places, looks]) attribute.setUsage(DynamicDrawUsage);
	const velocities = new Float32Array(count * 3);
	const ages = new Float32Array(count);
	const quad = new PlaneGeometry();
	quad.setAttribute('place', places);
	quad.setAttribute('look', looks);
	const material = new MeshBasicNodeMaterial();
	material.transparent = true;
	material.depthWrite = false;
	material.blending = AdditiveBlending;
	const position = attribute<'vec4'>('place', 'vec4');
	const look = attribute<'vec4'>('look', 'vec4');
	const toEye = cameraPosition.sub(position.xyz).normalize();
	const right = vec3(0, 1, 0).cross(toEye).normalize();
	const up = toEye.cross(right);
	material.positionNode = position.xyz
		.add(right.mul(positionLocal.x).mul(position.w))
		.add(up.mul(positionLocal.y).mul(position.w));
	material.colorNode = look.xyz;
	material.opacityNode = look.w;
	const mesh = new InstancedMesh(quad, material, count);
	for (let i = 0; i < count; i++) mesh.setMatrixAt(i, new Matrix4());
	mesh.frustumCulled = false;
	scene.add(mesh);
	let chance = 1;
	const draw = (): number => {
		chance = (Math.imul(chance, 1664525) + 1013904223) >>> 0;
		return chance / 2 ** 32;
	};
	const start = (i: number): void => {
		(places.array as Float32Array).set([(draw() - 0.5) * 40, 0, (draw() - 0.5) * 40], i * 4);
		velocities.set([(draw() - 0.5) * 2, 2 + draw() * 3, (draw() - 0.5) * 2], i * 3);
		ages[i] = 0;
	};
	for (let i = 0; i < count; i++) {
		start(i);
		ages[i] = draw();
	}
	const dt = 1 / 60;
	return {
		scene,
		fill() {
			const at = places.array as Float32Array;
			const how = looks.array as Float32Array;
			for (let i = 0; i < count; i++) {
				const age = ages[i]! + dt;
				if (age >= 1) {
					start(i);
					continue;
				}
				ages[i] = age;
				const v = i * 3;
				const p = i * 4;
				velocities[v + 1] = velocities[v + 1]! - 9.81 * dt;
				at[p] = at[p]! + velocities[v]! * dt;
				at[p + 1] = at[p + 1]! + velocities[v + 1]! * dt;
				at[p + 2] = at[p + 2]! + velocities[v + 2]! * dt;
				at[p + 3] = 0.12 * (1 - age);
				how[p] = 1;
				how[p + 1] = 0.8 - 0.6 * age;
				how[p + 2] = 0.2 * (1 - age);
				how[p + 3] = 1 - age;
			}
			places.needsUpdate = true;
			looks.needsUpdate = true;
		},
	};
}
