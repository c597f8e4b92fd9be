/**
 * The vite plugin that puts the Python package into the built folder: the wheel, and the page that lists it.
 * Owns: their addresses. The wheel itself is made by `relay/python/wheel.ts`.
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
			// Pages that are built apart have no public files either.
			if (error !== undefined || !hasPublic) return;
			// Loaded only now: what tests and settings load must not load every declaration.
			const { buildWheel, indexPage } = await import('../python/wheel.ts');
			const wheel = buildWheel();
			const folder = join(outDir, 'python');
			await mkdir(folder, { recursive: true });
			await writeFile(join(folder, wheel.name), wheel.bytes);
			await writeFile(join(folder, 'index.html'), indexPage(wheel));
		},
	};
}
