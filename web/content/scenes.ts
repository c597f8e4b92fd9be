/**
 * `npm run scenes`: makes the scenes in public/scenes that are built by calls alone.
 * Owns: their files. The calls are in scenes/<scene>.ts.
 */

import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { BUILT, builtScene } from './scenes/built-scene.ts';

for (const name of Object.keys(BUILT)) {
	const file = resolve(`public/scenes/${name}.json`);
	await writeFile(file, `${JSON.stringify(await builtScene(name, resolve('public')))}\n`);
	console.log(`Wrote ${file}`);
}
