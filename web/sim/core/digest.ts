/**
 * The state digest: 64-bit FNV-1a over a canonical encoding of all state of a world.
 * Owns: that encoding. Each column has its own cached hash, and the digest is a hash of these hashes. So an unchanged
 * column is not hashed twice, and an unchanged world costs nothing.
 *
 * Canonical encoding: the tick, then slots with their generations and reuse order. For each component in declared
 * order: its name, its slots, and per field the little-endian bytes of the rows in slot order. -0 is written as 0,
 * because both are equal. Then come resources and parts by name. The seed is not state: it only determines later
 * draws. So forks with other seeds arrive at the digests that one peek announced. The future digest has it.
 */

import { eachRun } from './bits.ts';
import { canonicalJson, canonicalPieces } from './canonical-json.ts';
import type { Column, ColumnHash } from './column.ts';
import { ByteHasher, fnv1a, fnv1aText, TextHasher } from './fnv.ts';
import type { HeldPart } from './part.ts';
import type { HeldResource, Resource } from './resource.ts';
import { type ComponentTable, isSaved } from './table.ts';
import type { World } from './world.ts';

/** Returns the digest as 16 hexadecimal digits. Equal digests mean equal observable state. */
export function digest(world: World): string {
	if (world.digest?.version === world.version) return world.digest.value;
	const value = digestValue(world).toString(16).padStart(16, '0');
	world.digest = { version: world.version, value };
	return value;
}

/**
 * Returns 16 hexadecimal digits over the state, the seed and hidden data of parts, such as the contact impulses of
 * the physics library. Worlds with equal future digests answer the same calls with the same ticks. Costs a save of
 * the parts.
 */
export function futureDigest(world: World): string {
	let hash = fnv1aText(`${digest(world)}/${world.seed}`);
	for (const name of [...world.parts.keys()].sort()) {
		const heldPart = world.parts.get(name)!;
		if (isDigested(heldPart)) hash = fnv1a(hashBytes(hashOf(heldPart, 'encoded')), hash);
	}
	return hash.toString(16).padStart(16, '0');
}

function isDigested({ part, state }: HeldPart): boolean {
	return part.scope === 'state' && part.isEmpty?.(state) !== true;
}

function hashBytes(hash: bigint): Uint8Array {
	return new Uint8Array(BigUint64Array.of(hash).buffer);
}

/** Returns the hash of a part's digest or encoding. The hash is cached until the part's version changes. */
function hashOf(heldPart: HeldPart, form: 'digested' | 'encoded'): bigint {
	const { part, state } = heldPart;
	const version = part.version(state);
	const cached = heldPart[form];
	if (cached?.version === version) return cached.hash;
	const hash = fnv1a(form === 'digested' ? part.digest(state) : part.encode(state));
	heldPart[form] = { version, hash };
	return hash;
}

/** Collects names and hashes, and hashes them together as one text. */
class Mixer {
	#text = '';

	mix(name: string, hex: string): void {
		this.#text += `${name}=${hex};`;
	}

	get hash(): bigint {
		return fnv1aText(this.#text);
	}
}

const hexOf = (hash: bigint): string => hash.toString(16);

/**
 * Returns the hash of the columns, resources and entities with these names, such as `health.current`, `entities` or
 * `match`. Hashes of columns are cached, so only changed columns cost time.
 */
export function digestOfNames(world: World, names: ReadonlySet<string>): bigint {
	const mixer = new Mixer();
	if (names.has('entities')) mixer.mix('entities', hashEntities(world));
	for (const table of world.tables) {
		if (table === undefined || table.count === 0) continue;
		const { name } = table.component;
		const columns = Object.keys(table.columns).filter((column) => names.has(`${name}.${column}`));
		if (columns.length === 0 && !names.has(name)) continue;
		mixer.mix(`${name}?`, hashWords(table.presence).hex);
		for (const column of columns) mixer.mix(`${name}.${column}`, hashRows(table, table.columns[column]!).hex);
	}
	for (const name of [...world.resources.keys()].sort())
		if (names.has(name)) mixer.mix(name, hexOfResource(world.resources.get(name)!));
	return mixer.hash;
}

/** Returns the hash of everything that determines the future of a part. */
export const hashOfPart = (heldPart: HeldPart): bigint => hashOf(heldPart, 'encoded');

function digestValue(world: World): bigint {
	const mixer = new Mixer();
	mixer.mix('tick', world.tick.toString(16));
	mixer.mix('entities', hashEntities(world));
	for (const table of world.tables) {
		if (table === undefined || table.count === 0 || table.component.scope !== 'state') continue;
		mixer.mix(`${table.component.name}?`, hashWords(table.presence).hex);
		for (const name in table.columns)
			if (isSaved(table, name))
				mixer.mix(`${table.component.name}.${name}`, hashRows(table, table.columns[name]!).hex);
	}
	for (const heldResource of resourcesByName(world))
		if (heldResource.resource.scope === 'state')
			mixer.mix(heldResource.resource.name, hexOfResource(heldResource));
	for (const name of [...world.parts.keys()].sort()) {
		const heldPart = world.parts.get(name)!;
		if (isDigested(heldPart)) mixer.mix(name, hexOf(hashOf(heldPart, 'digested')));
	}
	return mixer.hash;
}

const sortedNames = new WeakMap<readonly Resource[], readonly string[]>();

function resourcesByName({ declared, resources }: World): HeldResource[] {
	let names = sortedNames.get(declared);
	if (names === undefined) {
		names = declared.map(({ name }) => name).sort();
		sortedNames.set(declared, names);
	}
	const heldResources: HeldResource[] = [];
	for (const name of names) {
		const resource = resources.get(name);
		if (resource !== undefined) heldResources.push(resource);
	}
	if (heldResources.length !== resources.size) throw new Error('a world has a resource that is not declared');
	return heldResources;
}

/** Hashes of resources. Their values are never changed in place. */
const hexByResource = new WeakMap<HeldResource, string>();

function hexOfResource(heldResource: HeldResource): string {
	let hex = hexByResource.get(heldResource);
	if (hex === undefined) {
		hex = hexOf(hashJson(heldResource.value));
		hexByResource.set(heldResource, hex);
	}
	return hex;
}

/** Returns the hash of the canonical JSON of a value. */
export function hashJson(value: unknown): bigint {
	const hasher = new TextHasher();
	for (const piece of canonicalPieces(value)) hasher.add(piece);
	return hasher.end();
}

interface EntitiesHash {
	readonly free: ColumnHash;
	readonly alive: ColumnHash;
	readonly hex: string;
}

/** Hashes of entities by the hash of the generations. */
const entitiesHashes = new WeakMap<ColumnHash, EntitiesHash>();

function hashEntities({ entities }: World): string {
	const used = hashFirstRows(entities.generations, entities.used);
	const free = hashFirstRows(entities.free, entities.freeCount);
	const alive = hashWords(entities.alive);
	const entitiesHash = entitiesHashes.get(used);
	if (entitiesHash?.free === free && entitiesHash.alive === alive) return entitiesHash.hex;
	const hex = hexOf(fnv1aText(`${alive.hex}/${free.hex}`, used.value));
	entitiesHashes.set(used, { free, alive, hex });
	return hex;
}

const columnHash = (value: bigint, presence: Column, presenceVersion: number): ColumnHash => ({
	value,
	hex: hexOf(value),
	presence,
	presenceVersion,
});

/** Returns the hash of the first rows of a column. It is cached until the column or the number of rows changes. */
function hashFirstRows(column: Column<Uint32Array>, rows: number): ColumnHash {
	if (column.hash?.presence === column && column.hash.presenceVersion === rows) return column.hash;
	column.hash = columnHash(fnv1a(bytesOf(column.data, 0, rows)), column, rows);
	return column.hash;
}

/** Returns the hash of a set of slots: of its words up to the last non-zero one. */
function hashWords(presence: Column<Uint32Array>): ColumnHash {
	if (presence.hash?.presence === presence && presence.hash.presenceVersion === presence.version)
		return presence.hash;
	let length = presence.data.length;
	while (length > 0 && presence.data[length - 1] === 0) length--;
	presence.hash = columnHash(fnv1a(bytesOf(presence.data, 0, length)), presence, presence.version);
	return presence.hash;
}

function hashRows(table: ComponentTable, column: Column): ColumnHash {
	const { presence } = table;
	if (column.hash?.presence === presence && column.hash.presenceVersion === presence.version)
		return column.hash;
	const value = Array.isArray(column.data)
		? hashValues(presence.data, column.data)
		: hashNumbers(presence.data, column.data, column.stride);
	column.hash = columnHash(value, presence, presence.version);
	return column.hash;
}

function hashNumbers(
	presence: Uint32Array,
	data: Float32Array | Uint32Array | Int32Array | Uint8Array,
	stride: number,
): bigint {
	const hasher = new ByteHasher(data instanceof Float32Array);
	eachRun(presence, (from, to) => hasher.add(bytesOf(data, from * stride, to * stride)));
	return hasher.end();
}

function hashValues(presence: Uint32Array, values: readonly unknown[]): bigint {
	const hasher = new TextHasher();
	let separator = '';
	eachRun(presence, (from, to) => {
		for (let slot = from; slot < to; slot++) {
			hasher.add(separator);
			hasher.add(textOf(values[slot]));
			separator = '\n';
		}
	});
	return hasher.end();
}

/** Canonical texts of stored lists and records. These are never changed in place, so a text stays valid. */
const textOfRecord = new WeakMap<object, string>();
/** Cache of the canonical texts of strings. */
const textOfWord = new Map<string, string>();
const MAX_WORDS = 1024;

function textOf(value: unknown): string {
	if (typeof value === 'string') {
		let text = textOfWord.get(value);
		if (text === undefined) {
			text = canonicalJson(value);
			if (textOfWord.size === MAX_WORDS) textOfWord.clear();
			textOfWord.set(value, text);
		}
		return text;
	}
	if (typeof value !== 'object' || value === null) return canonicalJson(value);
	let text = textOfRecord.get(value);
	if (text === undefined) {
		text = canonicalJson(value);
		textOfRecord.set(value, text);
	}
	return text;
}

function bytesOf(
	data: Float32Array | Uint32Array | Int32Array | Uint8Array,
	from: number,
	to: number,
): Uint8Array {
	const size = data.BYTES_PER_ELEMENT;
	return new Uint8Array(data.buffer, data.byteOffset + from * size, (to - from) * size);
}
