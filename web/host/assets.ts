/**
 * Bytes that worlds use and do not hold: models, textures, sounds, heights.
 * Owns: each of them once, by the SHA-256 of its content, and the names they were given. Worlds hold names and hashes,
 * so that forks and snapshots share the bytes. Never: changes or interprets them.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import { ASSETS_FOLDER, pathError } from '../../shared/contract/file-path.ts';
import { suggestion } from '../../shared/contract/nearest.ts';
import { type MediaType, mediaTypeOf } from '../../shared/documents/media-type.ts';
import { type Files, readIfThere } from './files.ts';

/** Most bytes of all assets together. */
const MAX_ASSET_BYTES = 512 * 1024 * 1024;

export interface Asset {
	/** SHA-256 of the bytes, 64 hexadecimal digits. */
	readonly hash: string;
	readonly bytes: Uint8Array;
	readonly mediaType: MediaType;
}

/** Where an asset came from that was not uploaded. */
export type AssetSource = 'data folder' | 'public';

export interface AssetSources {
	/** The data folder; rejects with `ApiError`. */
	readonly files: () => Files;
	/** A file of `public/`, such as `models/tree.glb`; null when there is none. */
	readonly readPublic?: (path: string) => Promise<Uint8Array | null>;
	/** Most bytes of all assets together; `MAX_ASSET_BYTES` unless given. */
	readonly room?: number;
}

export class Assets {
	readonly #sources: AssetSources;
	/** Most bytes of all assets together. */
	readonly room: number;
	readonly #byHash = new Map<string, Asset>();
	/** Name -> hash of what was last uploaded under it. */
	readonly #names = new Map<string, string>();
	#bytes = 0;

	constructor(sources: AssetSources) {
		this.#sources = sources;
		this.room = sources.room ?? MAX_ASSET_BYTES;
	}

	/** Bytes of all assets together. */
	get bytes(): number {
		return this.#bytes;
	}

	/** All assets, sorted by hash. */
	list(): Asset[] {
		return [...this.#byHash.values()].sort((a, b) => (a.hash < b.hash ? -1 : 1));
	}

	/** The names that an asset was uploaded under, sorted. */
	namesOf(hash: string): string[] {
		return [...this.#names]
			.filter(([, named]) => named === hash)
			.map(([name]) => name)
			.sort();
	}

	/** The hash of what was last uploaded under a name, or undefined. */
	hashNamed(name: string): string | undefined {
		return this.#names.get(name);
	}

	/** An asset by its hash, or undefined. */
	find(hash: string): Asset | undefined {
		return this.#byHash.get(hash);
	}

	/** Keeps bytes, under a name if one is given; the same bytes are kept once. Throws `asset_refused` or `out_of_room`. */
	async put(bytes: Uint8Array, name?: string): Promise<Asset> {
		const refusal = name === undefined ? undefined : nameError(name);
		if (refusal !== undefined) throw new ApiError('asset_refused', refusal, { path: 'name' });
		if (bytes.length === 0) throw new ApiError('asset_refused', 'The asset has no bytes.');
		const asset = await this.#keep(bytes);
		if (name !== undefined) this.#names.set(name, asset.hash);
		return asset;
	}

	/** An asset by its hash, by the name it was uploaded under, or by its path in the data folder or in `public/`. Throws `asset_missing`, and what reading a file throws. */
	async load(reference: string): Promise<Asset> {
		const asset = this.#byHash.get(this.#names.get(reference) ?? reference);
		if (asset !== undefined) return asset;
		if (pathError(reference) === undefined) {
			const bytes =
				(await readIfThere(this.#sources.files(), reference)) ??
				(await this.#sources.readPublic?.(reference));
			if (bytes != null) return this.#keep(bytes);
		}
		throw this.missing(reference);
	}

	/** Writes those of some assets that are here to a folder, where `recall` finds them. Throws what the files throw. */
	async save(hashes: Iterable<string>, files: Files): Promise<void> {
		for (const hash of hashes) {
			const asset = this.#byHash.get(hash);
			if (asset !== undefined) await files.write(savedAs(hash), asset.bytes);
		}
	}

	/**
	 * Takes in those of some assets that are not here and were saved to a folder. Throws `file_failed` for one whose file
	 * holds other bytes, `out_of_room`, and what the files throw.
	 */
	async recall(hashes: Iterable<string>, files: Files): Promise<void> {
		for (const hash of new Set(hashes)) {
			if (this.#byHash.has(hash)) continue;
			const path = savedAs(hash);
			const bytes = await readIfThere(files, path);
			if (bytes === null) continue;
			if ((await hashOf(bytes)) !== hash)
				throw new ApiError(
					'file_failed',
					`"${path}" does not hold the bytes that its name is the SHA-256 of.`,
					{
						fix: 'Put the right file there, or delete it and send the bytes with POST /asset/upload.',
					},
				);
			await this.#keep(bytes);
		}
	}

	/** The refusal of a name or hash that there is nothing for. */
	missing(reference: string): ApiError {
		const fix = suggestion(reference, [...this.#names.keys()]);
		return new ApiError(
			'asset_missing',
			`There is no asset "${reference.slice(0, 200)}".`,
			fix ? { fix } : {},
		);
	}

	/** Lets go of an asset and its names. Throws `asset_missing`. */
	delete(reference: string): Asset {
		const asset = this.#byHash.get(this.#names.get(reference) ?? reference);
		if (asset === undefined) throw this.missing(reference);
		this.#byHash.delete(asset.hash);
		this.#bytes -= asset.bytes.length;
		for (const name of this.namesOf(asset.hash)) this.#names.delete(name);
		return asset;
	}

	async #keep(given: Uint8Array): Promise<Asset> {
		// A copy: what was given may be a view into a whole message.
		const bytes = given.slice();
		const hash = await hashOf(bytes);
		const present = this.#byHash.get(hash);
		if (present !== undefined) return present;
		if (this.#bytes + bytes.length > this.room)
			throw new ApiError(
				'out_of_room',
				`The assets have ${this.#bytes} bytes; ${bytes.length} more would exceed the limit of ${this.room}.`,
				{
					fix: 'DELETE /asset/{hash} deletes one that no world uses; GET /asset/list shows their sizes.',
				},
			);
		const asset = { hash, bytes, mediaType: mediaTypeOf(bytes) };
		this.#byHash.set(hash, asset);
		this.#bytes += bytes.length;
		return asset;
	}
}

/** Where the bytes with a hash stand below the data folder. */
/** Why an asset cannot have a name, or undefined. What looks like a hash means the asset of that hash. */
function nameError(name: string): string | undefined {
	return /^[0-9a-f]{64}$/.test(name)
		? 'A name of 64 hexadecimal digits would be taken for a hash.'
		: pathError(name);
}

const savedAs = (hash: string): string => `${ASSETS_FOLDER}/${hash}`;

async function hashOf(bytes: Uint8Array): Promise<string> {
	const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes.slice()));
	return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
