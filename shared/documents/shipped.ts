/**
 * Models, sounds and scenes that come with the engine. Suggestions and scene names use them.
 * Owns: their names, which a test compares with the folder `public`.
 */

import { nearest, suggestion } from '../contract/nearest.ts';

interface ShippedFolder {
	/** Ending of the files, without the dot. */
	readonly ending: string;
	/** Endings without the dot. For a missing file with one of them, a shipped file is suggested. */
	readonly similarEndings: readonly string[];
	readonly names: readonly string[];
	/** Words by which a search finds a file, besides its name. */
	readonly words?: Readonly<Record<string, readonly string[]>>;
}

const folderOf = (ending: string, similarEndings: string, names: string): ShippedFolder => ({
	ending,
	similarEndings: similarEndings.split(' '),
	names: names.split(' '),
});

/** Returns a folder. `words`: names of its files, each with the words by which a search finds it, too. */
const folderWithWords = (
	ending: string,
	similarEndings: string,
	words: Readonly<Record<string, string>>,
): ShippedFolder => ({
	...folderOf(ending, similarEndings, Object.keys(words).join(' ')),
	words: Object.fromEntries(
		Object.entries(words).map(([name, text]) => [name, text.split(' ').filter((word) => word !== '')]),
	),
});

/** Shipped files by their folder in `public`. */
export const SHIPPED = {
	models: folderWithWords('glb', 'glb gltf obj fbx', {
		ancient: 'building',
		anvil: '',
		archer: 'person unit',
		banner: '',
		barrel: '',
		bench: '',
		bolts: '',
		bread: '',
		bush: 'plant',
		cart: '',
		chest: 'box',
		chest_lid: '',
		church: 'house building',
		coin: 'treasure',
		cottage: 'house building',
		crate: 'box',
		crown: 'treasure',
		door: '',
		dragon: 'monster unit',
		fence: '',
		fountain: '',
		giant: 'person unit',
		goblin: 'person unit',
		guard: 'person unit',
		haystack: '',
		hoard: 'treasure',
		house: 'house building',
		knight: 'person unit',
		lamp: 'light',
		longhouse: 'house building',
		mage: 'person unit',
		maple: 'tree plant',
		mason: 'person unit',
		merchant: 'person unit',
		mill: 'house building',
		mill_sails: '',
		oak: 'tree plant',
		pillar: '',
		pine: 'tree plant',
		rock: 'stone',
		sack: '',
		shrine: 'building',
		signpost: '',
		skeleton: 'person unit',
		slime: 'monster unit',
		soldier: 'person unit',
		spikes: '',
		stall: 'building',
		torch: 'light',
		tower: 'house building',
		villager: 'person unit',
		well: 'building',
		wrecking_ball: '',
	}),
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

/** Returns true for the path of a shipped file, also in another letter case or Unicode form, which some disks treat as equal. */
export const isShipped = (path: string): boolean => PATHS.has(path.normalize('NFC').toLowerCase());

/** Returns the path of a shipped scene. */
export const scenePath = (name: string): string => `scenes/${name}.json`;

/** Returns the fix for the path of a file that does not exist: the nearest shipped file. Undefined if none is near. */
export function shippedSuggestion(path: string): string | undefined {
	const file = path.split(/[/\\]/).at(-1)!.toLowerCase();
	const [, fileName = file, ending] = /^(.*?)(?:\.(\w+))?$/.exec(file) ?? [];
	for (const [folder, { ending: shippedEnding, similarEndings, names }] of Object.entries<ShippedFolder>(
		SHIPPED,
	)) {
		if (ending !== undefined && !similarEndings.includes(ending)) continue;
		const name = names.includes(fileName) ? fileName : nearest(fileName, names);
		if (name === undefined) continue;
		return folder === 'scenes'
			? `POST /scene/open {"name":"${name}"} opens the shipped scene "${name}".`
			: `Did you mean "${folder}/${name}.${shippedEnding}"?`;
	}
	return undefined;
}

/** Returns the fix for an unknown name of a scene. */
export const sceneSuggestion = (name: string): string => suggestion(name, SHIPPED.scenes.names) ?? '';
