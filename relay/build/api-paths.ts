/**
 * Vite plugin for `virtual:api-paths`: method and path of every route.
 * Owns: the content of this module. With it the service worker knows the paths without loading the schema library.
 */

import type { Plugin } from 'vite';

const MODULE_ID = 'virtual:api-paths';
const RESOLVED_ID = `\0${MODULE_ID}`;

/** Provides `virtual:api-paths`, whose default export is an array of `{ method, path }` such as `/entities/{id}`. */
export function apiPaths(): Plugin {
	return {
		name: 'orrery-api-paths',
		resolveId: (id) => (id === MODULE_ID ? RESOLVED_ID : undefined),
		async load(id) {
			if (id !== RESOLVED_ID) return undefined;
			const { routes } = await import('../../shared/routes/index.ts');
			const paths = routes.map(({ method, path }) => ({ method, path }));
			return `export default ${JSON.stringify(paths)};`;
		},
	};
}
