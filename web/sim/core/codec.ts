/**
 * Saves a world as bytes and loads it again, exactly.
 * Owns: the format: a header in JSON, the slots, the rows of every component, resources and parts.
 * Reading checks that entities and columns are consistent. It does not check the meaning of values.
 */

import { components } from '../../../shared/components/index.ts';
import { countBits, hasBit, setBit } from './bits.ts';
import { ByteReader, ByteWriter } from './bytes.ts';
import { createColumn } from './column.ts';
import { createEntities, type Entities, LAST_GENERATION, MAX_ENTITIES } from './entities.ts';
import { holdPart } from './part.ts';
import { ownResources } from './resource.ts';
import { readTable, sparseColumns, writeTable } from './saved-table.ts';
import { markChanged } from './version.ts';
import type { HostProfile, World } from './world.ts';

const FORMAT = 'orrery-world-2';

interface Header {
	readonly format: typeof FORMAT;
	readonly tick: number;
	readonly seed: number;
	readonly profile: HostProfile;
	/** Number of slots ever used. */
	readonly used: number;
	/** Components, resources and parts that follow, in this order. Components without entities are omitted. */
	readonly tables: readonly string[];
	/** Sparse columns that follow with the tables, as `component.field`; omitted if there are none. */
	readonly sparse?: readonly string[];
	readonly resources: readonly string[];
	readonly parts: readonly string[];
}

/**
 * Returns the bytes of a world without its derived state. Equal worlds have equal bytes. Throws a TooManyBytesError
 * before the bytes would exceed `maxBytes`.
 */
export function encodeWorld(world: World, maxBytes?: number): Uint8Array<ArrayBuffer> {
	const { used, alive, generations, free, freeCount } = world.entities;
	const tables = world.tables.filter(
		(table) => table !== undefined && table.count > 0 && table.component.scope !== 'derived',
	);
	const resources = [...world.resources.values()]
		.filter(({ resource }) => resource.scope !== 'derived')
		.sort((a, b) => (a.resource.name < b.resource.name ? -1 : 1));
	const sparse = tables.flatMap((table) => sparseColumns(table!));
	const header: Header = {
		format: FORMAT,
		tick: world.tick,
		seed: world.seed,
		profile: world.profile,
		used,
		tables: tables.map((table) => table!.component.name),
		...(sparse.length > 0 ? { sparse } : {}),
		resources: resources.map(({ resource }) => resource.name),
		parts: savedParts(world),
	};
	const words = Math.ceil(used / 32);
	const writer = new ByteWriter(maxBytes);
	writer.writeText(JSON.stringify(header));
	writer.writeArray(alive.data.subarray(0, words));
	writer.writeArray(generations.data.subarray(0, used));
	writer.writeArray(free.data.subarray(0, freeCount));
	for (const table of tables) writeTable(writer, table!, words);
	for (const { value } of resources) writer.writeText(JSON.stringify(value ?? null));
	for (const name of header.parts) {
		const { part, state } = world.parts.get(name)!;
		writer.writeArray(part.encode(state));
	}
	return writer.end();
}

function savedParts(world: World): string[] {
	const saved = [...world.parts.values()].filter(
		({ part, state }) => part.scope !== 'derived' && part.isEmpty?.(state) !== true,
	);
	return saved.map(({ part }) => part.name).sort();
}

/**
 * Reads the output of `encodeWorld` into a world that `create` creates for its profile. Throws a RangeError if the
 * bytes are not a saved world.
 */
export function decodeWorld(bytes: Uint8Array, create: (profile: HostProfile) => World): World {
	const reader = new ByteReader(bytes);
	const header = headerOf(JSON.parse(reader.readText()));
	const newWorld = create(header.profile);
	const version = markChanged(newWorld);
	const world: World = {
		...newWorld,
		tick: header.tick,
		seed: header.seed,
		version,
		entities: readEntities(reader, header.used, version),
		digest: null,
	};
	const { alive, generations } = world.entities;
	for (const name of header.tables) {
		const index = components.findIndex((component) => component.name === name);
		if (index < 0) throw new RangeError(`the save has a component "${name}" that this engine does not know`);
		if (world.tables[index] !== undefined) throw new RangeError(`the save has "${name}" twice`);
		const slots = generations.data.length;
		world.tables[index] = readTable(
			reader,
			components[index]!,
			alive.data,
			slots,
			version,
			header.sparse ?? [],
		);
	}
	for (const name of header.resources) {
		const declaration = world.declared.find((resource) => resource.name === name);
		const value: unknown = JSON.parse(reader.readText());
		if (declaration) ownResources(world).set(name, { resource: declaration, value, version });
	}
	for (const name of header.parts) {
		const freshPart = world.parts.get(name);
		const saved = reader.readArray(Uint8Array);
		if (freshPart) world.parts.set(name, holdPart(freshPart.part, freshPart.part.decode(saved, world)));
	}
	if (!reader.isAtEnd) throw new RangeError('the saved bytes continue after their end');
	return world;
}

const isNumber = (value: unknown, max: number): value is number =>
	Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= max;
const areNames = (value: unknown): value is string[] =>
	Array.isArray(value) && value.every((name) => typeof name === 'string');

function headerOf(value: unknown): Header {
	const { format, tick, seed, profile, used, tables, sparse, resources, parts } = Object(value) as Record<
		keyof Header,
		unknown
	>;
	if (format !== FORMAT) throw new RangeError(`the bytes are not a saved world of format ${FORMAT}`);
	if (
		!isNumber(tick, Number.MAX_SAFE_INTEGER) ||
		!isNumber(seed, Number.MAX_SAFE_INTEGER) ||
		!isNumber(used, MAX_ENTITIES) ||
		(profile !== 'full' && profile !== 'bare') ||
		!areNames(tables) ||
		!(sparse === undefined || areNames(sparse)) ||
		!areNames(resources) ||
		!areNames(parts)
	)
		throw new RangeError('the save begins with a value that no world has');
	return {
		format,
		tick,
		seed,
		profile,
		used,
		tables,
		...(sparse === undefined ? {} : { sparse }),
		resources,
		parts,
	};
}

/** Reads the living slots, and the order in which the free slots are reused. */
function readEntities(reader: ByteReader, used: number, version: number): Entities {
	const [alive, generations, free] = [
		reader.readArray(Uint32Array),
		reader.readArray(Uint32Array),
		reader.readArray(Uint32Array),
	];
	const entities = createEntities();
	let slots = entities.generations.data.length;
	while (slots < used) slots *= 2;
	if (alive.length !== Math.ceil(used / 32) || generations.length !== used)
		throw new RangeError('the save lists only some of the slots');
	for (let slot = used; slot < alive.length * 32; slot++)
		if (hasBit(alive, slot)) throw new RangeError(`slot ${slot} is alive but was never used`);
	const freeBits = new Uint32Array(alive.length);
	for (const slot of free) {
		if (slot >= used || hasBit(alive, slot) || hasBit(freeBits, slot))
			throw new RangeError(`slot ${slot} is not free`);
		setBit(freeBits, slot);
	}
	for (let slot = 0; slot < used; slot++) {
		const isExhausted = generations[slot] === LAST_GENERATION;
		if (!hasBit(alive, slot) && hasBit(freeBits, slot) === isExhausted)
			throw new RangeError(`slot ${slot} is neither alive nor free`);
	}
	const column = (data: Uint32Array, length: number) => {
		const padded = new Uint32Array(length);
		padded.set(data);
		return createColumn(padded, 1, version);
	};
	return {
		alive: column(alive, slots >>> 5),
		generations: column(generations, slots),
		free: column(free, slots),
		freeCount: free.length,
		used,
		count: countBits(alive),
	};
}
