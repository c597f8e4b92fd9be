/**
 * Assets that a world refers to: hashes and model files anywhere in its texts. Templates and rules count too, because
 * a later spawn needs the bytes.
 * Owns: finding hashes and files in texts, and in all data of a world that is not derived.
 */

import { eachBit } from './bits.ts';
import type { World } from './world.ts';

const HASHES = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g;

/** Returns all possible hashes of assets in a text. */
export const hashesIn = (text: string): string[] => text.match(HASHES) ?? [];

/** Names and paths of models in meshes: complete texts, or texts within JSON. */
const FILES = /(?<=^|")[^"]{1,200}\.(?:glb|gltf)(?=$|")/gi;

interface AssetNames {
	readonly hashes: readonly string[];
	readonly files: readonly string[];
}

/** Names by value. Values are never changed in place, so their names never change. */
const namesByValue = new WeakMap<object, AssetNames>();

const namesIn = (text: string): AssetNames => ({ hashes: hashesIn(text), files: text.match(FILES) ?? [] });

function namesOf(value: unknown): AssetNames {
	if (typeof value === 'string') return namesIn(value);
	if (typeof value !== 'object' || value === null) return namesIn('');
	let cached = namesByValue.get(value);
	if (cached === undefined) {
		cached = namesIn(JSON.stringify(value));
		namesByValue.set(value, cached);
	}
	return cached;
}

/** Returns the hashes that a world refers to, each once. */
export function assetHashesOf(world: World): Set<string> {
	const allHashes = new Set<string>();
	const collect = (value: unknown) => {
		const { hashes, files } = namesOf(value);
		for (const hash of hashes) allHashes.add(hash);
		for (const file of files) {
			const hash = world.assets.lastHashOf(file);
			if (hash != null) allHashes.add(hash);
		}
	};
	for (const { resource, value } of world.resources.values())
		if (resource.scope !== 'derived') collect(value);
	for (const table of world.tables) {
		if (table === undefined || table.component.scope === 'derived') continue;
		const { data } = table.presence;
		for (const [name, field] of Object.entries(table.component.fields)) {
			if (field.kind !== 'json') continue;
			const values = table.columns[name]!.data as readonly unknown[];
			eachBit(
				data.length,
				(index) => data[index]!,
				(slot) => collect(values[slot]),
			);
		}
	}
	return allHashes;
}

/** Returns the hashes whose bytes the store has, sorted. */
export const availableHashesOf = (world: World): string[] =>
	[...assetHashesOf(world)].filter((hash) => world.assets.find(hash) !== undefined).sort();
