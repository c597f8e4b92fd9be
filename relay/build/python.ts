/**
 * Vite plugin that writes the Python package into the built folder: the wheel, and the page that lists it.
 * Owns: their addresses. `relay/python/wheel.ts` creates the wheel.
 */

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';

export function pythonPackage(): Plugin {
	let outDir = '';
	let hasPublic = true;
	return {
		name: 'orrery-python',
		configResolved(config) {
			outDir = config.build.outDir;
			hasPublic = config.publicDir !== '';
		},
		async closeBundle(error) {
			// A separate build, such as that of the other pages, has no public files and needs no package.
			if (error !== undefined || !hasPublic) return;
			// Loaded late, because tests and settings that load this file must not load every declaration.
			const { buildWheel, indexPage } = await import('../python/wheel.ts');
			const wheel = buildWheel();
			const folder = join(outDir, 'python');
			await mkdir(folder, { recursive: true });
			await writeFile(join(folder, wheel.name), wheel.bytes);
			await writeFile(join(folder, 'index.html'), indexPage(wheel));
		},
	};
}
