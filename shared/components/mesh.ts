/** Drawn shape of an entity. */

import * as z from 'zod';
import { namesAsset } from '../contract/asset-mark.ts';
import { component, json } from '../contract/component.ts';
import { optional, text } from '../contract/values.ts';

export const PRIMITIVES = ['cube', 'sphere', 'plane', 'cylinder', 'cone'] as const;

export const meshText = text(
	'Shape: cube, sphere, plane, cylinder, cone, or a glTF model by its path, name or hash. The colour applies to the material named tint of a model, or to all its materials. An unknown shape is drawn as a placeholder',
	200,
).meta(namesAsset('model'));

/** Returns true if a shape's name is the path of a model file. */
export function isMeshFile(name: string): boolean {
	return /[/\\]|\.(glb|gltf)$|^[0-9a-f]{64}$/i.test(name);
}

/** Returns the stored form of a shape in a request. An unknown shape adds a warning. */
export function meshOf(mesh: string, warnings: string[]): string {
	const name = mesh.trim();
	const primitive = PRIMITIVES.find((candidate) => candidate === name.toLowerCase());
	if (primitive === undefined && !isMeshFile(name))
		warnings.push(`mesh "${name}" is unknown and drawn as a placeholder; known: ${PRIMITIVES.join(', ')}`);
	return primitive ?? name;
}

export const Mesh = component({
	name: 'mesh',
	title: 'Mesh',
	scope: 'state',
	summary: 'Shape: cube, sphere, plane, cylinder, cone, or the path of a model file',
	fields: { mesh: json<string>(z.string(), 'cube', 'Name of a primitive, or a path') },
	readout: { schema: z.string(), from: (row) => row.mesh },
	spawn: {
		fields: { mesh: optional(meshText) },
		row: ({ mesh }, warnings) => (mesh == null ? null : { mesh: meshOf(mesh, warnings) }),
		describe: (row) => ({ mesh: row?.mesh }),
	},
});
