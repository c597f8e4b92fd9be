/**
 * Bytes that worlds use but do not contain: models, textures, sounds, heights. Worlds contain names and hashes, so that forks and
 * snapshots share the bytes.
 * Owns: the bytes, once by the SHA-256 of their content, and their names.
 * Never: changes an asset.
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

/** Maximum number of assets, and of the names of uploads. */
export const MAX_ASSETS = 10_000;
export const MAX_NAMES = 10_000;

/** Maximum number of assets and names together that one agent may own. */
const MAX_ASSETS_OF_AGENT = 1000;

/** Maximum number of names and paths whose last lookup is remembered. */
const MAX_LOOKUPS = 10_000;

export interface Asset {
	/** SHA-256 of the bytes, 64 hexadecimal digits. */
	readonly hash: string;
	readonly bytes: Uint8Array;
	readonly mediaType: MediaType;
}

export interface AssetSources {
	/** Returns the data folder; rejects with `ApiError`. */
	readonly files: () => Files;
	/** Returns a file of `public/`, such as `models/tree.glb`; null if it does not exist. */
	readonly readPublic?: (path: string) => Promise<Uint8Array | null>;
	/** Maximum number of bytes of all assets together; `MAX_ASSET_BYTES` if omitted. */
	readonly maxBytes?: number;
	/** True if a rollback must keep new assets, because other calls may have added them. */
	readonly isShared?: boolean;
}

/** Assets that all callers share. */
class AssetPool {
	readonly byHash = new Map<string, Asset>();
	/** Hash of the last upload by name. */
	readonly names = new Map<string, string>();
	/** Hash at the last lookup by name or path; null if there was no asset. */
	readonly lookups = new Map<string, string | null>();
	/** Number of the owning agent by hash or name. Assets and names without an entry belong to the operators. */
	readonly owners = new Map<string, number>();
	/** Number of lookups with another result than the previous one. */
	moveCount = 0;
	/** Bytes of all assets together. */
	bytes = 0;
	/** Number of added and deleted assets and names. */
	changeCount = 0;
}

export class Assets {
	readonly #sources: AssetSources;
	/** Maximum number of bytes of all assets together. */
	readonly maxBytes: number;
	readonly #pool: AssetPool;
	readonly #agent: Agent | undefined;

	constructor(sources: AssetSources, pool = new AssetPool(), agent?: Agent) {
		this.#sources = sources;
		this.#pool = pool;
		this.#agent = agent;
		this.maxBytes = sources.maxBytes ?? MAX_ASSET_BYTES;
	}

	/** Returns the same assets for a host with other sources. */
	withSources(sources: AssetSources): Assets {
		return new Assets({ maxBytes: this.maxBytes, ...sources }, this.#pool, this.#agent);
	}

	/** Returns the same assets for an agent, which has its own limits; undefined for the operators. */
	forAgent(agent: Agent | undefined): Assets {
		return new Assets({ ...this.#sources, maxBytes: this.maxBytes }, this.#pool, agent);
	}

	/** Returns the same assets for calls that run beside others. A rollback keeps the assets that such calls load. */
	forSharedUse(): Assets {
		return new Assets({ ...this.#sources, isShared: true }, this.#pool);
	}

	/** Bytes of all assets together. */
	get bytes(): number {
		return this.#pool.bytes;
	}

	/** Number of added and deleted assets and names. */
	get changes(): number {
		return this.#pool.changeCount;
	}

	/** Returns all assets, sorted by hash. */
	list(): Asset[] {
		return [...this.#pool.byHash.values()].sort((a, b) => (a.hash < b.hash ? -1 : 1));
	}

	/** Returns the names of all assets by their hash, each list sorted. */
	names(): ReadonlyMap<string, readonly string[]> {
		const names = new Map<string, string[]>();
		for (const [name, hash] of [...this.#pool.names].sort(([a], [b]) => (a < b ? -1 : 1))) {
			const list = names.get(hash);
			if (list === undefined) names.set(hash, [name]);
			else list.push(name);
		}
		return names;
	}

	/** Returns the names under which an asset was uploaded, sorted. */
	namesOf(hash: string): string[] {
		return [...this.#pool.names]
			.filter(([, assetHash]) => assetHash === hash)
			.map(([name]) => name)
			.sort();
	}

	/** Returns an asset by its hash, or undefined. */
	find(hash: string): Asset | undefined {
		return this.#pool.byHash.get(hash);
	}

	/** Returns the number of the agent that owns an asset, by its hash, or a name; undefined for the operators. */
	ownerOf(reference: string): number | undefined {
		return this.#pool.owners.get(reference);
	}

	/** Returns true if a name leads to an asset or a file, which an upload would replace. */
	async isUsedName(name: string): Promise<boolean> {
		return this.#pool.names.has(name) || (pathError(name) === undefined && (await this.#read(name)) !== null);
	}

	/**
	 * Stores bytes, under a name if it is given. Equal bytes are stored once. Rejects with `asset_refused`, `out_of_room` or
	 * `agent_limit`.
	 */
	async put(bytes: Uint8Array, name?: string): Promise<Asset> {
		const fault = name === undefined ? undefined : nameError(name);
		if (fault !== undefined) throw new ApiError('asset_refused', fault, { path: 'name' });
		if (bytes.length === 0) throw new ApiError('asset_refused', 'The asset has no bytes.');
		if (name !== undefined && !this.#pool.names.has(name) && this.#pool.names.size >= MAX_NAMES)
			throw new ApiError('out_of_room', `Assets can have at most ${MAX_NAMES} names.`, {
				path: 'name',
				fix: 'Omit the name, or use the name of an existing asset. DELETE /asset/{hash} frees the names of an asset.',
			});
		const isNew = name !== undefined && !this.#pool.names.has(name);
		if (isNew) this.#requireShare(0);
		const asset = await this.#store(bytes);
		if (name !== undefined) {
			if (isNew) this.#setOwner(name);
			this.#pool.names.set(name, asset.hash);
			this.#pool.changeCount++;
			this.#recordLookup(name, asset.hash);
		}
		return asset;
	}

	/** Returns all assets with their names, paths and owners, for `restore`. */
	all(): SavedAsset[] {
		const { names, lookups } = this.#pool;
		const paths = Map.groupBy(lookups.keys(), (reference) => lookups.get(reference));
		return this.list().map(({ bytes, hash }) => {
			const ownNames = this.namesOf(hash);
			const owners = [hash, ...ownNames].flatMap((key) => {
				const owner = this.#pool.owners.get(key);
				return owner === undefined ? [] : [[key, owner] as const];
			});
			return {
				bytes,
				hash,
				names: ownNames,
				paths: (paths.get(hash) ?? []).filter((path) => path !== hash && !names.has(path)),
				...(owners.length === 0 ? {} : { owners: Object.fromEntries(owners) }),
			};
		});
	}

	/** Restores an asset of another engine with its names, paths and owners. Rejects with the errors of `put`. */
	async restore({ bytes, names, paths = [], owners = {} }: SavedAsset): Promise<void> {
		const { hash } = await this.put(bytes);
		for (const name of names) await this.put(bytes, name);
		for (const path of paths) this.#recordLookup(path, hash);
		for (const [key, owner] of Object.entries(owners)) this.#pool.owners.set(key, owner);
	}

	/** Number of lookups with another result than the previous one. */
	get hashChanges(): number {
		return this.#pool.moveCount;
	}

	/** Returns the hash at the last lookup of a name or path: null if there was no asset, undefined without a lookup. */
	lastHashOf(reference: string): string | null | undefined {
		const hash = this.#pool.lookups.get(reference);
		return hash == null || this.#pool.byHash.has(hash) ? hash : undefined;
	}

	#recordLookup(reference: string, hash: string | null): void {
		if (this.#pool.lookups.get(reference) === hash) return;
		if (this.#pool.lookups.size >= MAX_LOOKUPS) this.#pool.lookups.clear();
		this.#pool.lookups.set(reference, hash);
		this.#pool.moveCount++;
	}

	/**
	 * Returns an asset by its hash, by its name, or by its path in the data folder or in `public/`. Rejects with `asset_missing`,
	 * and with the errors of the files.
	 */
	async load(reference: string): Promise<Asset> {
		try {
			const asset = await this.#load(reference);
			this.#recordLookup(reference, this.#pool.byHash.has(asset.hash) ? asset.hash : null);
			return asset;
		} catch (error) {
			this.#recordLookup(reference, null);
			throw error;
		}
	}

	async #load(reference: string): Promise<Asset> {
		const asset = this.#pool.byHash.get(this.#pool.names.get(reference) ?? reference);
		if (asset !== undefined) return asset;
		if (pathError(reference) === undefined) {
			const bytes = await this.#read(reference);
			if (bytes !== null) {
				// A file of an unknown type is not stored as an asset. The caller refuses it.
				if (mediaTypeOf(bytes) === ANY_BYTES)
					return { hash: await sha256(bytes), bytes, mediaType: ANY_BYTES };
				const content = isModel(bytes) ? await this.#packWithFiles(reference, bytes) : bytes;
				// Shipped files are few, and their paths are the operators'.
				return this.#store(content, isShipped(reference));
			}
		}
		const files = await this.#sources.files().list?.();
		throw this.missing(reference, files);
	}

	/** Returns a file of the data folder or of `public/`; null if it does not exist. */
	async #read(path: string): Promise<Uint8Array | null> {
		return (
			(await readIfThere(this.#sources.files(), path)) ?? (await this.#sources.readPublic?.(path)) ?? null
		);
	}

	/**
	 * Returns a model as one file, together with the files that it refers to. Rejects with `asset_missing`, `asset_refused` or
	 * `out_of_room`.
	 */
	async #packWithFiles(model: string, bytes: Uint8Array): Promise<Uint8Array> {
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

	/**
	 * Writes the existing assets among `hashes` to a folder, from which `recall` reads them. Rejects with the errors of the
	 * files.
	 */
	async save(hashes: Iterable<string>, files: Files): Promise<void> {
		for (const hash of hashes) {
			const asset = this.#pool.byHash.get(hash);
			if (asset !== undefined) await files.write(savedPath(hash), asset.bytes);
		}
	}

	/**
	 * Reads missing assets among `hashes` from a folder, if they were saved there. Rejects with `file_failed` for a file with
	 * other bytes, with `out_of_room`, and with the errors of the files.
	 */
	async recall(hashes: Iterable<string>, files: Files): Promise<void> {
		for (const hash of new Set(hashes)) {
			if (this.#pool.byHash.has(hash)) continue;
			const path = savedPath(hash);
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
			await this.#store(bytes);
		}
	}

	/** Returns the refusal of a name, path or hash without an asset. `files`: paths in the data folder. */
	missing(reference: string, files: readonly string[] = []): ApiError {
		const names = [...this.#pool.names.keys(), ...files];
		const suggestionName = nearest(reference, names);
		const fix =
			suggestionName === undefined
				? (shippedSuggestion(reference) ?? suggestion(reference, names))
				: `Did you mean "${suggestionName}"?`;
		return new ApiError(
			'asset_missing',
			`There is no asset "${reference.slice(0, 200)}".`,
			fix ? { fix } : {},
		);
	}

	/** Deletes an asset and its names. Throws `asset_missing`. */
	delete(reference: string): Asset {
		const asset = this.#pool.byHash.get(this.#pool.names.get(reference) ?? reference);
		if (asset === undefined) throw this.missing(reference);
		this.#pool.byHash.delete(asset.hash);
		this.#pool.changeCount++;
		this.#pool.bytes -= asset.bytes.length;
		for (const name of this.namesOf(asset.hash)) {
			this.#pool.names.delete(name);
			this.#pool.owners.delete(name);
		}
		this.#pool.owners.delete(asset.hash);
		this.#pool.moveCount++;
		return asset;
	}

	/** Returns a function that deletes all assets that were added after this call. */
	savepoint(): () => void {
		if (this.#sources.isShared === true) return () => {};
		// The assets are in the order in which they were added.
		const size = this.#pool.byHash.size;
		return () => {
			for (const hash of [...this.#pool.byHash.keys()].slice(size)) this.delete(hash);
		};
	}

	#setOwner(key: string): void {
		if (this.#agent !== undefined) this.#pool.owners.set(key, this.#agent.number);
	}

	/** Throws `agent_limit` unless the agent may add one asset or name with this number of bytes. */
	#requireShare(bytes: number): void {
		if (this.#agent === undefined) return;
		const { id, number, limits } = this.#agent;
		const ownKeys = [...this.#pool.owners].flatMap(([key, owner]) => (owner === number ? [key] : []));
		const usedBytes = ownKeys.reduce((sum, key) => sum + (this.#pool.byHash.get(key)?.bytes.length ?? 0), 0);
		const fix = 'Delete an asset with DELETE /asset/{hash}, or ask the operator for a higher limit.';
		if (ownKeys.length >= MAX_ASSETS_OF_AGENT)
			throw new ApiError(
				'agent_limit',
				`"${id}" already owns ${ownKeys.length} assets and names of assets; the limit is ${MAX_ASSETS_OF_AGENT}.`,
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
		if (this.#pool.bytes + bytes <= this.maxBytes) return;
		throw new ApiError(
			'out_of_room',
			`The assets have ${this.#pool.bytes} bytes; ${bytes} more would exceed the limit of ${this.maxBytes}.`,
			{
				fix: 'Delete assets that no world uses with DELETE /asset/{hash}. GET /asset/list shows their sizes.',
			},
		);
	}

	async #store(source: Uint8Array, isShipped = false): Promise<Asset> {
		// The bytes are copied, because they may be a view into a whole message.
		const bytes = source.slice();
		const hash = await sha256(bytes);
		const existing = this.#pool.byHash.get(hash);
		if (existing !== undefined) return existing;
		if (!isShipped) this.#requireShare(bytes.length);
		this.#requireRoom(bytes.length);
		if (this.#pool.byHash.size >= MAX_ASSETS)
			throw new ApiError('out_of_room', `The engine is at its limit of ${MAX_ASSETS} assets.`, {
				fix: 'Delete an asset that no world uses with DELETE /asset/{hash}.',
			});
		const mediaType = mediaTypeOf(bytes);
		if (mediaType === 'model/gltf-binary') gltfOf(bytes, 'The asset');
		const asset = { hash, bytes, mediaType };
		this.#pool.byHash.set(hash, asset);
		if (!isShipped) this.#setOwner(hash);
		this.#pool.changeCount++;
		this.#pool.bytes += bytes.length;
		return asset;
	}
}

/**
 * Returns the path of a file that a model refers to. `uri`: relative address with `/` or `\\` between names. Throws
 * `asset_refused`.
 */
function neighbourPath(model: string, uri: string): string {
	const path = model.split('/').slice(0, -1);
	let isOutside = /^([a-z][a-z\d+.-]*:|[/\\])/i.test(uri);
	for (const name of decodeUri(uri).split(/[/\\]/)) {
		if (name === '..') isOutside ||= path.pop() === undefined;
		else if (name !== '.') path.push(name);
	}
	const fault = isOutside ? 'It is outside the data folder.' : pathError(path.join('/'));
	if (fault === undefined) return path.join('/');
	throw new ApiError('asset_refused', `"${model}" refers to the file "${uri.slice(0, 200)}". ${fault}`, {
		fix: 'Put the file beside the model and refer to it by its relative path, or export the model as one GLB file.',
	});
}

/** Returns an address without percent-encoding. Returns an invalid encoding unchanged. */
function decodeUri(uri: string): string {
	try {
		return decodeURIComponent(uri);
	} catch {
		return uri;
	}
}

/** Returns the reason why an asset cannot have a name; undefined if it can. A name must not look like a hash. */
function nameError(name: string): string | undefined {
	return /^[0-9a-f]{64}$/.test(name)
		? 'The name has 64 hexadecimal digits, so it looks like a hash.'
		: pathError(name);
}

/** Returns the path in the data folder of an asset that was saved. */
const savedPath = (hash: string): string => `${ASSETS_FOLDER}/${hash}`;
