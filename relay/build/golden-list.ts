/**
 * Vite plugin for `virtual:goldens`: the golden traces of the games that the tests use.
 * Owns: the content of this module, which is derived from the traces and scenes.
 */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { readSceneCards } from './scene-list.ts';

const MODULE_ID = 'virtual:goldens';
const RESOLVED_ID = `\0${MODULE_ID}`;
const SUFFIX = '.golden.txt';

export interface Golden {
	/** Name of the game. Its scene is `/scenes/NAME.json`. */
	readonly name: string;
	readonly title: string;
	/** Result that `web/proof/play-golden.ts` writes. */
	readonly trace: string;
}

/** Reads the traces of a folder in the order of their names, with the titles of their scenes. */
export async function readGoldens(folder: string, scenes: string): Promise<Golden[]> {
	const files = (await readdir(folder)).filter((file) => file.endsWith(SUFFIX)).sort();
	const cards = await readSceneCards(scenes);
	return Promise.all(
		files.map(async (file) => {
			const name = file.slice(0, -SUFFIX.length);
			const title = cards.find((card) => card.name === name)?.title ?? name;
			return { name, title, trace: await readFile(join(folder, file), 'utf8') };
		}),
	);
}

/** Provides `virtual:goldens`. Its default export is the list of the traces in `folder`. */
export function goldenList(folder: string, scenes: string): Plugin {
	return {
		name: 'orrery-golden-list',
		resolveId: (id) => (id === MODULE_ID ? RESOLVED_ID : undefined),
		async load(id) {
			if (id !== RESOLVED_ID) return undefined;
			const goldens = await readGoldens(folder, scenes);
			for (const { name } of goldens) this.addWatchFile(join(folder, `${name}${SUFFIX}`));
			return `export default ${JSON.stringify(goldens)};`;
		},
	};
}
