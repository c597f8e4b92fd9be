/**
 * `npm run scenes`: writes the scenes in public/scenes that are built by calls alone.
 * Owns: the files of these scenes. Their calls are in scenes/<scene>.ts.
 */

import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { BUILT_SCENES, buildScene } from './scenes/built-scene.ts';

for (const name of Object.keys(BUILT_SCENES)) {
	const file = resolve(`public/scenes/${name}.json`);
	await writeFile(file, `${JSON.stringify(await buildScene(name, resolve('public')))}\n`);
	console.log(`Wrote ${file}`);
}
