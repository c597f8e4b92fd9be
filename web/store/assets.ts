/**
 * Bytes that worlds use and do not hold: models, textures, sounds, heights.
 * Owns: each of them once, by the SHA-256 of its content, and the names they were given. Worlds hold names and hashes,
 * so that forks and snapshots share the bytes. Never: changes or interprets them.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import { ASSETS_FOLDER, pathError } from '../../shared/contract/file-path.ts';
import { nearest, suggestion } from '../../shared/contract/nearest.ts';
import type { Agent } from '../../shared/contract/principal.ts';
import { ANY_BYTES, type MediaType, mediaTypeOf } from '../../shared/documents/media-type.ts';
import { isShipped, shippedSuggestion } from '../../shared/documents/shipped.ts';
import { gltfOf, isModel } from '../sim/models/gltf.ts';
import { externalFilesOf, packModel } from '../sim/models/neighbours.ts';
import { type Files, readIfThere } from './files.ts';
import type { SavedAsset } from './saved-state.ts';
import { sha256 } from './sha256.ts';

/** Maximum number of bytes of all assets together. */
export const MAX_ASSET_BYTES = 512 * 1024 * 1024;

/** Maximum numbers of assets, and of names that they were uploaded under. */
export const MAX_ASSETS = 10_000;
export const MAX_NAMES = 10_000;

/** Of both, together, one agent has at most this many. */
const MAX_OF_AGENT = 1000;

/** Names and paths whose last finding is remembered. */
const MAX_FOUND = 10_000;

export interface Asset {
	/** SHA-256 of the bytes, 64 hexadecimal digits. */
	readonly hash: string;
	readonly bytes: Uint8Array;
	readonly mediaType: MediaType;
}

export interface AssetSources {
	/** Returns the data folder; rejects with `ApiError`. */
	readonly files: () => Files;
	/** Returns a file of `public/`, such as `models/tree.glb`; null if there is none. */
	readonly readPublic?: (path: string) => Promise<Uint8Array | null>;
	/** Maximum number of bytes of all assets together; `MAX_ASSET_BYTES` unless given. */
	readonly room?: number;
	/** True for a caller that takes nothing back: others may have added assets meanwhile. */
	readonly keepsAll?: boolean;
}

/** Assets that all callers share. */
class KeptAssets {
	readonly byHash = new Map<string, Asset>();
	/** Name -> hash of what was last uploaded under it. */
	readonly names = new Map<string, string>();
	/** Name or path -> hash of what was last found there; null if nothing was. */
	readonly found = new Map<string, string | null>();
	/** Hash or name -> number of the agent that brought it; the operators own the others. */
	readonly owners = new Map<string, number>();
	hashChanges = 0;
	bytes = 0;
	/** Rises when an asset or a name comes or goes. */
	changes = 0;
}

export class Assets {
	readonly #sources: AssetSources;
	/** Maximum number of bytes of all assets together. */
	readonly room: number;
	readonly #keptAssets: KeptAssets;
	readonly #agent: Agent | undefined;

	constructor(sources: AssetSources, stored = new KeptAssets(), agent?: Agent) {
		this.#sources = sources;
		this.#keptAssets = stored;
		this.#agent = agent;
		this.room = sources.room ?? MAX_ASSET_BYTES;
	}

	/** Returns the same assets for a host that finds others elsewhere. */
	from(sources: AssetSources): Assets {
		return new Assets({ room: this.room, ...sources }, this.#keptAssets, this.#agent);
	}

	/** Returns these assets for an agent, which has a share of the room; undefined for the operators. */
	for(agent: Agent | undefined): Assets {
		return new Assets({ ...this.#sources, room: this.room }, this.#keptAssets, agent);
	}

	/** Returns the same assets for calls that run beside others: what they load stays. */
	keepingAll(): Assets {
		return new Assets({ ...this.#sources, keepsAll: true }, this.#keptAssets);
	}

	/** Bytes of all assets together. */
	get bytes(): number {
		return this.#keptAssets.bytes;
	}

	/** Rises when an asset or a name comes or goes. */
	get changes(): number {
		return this.#keptAssets.changes;
	}

	/** Returns all assets, sorted by hash. */
	list(): Asset[] {
		return [...this.#keptAssets.byHash.values()].sort((a, b) => (a.hash < b.hash ? -1 : 1));
	}

	/** Returns the names of all assets by their hash, each list sorted. */
	names(): ReadonlyMap<string, readonly string[]> {
		const names = new Map<string, string[]>();
		for (const [name, hash] of [...this.#keptAssets.names].sort(([a], [b]) => (a < b ? -1 : 1))) {
			const list = names.get(hash);
			if (list === undefined) names.set(hash, [name]);
			else list.push(name);
		}
		return names;
	}

	/** Returns the names that an asset was uploaded under, sorted. */
	namesOf(hash: string): string[] {
		return [...this.#keptAssets.names]
			.filter(([, named]) => named === hash)
			.map(([name]) => name)
			.sort();
	}

	/** Returns an asset by its hash, or undefined. */
	find(hash: string): Asset | undefined {
		return this.#keptAssets.byHash.get(hash);
	}

	/** Returns the number of the agent that owns an asset, by its hash, or a name; undefined for the operators. */
	ownerOf(reference: string): number | undefined {
		return this.#keptAssets.owners.get(reference);
	}

	/** Returns true if a name leads to an asset or a file, so an upload would replace it. */
	async isTaken(name: string): Promise<boolean> {
		return (
			this.#keptAssets.names.has(name) || (pathError(name) === undefined && (await this.#read(name)) !== null)
		);
	}

	/** Keeps bytes, under a name if one is given; the same bytes are kept once. Throws `asset_refused`, `out_of_room` or `agent_limit`. */
	async put(bytes: Uint8Array, name?: string): Promise<Asset> {
		const refusal = name === undefined ? undefined : nameError(name);
		if (refusal !== undefined) throw new ApiError('asset_refused', refusal, { path: 'name' });
		if (bytes.length === 0) throw new ApiError('asset_refused', 'The asset has no bytes.');
		if (name !== undefined && !this.#keptAssets.names.has(name) && this.#keptAssets.names.size >= MAX_NAMES)
			throw new ApiError('out_of_room', `Assets can have at most ${MAX_NAMES} names.`, {
				path: 'name',
				fix: 'Omit the name, or use the name of an existing asset. DELETE /asset/{hash} frees the names of an asset.',
			});
		const isNew = name !== undefined && !this.#keptAssets.names.has(name);
		if (isNew) this.#requireShare(0);
		const asset = await this.#keep(bytes);
		if (name !== undefined) {
			if (isNew) this.#own(name);
			this.#keptAssets.names.set(name, asset.hash);
			this.#keptAssets.changes++;
			this.#foundAt(name, asset.hash);
		}
		return asset;
	}

	/** Returns all of them with what leads to them, as `restore` takes them. */
	all(): SavedAsset[] {
		const { names, found } = this.#keptAssets;
		const paths = Map.groupBy(found.keys(), (reference) => found.get(reference));
		return this.list().map(({ bytes, hash }) => {
			const own = this.namesOf(hash);
			const owners = [hash, ...own].flatMap((key) => {
				const owner = this.#keptAssets.owners.get(key);
				return owner === undefined ? [] : [[key, owner] as const];
			});
			return {
				bytes,
				hash,
				names: own,
				paths: (paths.get(hash) ?? []).filter((path) => path !== hash && !names.has(path)),
				...(owners.length === 0 ? {} : { owners: Object.fromEntries(owners) }),
			};
		});
	}

	/** Keeps what another engine had, under its names, as found at the same paths. Throws as `put` does. */
	async restore({ bytes, names, paths = [], owners = {} }: SavedAsset): Promise<void> {
		const { hash } = await this.put(bytes);
		for (const name of names) await this.put(bytes, name);
		for (const path of paths) this.#foundAt(path, hash);
		for (const [key, owner] of Object.entries(owners)) this.#keptAssets.owners.set(key, owner);
	}

	/** Number of times that a name or a path was found to lead elsewhere. */
	get hashChanges(): number {
		return this.#keptAssets.hashChanges;
	}

	/** Returns the hash at the last load of a name or a path: null if it led nowhere, undefined if never loaded. */
	lastAt(reference: string): string | null | undefined {
		const hash = this.#keptAssets.found.get(reference);
		return hash == null || this.#keptAssets.byHash.has(hash) ? hash : undefined;
	}

	#foundAt(reference: string, hash: string | null): void {
		if (this.#keptAssets.found.get(reference) === hash) return;
		if (this.#keptAssets.found.size >= MAX_FOUND) this.#keptAssets.found.clear();
		this.#keptAssets.found.set(reference, hash);
		this.#keptAssets.hashChanges++;
	}

	/**
	 * Returns an asset by its hash, by the name it was uploaded under, or by its path in the data folder or in
	 * `public/`. Throws `asset_missing`, and what reading a file throws.
	 */
	async load(reference: string): Promise<Asset> {
		try {
			const asset = await this.#load(reference);
			this.#foundAt(reference, this.#keptAssets.byHash.has(asset.hash) ? asset.hash : null);
			return asset;
		} catch (error) {
			this.#foundAt(reference, null);
			throw error;
		}
	}

	async #load(reference: string): Promise<Asset> {
		const asset = this.#keptAssets.byHash.get(this.#keptAssets.names.get(reference) ?? reference);
		if (asset !== undefined) return asset;
		if (pathError(reference) === undefined) {
			const bytes = await this.#read(reference);
			if (bytes !== null) {
				// Such a file is of no use as an asset. The caller reports that.
				if (mediaTypeOf(bytes) === ANY_BYTES)
					return { hash: await sha256(bytes), bytes, mediaType: ANY_BYTES };
				const content = isModel(bytes) ? await this.#whole(reference, bytes) : bytes;
				// Shipped files are few, and their paths are the operators'.
				return this.#keep(content, isShipped(reference));
			}
		}
		const files = await this.#sources.files().list?.();
		throw this.missing(reference, files);
	}

	/** Returns a file of the data folder or of `public/`; null if there is none. */
	async #read(path: string): Promise<Uint8Array | null> {
		return (
			(await readIfThere(this.#sources.files(), path)) ?? (await this.#sources.readPublic?.(path)) ?? null
		);
	}

	/**
	 * Returns a model with the files beside it that it names, as one file. Throws `asset_missing`, `asset_refused`,
	 * `out_of_room`.
	 */
	async #whole(model: string, bytes: Uint8Array): Promise<Uint8Array> {
		const files = new Map<string, Uint8Array>();
		let total = bytes.length;
		for (const uri of externalFilesOf(bytes)) {
			const path = neighbourPath(model, uri);
			const file = await this.#read(path);
			if (file === null)
				throw new ApiError('asset_missing', `"${model}" needs the file "${path}", which does not exist.`, {
					fix: `Put the file at "${path}" in the data folder, or export the model as one GLB file.`,
				});
			total += file.length;
			this.#requireRoom(total);
			files.set(uri, file);
		}
		return files.size === 0 ? bytes : packModel(bytes, files, `"${model}"`);
	}

	/** Writes those of some assets that are here to a folder, where `recall` finds them. Throws what the files throw. */
	async save(hashes: Iterable<string>, files: Files): Promise<void> {
		for (const hash of hashes) {
			const asset = this.#keptAssets.byHash.get(hash);
			if (asset !== undefined) await files.write(savedAs(hash), asset.bytes);
		}
	}

	/**
	 * Takes in those of some assets that are not here and were saved to a folder. Throws `file_failed` for one whose file
	 * holds other bytes, `out_of_room`, and what the files throw.
	 */
	async recall(hashes: Iterable<string>, files: Files): Promise<void> {
		for (const hash of new Set(hashes)) {
			if (this.#keptAssets.byHash.has(hash)) continue;
			const path = savedAs(hash);
			const bytes = await readIfThere(files, path);
			if (bytes === null) continue;
			if ((await sha256(bytes)) !== hash)
				throw new ApiError(
					'file_failed',
					`The content of "${path}" does not match the SHA-256 hash in its name.`,
					{
						fix: 'Replace the file with the right one, or delete it and send the bytes with POST /asset/upload.',
					},
				);
			await this.#keep(bytes);
		}
	}

	/** Returns the refusal of a name or hash that there is nothing for. `files`: paths in the data folder. */
	missing(reference: string, files: readonly string[] = []): ApiError {
		const names = [...this.#keptAssets.names.keys(), ...files];
		const near = nearest(reference, names);
		const fix =
			near === undefined
				? (shippedSuggestion(reference) ?? suggestion(reference, names))
				: `Did you mean "${near}"?`;
		return new ApiError(
			'asset_missing',
			`There is no asset "${reference.slice(0, 200)}".`,
			fix ? { fix } : {},
		);
	}

	/** Releases an asset and its names. Throws `asset_missing`. */
	delete(reference: string): Asset {
		const asset = this.#keptAssets.byHash.get(this.#keptAssets.names.get(reference) ?? reference);
		if (asset === undefined) throw this.missing(reference);
		this.#keptAssets.byHash.delete(asset.hash);
		this.#keptAssets.changes++;
		this.#keptAssets.bytes -= asset.bytes.length;
		for (const name of this.namesOf(asset.hash)) {
			this.#keptAssets.names.delete(name);
			this.#keptAssets.owners.delete(name);
		}
		this.#keptAssets.owners.delete(asset.hash);
		this.#keptAssets.hashChanges++;
		return asset;
	}

	/** From now on, what releases all that came since, for a change that is undone. */
	savepoint(): () => void {
		if (this.#sources.keepsAll === true) return () => {};
		// They are in the order in which they came.
		const before = this.#keptAssets.byHash.size;
		return () => {
			for (const hash of [...this.#keptAssets.byHash.keys()].slice(before)) this.delete(hash);
		};
	}

	#own(key: string): void {
		if (this.#agent !== undefined) this.#keptAssets.owners.set(key, this.#agent.number);
	}

	/** Throws `agent_limit` unless the agent may bring one more asset or name, and so many bytes. */
	#requireShare(bytes: number): void {
		if (this.#agent === undefined) return;
		const { id, number, limits } = this.#agent;
		const own = [...this.#keptAssets.owners].flatMap(([key, owner]) => (owner === number ? [key] : []));
		const usedBytes = own.reduce(
			(sum, key) => sum + (this.#keptAssets.byHash.get(key)?.bytes.length ?? 0),
			0,
		);
		const fix = 'Delete an asset with DELETE /asset/{hash}, or ask the operator for a higher limit.';
		if (own.length >= MAX_OF_AGENT)
			throw new ApiError(
				'agent_limit',
				`"${id}" already owns ${own.length} assets and names of assets; the limit is ${MAX_OF_AGENT}.`,
				{ fix },
			);
		if (usedBytes + bytes > limits.asset_bytes)
			throw new ApiError(
				'agent_limit',
				`With ${bytes} bytes more, the assets of "${id}" would have ${usedBytes + bytes} bytes; the limit is ${limits.asset_bytes}.`,
				{ fix },
			);
	}

	/** Throws `out_of_room` unless this many bytes fit. */
	#requireRoom(bytes: number): void {
		if (this.#keptAssets.bytes + bytes <= this.room) return;
		throw new ApiError(
			'out_of_room',
			`The assets have ${this.#keptAssets.bytes} bytes; ${bytes} more would exceed the limit of ${this.room}.`,
			{
				fix: 'Delete assets that no world uses with DELETE /asset/{hash}. GET /asset/list shows their sizes.',
			},
		);
	}

	async #keep(given: Uint8Array, shared = false): Promise<Asset> {
		// A copy: what was given may be a view into a whole message.
		const bytes = given.slice();
		const hash = await sha256(bytes);
		const present = this.#keptAssets.byHash.get(hash);
		if (present !== undefined) return present;
		if (!shared) this.#requireShare(bytes.length);
		this.#requireRoom(bytes.length);
		if (this.#keptAssets.byHash.size >= MAX_ASSETS)
			throw new ApiError('out_of_room', `The engine is at its limit of ${MAX_ASSETS} assets.`, {
				fix: 'Delete an asset that no world uses with DELETE /asset/{hash}.',
			});
		const mediaType = mediaTypeOf(bytes);
		if (mediaType === 'model/gltf-binary') gltfOf(bytes, 'The asset');
		const asset = { hash, bytes, mediaType };
		this.#keptAssets.byHash.set(hash, asset);
		if (!shared) this.#own(hash);
		this.#keptAssets.changes++;
		this.#keptAssets.bytes += bytes.length;
		return asset;
	}
}

/**
 * Returns the path of a file that a model names, a relative address with `/` or `\\` between names. Throws
 * `asset_refused`.
 */
function neighbourPath(model: string, uri: string): string {
	const path = model.split('/').slice(0, -1);
	let isOutside = /^([a-z][a-z\d+.-]*:|[/\\])/i.test(uri);
	for (const name of decoded(uri).split(/[/\\]/)) {
		if (name === '..') isOutside ||= path.pop() === undefined;
		else if (name !== '.') path.push(name);
	}
	const refusal = isOutside ? 'It is outside the data folder.' : pathError(path.join('/'));
	if (refusal === undefined) return path.join('/');
	throw new ApiError('asset_refused', `"${model}" refers to the file "${uri.slice(0, 200)}". ${refusal}`, {
		fix: 'Put the file beside the model and refer to it by its relative path, or export the model as one GLB file.',
	});
}

/** Returns an address without percent-encoding; one that is not encoded stays as it is. */
function decoded(uri: string): string {
	try {
		return decodeURIComponent(uri);
	} catch {
		return uri;
	}
}

/**
 * Returns the reason that an asset cannot have a name, or undefined. What looks like a hash means the asset of that
 * hash.
 */
function nameError(name: string): string | undefined {
	return /^[0-9a-f]{64}$/.test(name)
		? 'The name has 64 hexadecimal digits, so it looks like a hash.'
		: pathError(name);
}

/** Returns the path of the bytes with a hash below the data folder. */
const savedAs = (hash: string): string => `${ASSETS_FOLDER}/${hash}`;
