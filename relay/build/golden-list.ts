/**
 * Vite plugin for `virtual:goldens`: the golden traces of the games that the tests use.
 * Owns: this module, derived from the traces and scenes themselves.
 */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { readSceneCards } from './scene-list.ts';

const NAME = 'virtual:goldens';
const RESOLVED = `\0${NAME}`;
const ENDING = '.golden.txt';

export interface Golden {
	/** Its scene is `/scenes/NAME.json`. */
	readonly name: string;
	readonly title: string;
	/** Result that `web/proof/play-golden.ts` writes. */
	readonly trace: string;
}

/** Reads the traces of a folder in the order of their names, with the titles of their scenes. */
export async function readGoldens(folder: string, scenes: string): Promise<Golden[]> {
	const files = (await readdir(folder)).filter((file) => file.endsWith(ENDING)).sort();
	const cards = await readSceneCards(scenes);
	return Promise.all(
		files.map(async (file) => {
			const name = file.slice(0, -ENDING.length);
			const title = cards.find((card) => card.name === name)?.title ?? name;
			return { name, title, trace: await readFile(join(folder, file), 'utf8') };
		}),
	);
}

/** Provides `virtual:goldens`, whose default export is the traces in `folder`. */
export function goldenList(folder: string, scenes: string): Plugin {
	return {
		name: 'orrery-golden-list',
		resolveId: (id) => (id === NAME ? RESOLVED : undefined),
		async load(id) {
			if (id !== RESOLVED) return undefined;
			const goldens = await readGoldens(folder, scenes);
			for (const { name } of goldens) this.addWatchFile(join(folder, `${name}${ENDING}`));
			return `export default ${JSON.stringify(goldens)};`;
		},
	};
}
