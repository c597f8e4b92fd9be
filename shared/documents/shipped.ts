/**
 * Models, sounds and scenes that come with the engine. Suggestions and scene names use them.
 * Owns: their names, which a test compares with the folder `public`.
 */

import { nearest, suggestion } from '../contract/nearest.ts';

interface ShippedFolder {
	readonly ending: string;
	/** Endings of similar files, without the dot. For their paths a shipped file is suggested. */
	readonly similarEndings: readonly string[];
	readonly names: readonly string[];
}

const folderOf = (ending: string, similarEndings: string, names: string): ShippedFolder => ({
	ending,
	similarEndings: similarEndings.split(' '),
	names: names.split(' '),
});

/** Shipped files by their folder in `public`. */
export const SHIPPED = {
	models: folderOf(
		'glb',
		'glb gltf obj fbx',
		'ancient anvil archer banner barrel bench bolts bread bush cart chest chest_lid church coin cottage crate crown door dragon fence fountain giant goblin guard haystack hoard house knight lamp longhouse mage maple mason merchant mill mill_sails oak pillar pine rock sack shrine signpost skeleton slime soldier spikes stall torch tower villager well wrecking_ball',
	),
	scenes: folderOf('json', 'json', 'arena dungeon market skirmish towers village'),
	sounds: folderOf('wav', 'wav ogg mp3', 'birds chime click coin death fire hit level_up shot wind'),
} as const satisfies Readonly<Record<string, ShippedFolder>>;

/** Returns the path of a shipped file, such as `models/knight.glb`. */
export const shippedPath = (folder: keyof typeof SHIPPED, name: string): string =>
	`${folder}/${name}.${SHIPPED[folder].ending}`;

const PATHS: ReadonlySet<string> = new Set(
	Object.entries<ShippedFolder>(SHIPPED).flatMap(([folder, { ending, names }]) =>
		names.map((name) => `${folder}/${name}.${ending}`),
	),
);

/** Returns true for the path of a shipped file, also in a spelling that some disks treat as the same. */
export const isShipped = (path: string): boolean => PATHS.has(path.normalize('NFC').toLowerCase());

/** Returns the path of a shipped scene. */
export const scenePath = (name: string): string => `scenes/${name}.json`;

/** Returns the fix for the path of a file that does not exist: the nearest shipped file. Undefined if none is near. */
export function shippedSuggestion(path: string): string | undefined {
	const file = path.split(/[/\\]/).at(-1)!.toLowerCase();
	const [, stem = file, ending] = /^(.*?)(?:\.(\w+))?$/.exec(file) ?? [];
	for (const [folder, { ending: shippedEnding, similarEndings, names }] of Object.entries<ShippedFolder>(SHIPPED)) {
		if (ending !== undefined && !similarEndings.includes(ending)) continue;
		const name = names.includes(stem) ? stem : nearest(stem, names);
		if (name === undefined) continue;
		return folder === 'scenes'
			? `POST /scene/open {"name":"${name}"} opens the shipped scene "${name}".`
			: `Did you mean "${folder}/${name}.${shippedEnding}"?`;
	}
	return undefined;
}

/** Returns the fix for an unknown name of a scene. */
export const sceneSuggestion = (name: string): string => suggestion(name, SHIPPED.scenes.names) ?? '';
