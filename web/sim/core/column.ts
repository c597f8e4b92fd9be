/**
 * A column: one field of one component for all entities, shared between clones until one writes.
 * Owns: copy on write, capacity, and the version, which changes when a column is taken for writing.
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
	/** The world's version when it was made. */
	readonly made: number;
	/** True if a clone may be reading the same data. */
	shared: boolean;
	/** The world's version at the last request to write. */
	version: number;
	/** Digest of the present rows, and the presence column and version it was taken with. */
	hash: ColumnHash | null;
}

export function createColumn<A extends ColumnData>(data: A, stride: number, version: number): Column<A> {
	return { data, stride, made: version, shared: false, version, hash: null };
}

/** Returns the column to write to: `column` itself, or a private copy when it is shared. Marks it as changed. */
export function ownColumn<A extends ColumnData>(column: Column<A>, version: number): Column<A> {
	if (column.shared) return createColumn(column.data.slice() as A, column.stride, version);
	column.version = version;
	column.hash = null;
	return column;
}

/** Returns a column with room for `slots` entities, holding what `column` holds. */
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

/** Marks a column as read by several worlds and returns it. */
export function shareColumn<C extends Column>(column: C): C {
	column.shared = true;
	return column;
}
