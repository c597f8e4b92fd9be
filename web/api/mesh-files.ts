/** Meshes that are model files. Owns: the warnings of answers about models that cannot be read or drawn. */

import { isMeshFile, Mesh } from '../../shared/components/mesh.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { get, type World } from '../sim/core/world.ts';
import { modelOf } from '../sim/models/model.ts';
import type { Host } from './context.ts';
import { warningsField } from './warnings-field.ts';

/** Returns the meshes of some entities. */
export const meshesOf = (world: World, ids: readonly number[]): (string | undefined)[] =>
	ids.map((id) => get(world, id, Mesh)?.mesh);

const placeholderWarning = (name: string, { message }: ApiError): string =>
	`mesh "${name}" is drawn as a placeholder: ${message}`;

/** Returns warnings about the parts of a model that are not drawn. */
export function modelWarnings(bytes: Uint8Array, name: string): string[] {
	try {
		const { drawable, undrawn } = modelOf(bytes, `"${name}"`);
		if (!drawable) return [`mesh "${name}" is drawn as a placeholder: it has only lines and points.`];
		return undrawn.length === 0 ? [] : [`mesh "${name}" is drawn without ${undrawn.join('; ')}.`];
	} catch (error) {
		if (!(error instanceof ApiError)) throw error;
		return [placeholderWarning(name, error)];
	}
}

/**
 * Returns an answer with further warnings: one for each mesh that is a missing or undrawable model file. Returns it immediately if no
 * mesh is a file.
 */
export function withMeshWarnings<A extends { readonly warnings?: string[] }>(
	{ assets }: Host,
	meshes: readonly (string | null | undefined)[],
	answer: A,
): A | Promise<A> {
	const files = meshes.filter((mesh) => mesh != null && isMeshFile(mesh));
	if (files.length === 0) return answer;
	const warningLists = [...new Set(files.map((mesh) => mesh!.trim()))].map((name) =>
		assets
			.load(name)
			.then(({ bytes }) => modelWarnings(bytes, name))
			.catch((error: unknown) => {
				if (!(error instanceof ApiError)) throw error;
				return [placeholderWarning(name, error)];
			}),
	);
	return Promise.all(warningLists).then((resolvedLists) => ({
		...answer,
		...warningsField([...(answer.warnings ?? []), ...resolvedLists.flat()]),
	}));
}
