/**
 * Saving a world as bytes and loading it again, exactly.
 * Owns: the format. A header in JSON, then every column's raw bytes, then every part's.
 */

import { components } from '../../../shared/components/index.ts';
import { ByteReader, ByteWriter } from './bytes.ts';
import { canonicalJson } from './canonical-json.ts';
import { createColumn, type NumericArray } from './column.ts';
import { createEntities } from './entities.ts';
import { holdPart } from './part.ts';
import { createTable } from './table.ts';
import { markChanged } from './version.ts';
import type { Profile, World } from './world.ts';

const FORMAT = 'orrery-world-1';

interface Header {
	readonly format: typeof FORMAT;
	readonly tick: number;
	readonly seed: number;
	readonly profile: Profile;
	readonly entities: { freeCount: number; used: number; count: number };
	readonly tables: readonly { name: string; count: number; json: Record<string, unknown[]> }[];
	readonly resources: Record<string, unknown>;
	readonly parts: readonly string[];
}

/** All of a world that is not derived. */
export function encodeWorld(world: World): Uint8Array<ArrayBuffer> {
	const writer = new ByteWriter();
	const kept = world.tables.filter((table) => table !== undefined && table.component.scope !== 'derived');
	const resources: Record<string, unknown> = {};
	for (const [name, { resource, value }] of world.resources)
		if (resource.scope !== 'derived') resources[name] = value;
	const header: Header = {
		format: FORMAT,
		tick: world.tick,
		seed: world.seed,
		profile: world.profile,
		entities: {
			freeCount: world.entities.freeCount,
			used: world.entities.used,
			count: world.entities.count,
		},
		tables: kept.map((table) => ({
			name: table!.component.name,
			count: table!.count,
			json: Object.fromEntries(
				Object.entries(table!.columns)
					.filter(([, column]) => Array.isArray(column.data))
					.map(([name, column]) => [name, Array.from(column.data as unknown[], (v) => v ?? null)]),
			),
		})),
		resources,
		parts: savedParts(world),
	};
	writer.text(canonicalJson(header));
	const { alive, generations, free } = world.entities;
	for (const column of [alive, generations, free]) writer.array(column.data);
	for (const table of kept) {
		writer.array(table!.presence.data);
		for (const column of Object.values(table!.columns))
			if (!Array.isArray(column.data)) writer.array(column.data);
	}
	for (const name of header.parts) {
		const { part, state } = world.parts.get(name)!;
		writer.array(part.encode(state));
	}
	return writer.end();
}

function savedParts(world: World): string[] {
	const saved = [...world.parts.values()].filter(({ part }) => part.scope !== 'derived');
	return saved.map(({ part }) => part.name).sort();
}

/** Fills a fresh world with what `encodeWorld` wrote. Throws a RangeError when the bytes are not such a save. */
export function decodeWorld(bytes: Uint8Array, fresh: World): World {
	const reader = new ByteReader(bytes);
	const header = JSON.parse(reader.text()) as Header;
	if (header.format !== FORMAT) throw new RangeError(`the bytes are not a saved world of format ${FORMAT}`);
	const version = markChanged(fresh);
	const column = <A extends NumericArray>(data: A, stride: number) => createColumn(data, stride, version);
	const world: World = {
		...fresh,
		profile: header.profile,
		tick: header.tick,
		seed: header.seed,
		version,
		entities: {
			...createEntities(),
			alive: column(reader.array(Uint32Array), 1),
			generations: column(reader.array(Uint32Array), 1),
			free: column(reader.array(Uint32Array), 1),
			...header.entities,
		},
		digest: null,
	};
	for (const saved of header.tables) {
		const index = components.findIndex(({ name }) => name === saved.name);
		if (index < 0)
			throw new RangeError(`the save has a component "${saved.name}" that this engine does not know`);
		const table = createTable(components[index]!, 0, version);
		table.presence = column(reader.array(Uint32Array), 1);
		table.count = saved.count;
		for (const [name, empty] of Object.entries(table.columns)) {
			table.columns[name] = Array.isArray(empty.data)
				? createColumn(saved.json[name] ?? [], empty.stride, version)
				: column(reader.array(empty.data.constructor as never) as NumericArray, empty.stride);
		}
		world.tables[index] = table;
	}
	for (const [name, value] of Object.entries(header.resources)) {
		const known = world.declared.find((resource) => resource.name === name);
		if (known) world.resources.set(name, { resource: known, value });
	}
	for (const name of header.parts) {
		const known = world.parts.get(name);
		const saved = reader.array(Uint8Array);
		if (known) world.parts.set(name, holdPart(known.part, known.part.decode(saved, world)));
	}
	return world;
}
