/**
 * Vite plugin for `virtual:scenes`: the descriptions of the scenes in public/scenes, for the start page.
 * Owns: the content of this module, which is derived from the scenes.
 */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const MODULE_ID = 'virtual:scenes';
const RESOLVED_ID = `\0${MODULE_ID}`;

/** Description of a scene. Its file is `/scenes/NAME.json`, and its picture `/pictures/scenes/NAME.webp`. */
export interface SceneCard {
	readonly name: string;
	/** The part of the document's name before the colon. */
	readonly title: string;
	/** The part of the name after the colon. */
	readonly words: string;
	readonly entities: number;
	readonly rules: number;
	/** Keys of a player with their effects; empty if there is nothing to play. */
	readonly keys: string;
}

interface SceneEntity {
	readonly role?: string;
	readonly player?: boolean;
	readonly team?: number;
	readonly physics_body?: string;
	readonly combat?: unknown;
	readonly abilities?: readonly { readonly slot: string }[];
	readonly components?: {
		readonly abilities?: { readonly abilities?: readonly { readonly slot: string }[] };
	};
}

/**
 * Describes the keys of the unit that a player controls: the first hero or entity with `player`, otherwise the first
 * kinematic body with a team. Returns an empty string if there is none.
 */
function describeKeys(entities: readonly SceneEntity[]): string {
	const unit =
		entities.find(({ role, player }) => role === 'hero' || player === true) ??
		entities.find(({ team, physics_body }) => team !== undefined && physics_body === 'Kinematic');
	if (unit === undefined) return '';
	const slots = (unit.abilities ?? unit.components?.abilities?.abilities ?? []).map(({ slot }) => slot);
	const canFight = unit.combat !== undefined;
	return [
		`${slots.includes('W') ? 'Arrow keys' : 'W A S D, arrow keys'} or right-click: move${canFight ? ' and attack' : ''}`,
		...(canFight ? ['F: attack the nearest'] : []),
		...(slots.length > 0 ? [`${slots.join(' ')}: cast`] : []),
	].join('. ');
}

/** Reads the scenes of a folder, in the order of their names. */
export async function readSceneCards(folder: string): Promise<SceneCard[]> {
	const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).sort();
	return Promise.all(
		files.map(async (file) => {
			const document = JSON.parse(await readFile(join(folder, file), 'utf8')) as {
				name?: string;
				entities?: SceneEntity[];
				rules?: unknown[];
			};
			const name = file.slice(0, -'.json'.length);
			const [title = name, words = ''] = (document.name ?? name).split(/:\s*(.*)/s);
			const counts = { entities: document.entities?.length ?? 0, rules: document.rules?.length ?? 0 };
			return { name, title, words, ...counts, keys: describeKeys(document.entities ?? []) };
		}),
	);
}

/** Provides `virtual:scenes`. Its default export is the list of the scenes in `folder`. */
export function sceneList(folder: string): Plugin {
	return {
		name: 'orrery-scene-list',
		resolveId: (id) => (id === MODULE_ID ? RESOLVED_ID : undefined),
		async load(id) {
			if (id !== RESOLVED_ID) return undefined;
			for (const { name } of await readSceneCards(folder)) this.addWatchFile(join(folder, `${name}.json`));
			return `export default ${JSON.stringify(await readSceneCards(folder))};`;
		},
	};
}
