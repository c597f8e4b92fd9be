/**
 * A column: one field of one component for all entities. Clones share it until one of them writes.
 * Owns: copy on write, capacity, and the version, which changes with every request to write.
 */

export type NumericArray = Float32Array | Uint32Array | Int32Array | Uint8Array;
export type ColumnData = NumericArray | unknown[];

export interface ColumnHash {
	readonly value: bigint;
	/** The value in hexadecimal digits. */
	readonly hex: string;
	readonly presence: Column;
	readonly presenceVersion: number;
}

export interface Column<A extends ColumnData = ColumnData> {
	readonly data: A;
	/** Numbers per entity. */
	readonly stride: number;
	/** The world's version when the column was created. */
	readonly createdVersion: number;
	/** True if a clone may be reading the same data. */
	shared: boolean;
	/** The world's version at the last request to write. */
	version: number;
	/** Cached hash of the present rows, with the presence column and version for which it is valid. */
	hash: ColumnHash | null;
}

export function createColumn<A extends ColumnData>(data: A, stride: number, version: number): Column<A> {
	return { data, stride, createdVersion: version, shared: false, version, hash: null };
}

/** Returns the column to write to: `column` itself, or a private copy if it is shared. Marks it as changed. */
export function ownColumn<A extends ColumnData>(column: Column<A>, version: number): Column<A> {
	if (column.shared) return createColumn(column.data.slice() as A, column.stride, version);
	column.version = version;
	column.hash = null;
	return column;
}

/** Returns a larger copy of a column, with space for `slots` entities. */
export function expandColumn<A extends ColumnData>(
	column: Column<A>,
	slots: number,
	version: number,
): Column<A> {
	const { data, stride } = column;
	if (Array.isArray(data)) {
		const list = data.slice() as unknown[];
		while (list.length < slots * stride) list.push(undefined);
		return createColumn(list as A, stride, version);
	}
	const expanded = new (data.constructor as new (length: number) => NumericArray)(slots * stride);
	expanded.set(data);
	return createColumn(expanded as A, stride, version);
}

/** Marks a column as shared by several worlds, and returns it. */
export function shareColumn<C extends Column>(column: C): C {
	column.shared = true;
	return column;
}
