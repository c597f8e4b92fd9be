/**
 * The exact part of a document: the whole world, and what ties it to the rest of the document.
 * Owns: when such a part counts. One whose document was edited since does not.
 */

import { Deflate } from 'fflate';
import { ApiError, Refusal } from '../../../shared/contract/errors.ts';
import { joinedBytes } from '../../../shared/contract/joined-bytes.ts';
import { EXACT_FORMAT, type ExactPart, MAX_EXACT_BYTES } from '../../../shared/rules/scenario.ts';
import { fromBase64, toBase64 } from '../core/base64.ts';
import { TooManyBytesError } from '../core/bytes.ts';
import { dispose } from '../core/clone.ts';
import { encodeWorld } from '../core/codec.ts';
import { digest, hashJson } from '../core/digest.ts';
import { fnv1a } from '../core/fnv.ts';
import { heldAssets, namedAssets } from '../core/named-assets.ts';
import { finished, type Work } from '../core/work.ts';
import type { World } from '../core/world.ts';
import { loadWorld } from '../create-world.ts';
import { inflated } from './inflated.ts';
import { checkValues, tryTicks } from './sound-world.ts';

/** 64-bit FNV-1a of a document's canonical JSON, 16 hexadecimal digits. */
export function hashOf(document: unknown): string {
	return hex(hashJson(document));
}

function hex(hash: bigint): string {
	return hash.toString(16).padStart(16, '0');
}

/** The exact part for a document that describes this world. Throws `too_large_to_save`. */
export const exactPart = (world: World, document: unknown, most?: number): ExactPart =>
	finished(exactWork(world, document, most));

/** The same in slices. */
export function* exactWork(world: World, document: unknown, most = MAX_EXACT_BYTES): Work<ExactPart> {
	const bytes = bytesOf(world, most);
	yield;
	const packed = yield* deflated(bytes);
	return {
		format: EXACT_FORMAT,
		state_digest: digest(world),
		document: hashOf(document),
		assets: heldAssets(world),
		size: bytes.length,
		checksum: hex(fnv1a(bytes)),
		world: toBase64(packed),
	};
}

/** Bytes that are deflated in one slice. */
const SLICE_BYTES = 2 ** 20;

function* deflated(bytes: Uint8Array<ArrayBuffer>): Work<Uint8Array<ArrayBuffer>> {
	const pieces: Uint8Array[] = [];
	const stream = new Deflate((piece) => pieces.push(piece));
	for (let at = 0; at < bytes.length || at === 0; at += SLICE_BYTES) {
		const end = at + SLICE_BYTES;
		// The stream gives away what it is given.
		stream.push(bytes.slice(at, end), end >= bytes.length);
		yield;
	}
	return joinedBytes(pieces);
}

/** A world as the bytes that its exact part stands for. Throws `too_large_to_save`. */
function bytesOf(world: World, most: number): Uint8Array<ArrayBuffer> {
	try {
		return encodeWorld(world, most);
	} catch (error) {
		if (!(error instanceof TooManyBytesError)) throw error;
		throw new ApiError(
			'too_large_to_save',
			`The exact part would have more than ${most} bytes after decompression, which is the limit.`,
		);
	}
}

/**
 * The world of an exact part that belongs to `document`. `describe` makes the document of a world: what comes out
 * must describe itself as the document does. It is to take the place of the world `now`. Throws a Refusal,
 * and `asset_missing` for a world that would go on otherwise than it did where it was written, since an asset is not here.
 */
export function exactWorld(
	part: ExactPart,
	document: unknown,
	describe: (world: World) => unknown,
	now: World,
): World {
	const hash = hashOf(document);
	requireBelonging(part, hash);
	let world: World | null = null;
	try {
		world = loaded(part, now);
		if (world.profile !== now.profile) throw new Refusal(`it was written by a ${world.profile} host`);
		requireAssets(part, world);
		checkValues(world);
		if (digest(world) !== part.state_digest || hashOf(describe(world)) !== hash)
			throw new Refusal('it contains a different world than the document');
		tryTicks(world);
		return world;
	} catch (error) {
		if (world !== null) dispose(world);
		const isSaid = error instanceof ApiError ? error.code === 'asset_missing' : error instanceof Refusal;
		if (isSaid) throw error;
		throw new Refusal(`it is damaged (${(error as Error).message})`);
	}
}

/** Throws `asset_missing` for assets that a world names and that were held where it was written, but are not held here. */
function requireAssets(part: ExactPart, world: World): void {
	const missing = missingAssets(part, world);
	if (missing.length === 0) return;
	const [what, them] = missing.length === 1 ? ['asset', 'it'] : ['assets', 'them'];
	throw new ApiError(
		'asset_missing',
		`The exact part needs the ${what} ${listed(missing)}, which this engine does not have.`,
		{
			fix: `Upload ${them} with POST /asset/upload, then send this again: ${listed(missing)}.`,
			path: 'exact',
		},
	);
}

/** Most assets that a refusal names. */
const MAX_LISTED = 8;

function listed(hashes: readonly string[]): string {
	const more = hashes.length - MAX_LISTED;
	return hashes.slice(0, MAX_LISTED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** The assets that a world names and that were there where it was written, but are not here, sorted. */
function missingAssets({ assets }: ExactPart, world: World): string[] {
	const there = assets == null ? null : new Set(assets);
	return [...namedAssets(world)]
		.filter((hash) => world.assets.find(hash) === undefined && there?.has(hash) !== false)
		.sort();
}

/** Throws unless a part was written for the document with this hash, in a format that is read here. */
function requireBelonging({ format, document }: ExactPart, hash: string): void {
	if (format !== EXACT_FORMAT)
		throw new Refusal(`its format is ${format}, but this engine reads ${EXACT_FORMAT}`);
	if (hash !== document) throw new Refusal('the document was edited since it was written');
}

function loaded(part: ExactPart, { assets }: World): World {
	const bytes = inflated(fromBase64(part.world), part.size);
	if (hex(fnv1a(bytes)) !== part.checksum) throw new RangeError('its checksum does not match');
	return loadWorld(bytes, assets);
}
