#!/usr/bin/env node
/**
 * `npx orrery`: the command line, and `npx orrery start`, the server.
 * Owns: how both run. An installed package has them built; a clone runs its sources. Parsed by Node 20.19.
 */

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const near = (path) => fileURLToPath(new URL(path, import.meta.url));
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const starts = process.argv[2] === 'start';

if (!existsSync(near('./setup/run.mjs'))) {
	if (major < 22 || (major === 22 && minor < 13)) {
		console.error(
			`Orrery needs Node 22.13 or later, and this is Node ${process.versions.node}. Install a newer one from https://nodejs.org.`,
		);
		process.exitCode = 1;
	} else if (starts) {
		process.argv.splice(2, 1);
		await import('../dist/node/start.js');
	} else await import('../dist/node/cli.js');
} else if (!starts && process.features.typescript && existsSync(near('../node_modules/zod/package.json'))) {
	await import('./cli/main.ts');
} else {
	process.argv.splice(
		1,
		starts ? 2 : 1,
		near('./setup/run.mjs'),
		starts ? 'relay/main.ts' : 'relay/cli/main.ts',
	);
	await import('./setup/run.mjs');
}
