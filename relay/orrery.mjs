#!/usr/bin/env node
/**
 * `npx orrery`: runs the command line under a Node that runs TypeScript, after making sure the packages are there.
 * Owns: the short way past the set-up step when nothing is missing. Runs on Node 20.19 with its built-ins only.
 */

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const near = (path) => fileURLToPath(new URL(path, import.meta.url));
const installed = near('..').split(/[\\/]/).includes('node_modules');

// Below node_modules, where npm installs it, Node runs no TypeScript by itself, and the packages are there already.
if (process.features.typescript && existsSync(near('../node_modules/zod/package.json')) && !installed) {
	await import('./cli/main.ts');
} else {
	process.argv.splice(1, 1, near('./setup/run.mjs'), 'relay/cli/main.ts');
	await import('./setup/run.mjs');
}
