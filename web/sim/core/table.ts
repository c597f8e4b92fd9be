/**
 * A table: the columns of one component, and the set of entities that have it.
 * Owns: the storage of each kind of field.
 */

import type {
	Component,
	EntityField,
	Field,
	FieldValue,
	JsonField,
	NumberField,
	WordField,
} from '../../../shared/contract/component.ts';
import { hasBit } from './bits.ts';
import { type Column, type ColumnData, createColumn, shareColumn } from './column.ts';

export interface ComponentTable {
	readonly component: Component;
	presence: Column<Uint32Array>;
	readonly columns: Record<string, Column>;
	/** Number of entities that have the component. */
	count: number;
	/** True if another list may contain this table. It is then copied before a change. */
	shared: boolean;
}

/** The tables of a world by component index; undefined for a component that no entity has had. */
export type TableList = (ComponentTable | undefined)[];

/** Owner of a list of tables: a world, or a copy of its rows. */
interface TableHolder {
	tables: TableList;
	/** True if another holder may have the same list. It is then copied before a change. */
	tablesShared: boolean;
}

/** Returns the list of tables for a second holder. The cost does not depend on its content. */
export function shareTables(holder: TableHolder): Pick<TableHolder, 'tables' | 'tablesShared'> {
	holder.tablesShared = true;
	return { tables: holder.tables, tablesShared: true };
}

/** Returns the holder's own list of tables, for changes. */
export function ownTables(holder: TableHolder): TableList {
	if (holder.tablesShared) {
		for (const table of holder.tables) if (table !== undefined) table.shared = true;
		holder.tables = holder.tables.slice();
		holder.tablesShared = false;
	}
	return holder.tables;
}

/** Returns the holder's own table at an index, for changes. */
export function ownTable(holder: TableHolder, index: number): ComponentTable | undefined {
	const tables = ownTables(holder);
	const table = tables[index];
	if (table === undefined || !table.shared) return table;
	const copy = cloneTable(table);
	tables[index] = copy;
	return copy;
}

/** The array that stores a field. */
export type ArrayOf<F extends Field> = F extends NumberField
	? F['kind'] extends 'f32'
		? Float32Array
		: F['kind'] extends 'u32'
			? Uint32Array
			: F['kind'] extends 'i32'
				? Int32Array
				: F['kind'] extends 'u8'
					? Uint8Array
					: Float32Array
	: F extends WordField
		? Uint8Array
		: F extends EntityField
			? Uint32Array
			: F extends JsonField<infer T>
				? T[]
				: never;

/** A column's data for reading only. */
export type ReadonlyArrayOf<F extends Field> =
	F extends JsonField<infer T> ? readonly T[] : { readonly [index: number]: number; readonly length: number };

/** Returns the number of array elements per entity. An entity reference is stored as id + 1 and generation; 0 means none. */
export function strideOf(field: Field): number {
	if (field.kind === 'entity') return 2;
	return 'size' in field ? field.size : 1;
}

export function emptyData(field: Field, slots: number): ColumnData {
	const length = slots * strideOf(field);
	switch (field.kind) {
		case 'f32':
			return new Float32Array(length);
		case 'u32':
		case 'entity':
			return new Uint32Array(length);
		case 'i32':
			return new Int32Array(length);
		case 'u8':
		case 'word':
			return new Uint8Array(length);
		case 'json':
			return new Array(length).fill(undefined);
	}
}

export function createTable(component: Component, slots: number, version: number): ComponentTable {
	const columns: Record<string, Column> = {};
	for (const [name, field] of Object.entries(component.fields)) {
		columns[name] = createColumn(emptyData(field, slots), strideOf(field), version);
	}
	return {
		component,
		presence: createColumn(new Uint32Array(Math.max(1, slots >>> 5)), 1, version),
		columns,
		count: 0,
		shared: false,
	};
}

/** Returns a copy that shares each column until one side writes. */
function cloneTable(table: ComponentTable): ComponentTable {
	const columns: Record<string, Column> = {};
	for (const name in table.columns) columns[name] = shareColumn(table.columns[name]!);
	return {
		component: table.component,
		presence: shareColumn(table.presence),
		columns,
		count: table.count,
		shared: false,
	};
}

/** Returns true if a column is digested and saved. A sparse column is saved only if an entity has a value in it. */
export function isSaved({ component, presence, columns }: ComponentTable, name: string): boolean {
	const field = component.fields[name]!;
	if (field.kind !== 'json' || field.sparse !== true) return true;
	const column = columns[name]!;
	const cached = sparseColumnCache.get(column);
	if (cached?.version === column.version && cached.presence === presence.version) return cached.hasValues;
	const values = column.data as readonly unknown[];
	const hasValues = values.some((value, slot) => value != null && hasBit(presence.data, slot));
	sparseColumnCache.set(column, { version: column.version, presence: presence.version, hasValues });
	return hasValues;
}

const sparseColumnCache = new WeakMap<
	Column,
	{ readonly version: number; readonly presence: number; readonly hasValues: boolean }
>();

/** Stores the value of a field for one entity. */
export function store<F extends Field>(field: F, data: ColumnData, slot: number, value: FieldValue<F>): void {
	switch (field.kind) {
		case 'json':
			(data as unknown[])[slot] = value;
			return;
		case 'word':
			(data as Uint8Array)[slot] = field.words.indexOf(value as never);
			return;
		case 'entity': {
			const handle = value as FieldValue<EntityField>;
			(data as Uint32Array)[slot * 2] = handle === null ? 0 : handle.id + 1;
			(data as Uint32Array)[slot * 2 + 1] = handle === null ? 0 : handle.generation;
			return;
		}
		default: {
			const numbers = data as Float32Array;
			// + 0 turns -0 into 0.
			if (field.size === 1) numbers[slot] = (value as number) + 0;
			else for (let i = 0; i < field.size; i++) numbers[slot * field.size + i] = (value as number[])[i]! + 0;
		}
	}
}

/** Returns the stored value of a field for one entity. */
export function load<F extends Field>(field: F, data: ColumnData, slot: number): FieldValue<F> {
	return loadUntyped(field, data, slot) as FieldValue<F>;
}

function loadUntyped(field: Field, data: ColumnData, slot: number): unknown {
	switch (field.kind) {
		case 'json':
			return (data as unknown[])[slot];
		case 'word':
			return field.words[(data as Uint8Array)[slot]!];
		case 'entity': {
			const id = (data as Uint32Array)[slot * 2]!;
			return id === 0 ? null : { id: id - 1, generation: (data as Uint32Array)[slot * 2 + 1]! };
		}
		default: {
			const numbers = data as Float32Array;
			if (field.size === 1) return numbers[slot]!;
			const tuple: number[] = [];
			for (let i = 0; i < field.size; i++) tuple.push(numbers[slot * field.size + i]!);
			return tuple;
		}
	}
}
