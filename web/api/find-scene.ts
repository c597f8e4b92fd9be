/** Finds the file of a scene that a caller names. Owns: the searched paths, and the refusal of an unknown name. */

import { ApiError } from '../../shared/contract/errors.ts';
import { pathError } from '../../shared/contract/file-path.ts';
import { SHIPPED, scenePath, sceneSuggestion } from '../../shared/documents/shipped.ts';
import type { Host } from './context.ts';

/**
 * Returns a shipped scene by its name, or a file of the data folder by its path. The ending `.json` and the folder `scenes/` may
 * be omitted.
 */
export async function findScene(host: Host, name: string) {
	const shipped = name.toLowerCase();
	if ((SHIPPED.scenes.names as readonly string[]).includes(shipped)) {
		const bytes = await host.readPublic(scenePath(shipped));
		if (bytes !== null) return { name: shipped, path: scenePath(shipped), bytes };
	}
	const paths = [name, `${name}.json`, scenePath(name)].filter((path) => pathError(path) === undefined);
	for (const path of paths) {
		const bytes = await host.files.read(path).catch(nullIfMissing);
		if (bytes !== null) return { name, path, bytes };
	}
	throw new ApiError('file_missing', `There is no scene "${name}".`, {
		fix: sceneSuggestion(shipped),
		path: 'name',
	});
}

function nullIfMissing(error: unknown): null {
	if (error instanceof ApiError && error.code === 'file_missing') return null;
	throw error;
}
