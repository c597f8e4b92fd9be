/**
 * `npm run models`: writes the models in public/models, which are part of the project.
 * Owns: that folder, and the icons in public/pictures/items. The folder models/ defines the look of each model. All of them are
 * hand-written, so no other rights apply.
 */

import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ICONS, iconOf } from './icons.ts';
import { MODELS } from './models/index.ts';

const modelFolder = resolve('public/models');
await mkdir(modelFolder, { recursive: true });
for (const file of await readdir(modelFolder)) await rm(join(modelFolder, file));
let bytes = 0;
for (const [name, make] of Object.entries(MODELS)) {
	const file = make().glb();
	bytes += file.length;
	await writeFile(join(modelFolder, `${name}.glb`), file);
}
console.log(`Wrote ${Object.keys(MODELS).length} models to ${modelFolder}, ${Math.round(bytes / 1024)} KB`);

const iconFolder = resolve('public/pictures/items');
await mkdir(iconFolder, { recursive: true });
for (const [name, make] of Object.entries(ICONS))
	await writeFile(join(iconFolder, `${name}.png`), iconOf(make().glb()));
console.log(`Wrote ${Object.keys(ICONS).length} icons to ${iconFolder}`);
