#!/usr/bin/env node
/**
 * `npx orrery`: the command line, and `npx orrery start`, the server.
 * Owns: the choice of their files. An installed package has built files; a clone runs its sources. Node 20.19 must be
 * able to parse this file.
 */

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const resolvePath = (path) => fileURLToPath(new URL(path, import.meta.url));
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const isStart = process.argv[2] === 'start';

if (!existsSync(resolvePath('./setup/run.mjs'))) {
	if (major < 22 || (major === 22 && minor < 13)) {
		console.error(
			`Orrery needs Node 22.13 or later, and this is Node ${process.versions.node}. Install a newer one from https://nodejs.org.`,
		);
		process.exitCode = 1;
	} else if (isStart) {
		process.argv.splice(2, 1);
		await import('../dist/node/start.js');
	} else await import('../dist/node/cli.js');
} else if (
	!isStart &&
	process.features.typescript &&
	existsSync(resolvePath('../node_modules/zod/package.json'))
) {
	await import('./cli/main.ts');
} else {
	process.argv.splice(
		1,
		isStart ? 2 : 1,
		resolvePath('./setup/run.mjs'),
		isStart ? 'relay/main.ts' : 'relay/cli/main.ts',
	);
	await import('./setup/run.mjs');
}
