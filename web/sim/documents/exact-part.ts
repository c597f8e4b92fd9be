/**
 * Exact part of a document: the whole world as bytes, and the hash of the document that it belongs to.
 * Owns: the format and its checks. A part is refused if the document was edited afterwards.
 */

import { Deflate } from 'fflate';
import { ApiError, Refusal } from '../../../shared/contract/errors.ts';
import { joinBytes } from '../../../shared/contract/joined-bytes.ts';
import { EXACT_FORMAT, type ExactPart, MAX_EXACT_BYTES } from '../../../shared/rules/scenario.ts';
import { fromBase64, toBase64 } from '../core/base64.ts';
import { TooManyBytesError } from '../core/bytes.ts';
import { dispose } from '../core/clone.ts';
import { encodeWorld } from '../core/codec.ts';
import { digest, hashJson } from '../core/digest.ts';
import { fnv1a } from '../core/fnv.ts';
import { assetHashesOf, availableHashesOf } from '../core/named-assets.ts';
import { finishWork, type SlicedWork } from '../core/sliced-work.ts';
import type { World } from '../core/world.ts';
import { loadWorld } from '../create-world.ts';
import { checkValues, tryTicks } from './check-loaded-world.ts';
import { inflateBytes } from './inflate-bytes.ts';

/** Returns the 64-bit FNV-1a hash of a document's canonical JSON, as 16 hexadecimal digits. */
export function documentHash(document: unknown): string {
	return toHex(hashJson(document));
}

function toHex(hash: bigint): string {
	return hash.toString(16).padStart(16, '0');
}

/**
 * Creates the exact part for a document that describes a world. `maxBytes`: limit of the world's bytes. Throws
 * `too_large_to_save`.
 */
export const createExactPart = (world: World, document: unknown, maxBytes?: number): ExactPart =>
	finishWork(exactPartWork(world, document, maxBytes));

/** Creates the exact part in slices, so that other work can run between them. */
export function* exactPartWork(
	world: World,
	document: unknown,
	maxBytes = MAX_EXACT_BYTES,
): SlicedWork<ExactPart> {
	const bytes = encodeWithLimit(world, maxBytes);
	yield;
	const compressed = yield* deflate(bytes);
	return {
		format: EXACT_FORMAT,
		state_digest: digest(world),
		document: documentHash(document),
		assets: availableHashesOf(world),
		size: bytes.length,
		checksum: toHex(fnv1a(bytes)),
		world: toBase64(compressed),
	};
}

/** Bytes compressed in one slice. */
const SLICE_BYTES = 2 ** 20;

function* deflate(bytes: Uint8Array<ArrayBuffer>): SlicedWork<Uint8Array<ArrayBuffer>> {
	const pieces: Uint8Array[] = [];
	const stream = new Deflate((piece) => pieces.push(piece));
	for (let start = 0; start < bytes.length || start === 0; start += SLICE_BYTES) {
		const end = start + SLICE_BYTES;
		// A copy, because the stream takes over the buffer.
		stream.push(bytes.slice(start, end), end >= bytes.length);
		yield;
	}
	return joinBytes(pieces);
}

/** Encodes a world. Throws `too_large_to_save`. */
function encodeWithLimit(world: World, maxBytes: number): Uint8Array<ArrayBuffer> {
	try {
		return encodeWorld(world, maxBytes);
	} catch (error) {
		if (!(error instanceof TooManyBytesError)) throw error;
		throw new ApiError(
			'too_large_to_save',
			`The exact part would have more than ${maxBytes} bytes after decompression, which is the limit.`,
		);
	}
}

/**
 * Loads the world of an exact part that belongs to `document`. `current`: world that it will replace. `describe` must return
 * the content of the document for the loaded world. Throws a Refusal; throws `asset_missing` if the world would evolve
 * differently without a missing asset.
 */
export function loadExactWorld(
	part: ExactPart,
	document: unknown,
	describe: (world: World) => unknown,
	current: World,
): World {
	const hash = documentHash(document);
	requireMatchingDocument(part, hash);
	let world: World | null = null;
	try {
		world = loadPart(part, current);
		if (world.profile !== current.profile) throw new Refusal(`it was written by a ${world.profile} host`);
		requireAssets(part, world);
		checkValues(world);
		if (digest(world) !== part.state_digest || documentHash(describe(world)) !== hash)
			throw new Refusal('it contains a different world than the document');
		tryTicks(world);
		return world;
	} catch (error) {
		if (world !== null) dispose(world);
		const isRefusal = error instanceof ApiError ? error.code === 'asset_missing' : error instanceof Refusal;
		if (isRefusal) throw error;
		throw new Refusal(`it is damaged (${(error as Error).message})`);
	}
}

/** Throws `asset_missing` if the writer of the part had an asset that its world names, and this engine does not. */
function requireAssets(part: ExactPart, world: World): void {
	const missing = missingAssets(part, world);
	if (missing.length === 0) return;
	const [noun, pronoun] = missing.length === 1 ? ['asset', 'it'] : ['assets', 'them'];
	throw new ApiError(
		'asset_missing',
		`The exact part needs the ${noun} ${hashList(missing)}, which this engine does not have.`,
		{
			fix: `Upload ${pronoun} with POST /asset/upload, then send this again: ${hashList(missing)}.`,
			path: 'exact',
		},
	);
}

/** Maximum number of assets that a refusal names. */
const MAX_LISTED_ASSETS = 8;

function hashList(hashes: readonly string[]): string {
	const unlistedCount = hashes.length - MAX_LISTED_ASSETS;
	return (
		hashes.slice(0, MAX_LISTED_ASSETS).join(', ') + (unlistedCount > 0 ? ` and ${unlistedCount} more` : '')
	);
}

/**
 * Returns the sorted hashes of the assets that the world names, the writer had and this engine lacks. If the part has no
 * list of assets, the writer counts as having had all of them.
 */
function missingAssets({ assets }: ExactPart, world: World): string[] {
	const writersAssets = assets == null ? null : new Set(assets);
	return [...assetHashesOf(world)]
		.filter((hash) => world.assets.find(hash) === undefined && writersAssets?.has(hash) !== false)
		.sort();
}

/** Throws a Refusal unless the part has the current format and belongs to the document with this hash. */
function requireMatchingDocument({ format, document }: ExactPart, hash: string): void {
	if (format !== EXACT_FORMAT)
		throw new Refusal(`its format is ${format}, but this engine reads ${EXACT_FORMAT}`);
	if (hash !== document) throw new Refusal('the document was edited since it was written');
}

function loadPart(part: ExactPart, { assets }: World): World {
	const bytes = inflateBytes(fromBase64(part.world), part.size);
	if (toHex(fnv1a(bytes)) !== part.checksum) throw new RangeError('its checksum does not match');
	return loadWorld(bytes, assets);
}
