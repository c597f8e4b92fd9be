/**
 * `npm run models`: makes the models in public/models, which are part of the project.
 * Owns: that folder, and the icons in public/pictures/items. The folder models/ defines the look of each model; all are
 * written by hand, so no other rights apply.
 */

import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ICONS, iconOf } from './icons.ts';
import { MODELS } from './models/index.ts';

const folder = resolve('public/models');
await mkdir(folder, { recursive: true });
for (const file of await readdir(folder)) await rm(join(folder, file));
let bytes = 0;
for (const [name, make] of Object.entries(MODELS)) {
	const file = make().glb();
	bytes += file.length;
	await writeFile(join(folder, `${name}.glb`), file);
}
console.log(`Wrote ${Object.keys(MODELS).length} models to ${folder}, ${Math.round(bytes / 1024)} KB`);

const pictures = resolve('public/pictures/items');
await mkdir(pictures, { recursive: true });
for (const [name, make] of Object.entries(ICONS))
	await writeFile(join(pictures, `${name}.png`), iconOf(make().glb()));
console.log(`Wrote ${Object.keys(ICONS).length} icons to ${pictures}`);
