/**
 * Takes the types off the project's own files where Node does not: in a package that npm has installed, below node_modules.
 * Owns: that, for the files of this package alone. Loaded with `--import` before the script.
 */

import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';

const own = new URL('../../', import.meta.url).href;

registerHooks({
	load(url, context, next) {
		const isOwn = url.startsWith(own) && !url.slice(own.length).startsWith('node_modules/');
		if (!isOwn || !url.endsWith('.ts')) return next(url, context);
		const source = stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'));
		return { format: 'module', source, shortCircuit: true };
	},
});
