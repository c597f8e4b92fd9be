/**
 * State that a world can be restored to while a call changes it.
 * Owns: the old values. Each is saved just before its write, so the cost depends on the number of writes and not on the
 * size of the world. Physics is not included, because only ticks change it.
 */

import type { JsonField } from '../../../shared/contract/component.ts';
import { countBits } from './bits.ts';
import { type Column, type ColumnData, createColumn, ownColumn } from './column.ts';
import type { WorldPart } from './part.ts';
import { ownResources } from './resource.ts';
import { ownTable } from './table.ts';
import { valueBytes } from './value-bytes.ts';
import { markChanged } from './version.ts';
import { RECORD_BYTES } from './weigh-world.ts';
import type { World } from './world.ts';

/** If more numbers than this, and than the used slots, were overwritten, whole columns are copied instead. */
const FEW_CELLS = 1024;

/** A column that is written to in place. */
interface UndoMark {
	readonly column: Column;
	/** Its version and hash before the first write. */
	readonly version: number;
	readonly hash: Column['hash'];
}

/** An index in a marked column, and its old value. */
interface Cell {
	readonly column: Column;
	readonly index: number;
	readonly oldValue: unknown;
}

export class Undo {
	/** The world's version at the start. A column with a higher version was created or written since. */
	readonly startVersion: number;
	/** True if an entity has lost a component. A component that is missing now may then have existed at the start. */
	hasRemovedComponent = false;
	readonly #world: World;
	readonly #tick: number;
	readonly #seed: number;
	readonly #entities: World['entities'];
	/** Functions that undo the larger changes, in the order of those changes. */
	readonly #undoSteps: (() => void)[] = [];
	readonly #marks: UndoMark[] = [];
	readonly #cells: Cell[] = [];
	readonly #parts: WorldPart[] = [];
	#grown = 0;

	constructor(world: World) {
		this.#world = world;
		this.startVersion = world.version;
		this.#tick = world.tick;
		this.#seed = world.seed;
		this.#entities = { ...world.entities };
	}

	/** Upper bound of the bytes by which the world has grown. It is infinite if only weighing the world gives a bound. */
	get maxGrowth(): number {
		return this.#grown;
	}

	/** Restores the world. Its version still increases, so that caches become invalid. */
	restore(): void {
		const world = this.#world;
		const changedTables = world.tables.flatMap((table, index) =>
			table !== undefined && table.presence.version > this.startVersion ? [index] : [],
		);
		for (const undo of this.#undoSteps.reverse()) undo();
		for (const { column, index, oldValue } of this.#cells.reverse())
			(column.data as unknown[])[index] = oldValue;
		for (const { column, version, hash } of this.#marks) Object.assign(column, { version, hash });
		for (const index of changedTables) {
			const table = ownTable(world, index);
			if (table !== undefined) table.count = countBits(table.presence.data);
		}
		Object.assign(world.entities, this.#entities);
		world.tick = this.#tick;
		world.seed = this.#seed;
		world.digest = null;
		markChanged(world);
	}

	/** Registers a function that undoes the next change. */
	addUndoStep(undo: () => void): void {
		this.#undoSteps.push(undo);
	}

	/**
	 * Returns the column for writing `length` numbers from `index` on, and saves their old values. Other numbers that
	 * change in it had no meaning before.
	 */
	ownCells<A extends ColumnData>(
		column: Column<A>,
		version: number,
		index: number,
		length: number,
	): Column<A> {
		if (column.shared || column.createdVersion > this.startVersion) return ownColumn(column, version);
		if (this.#cells.length > Math.max(FEW_CELLS, this.#entities.used))
			return this.ownWholeColumn(column, version);
		if (column.version <= this.startVersion)
			this.#marks.push({ column: column as Column, version: column.version, hash: column.hash });
		for (let i = index; i < index + length; i++)
			this.#cells.push({ column: column as Column, index: i, oldValue: column.data[i] });
		return ownColumn(column, version);
	}

	/** Returns the column for writing any of its values. */
	ownWholeColumn<A extends ColumnData>(column: Column<A>, version: number): Column<A> {
		if (column.shared || column.createdVersion > this.startVersion) return ownColumn(column, version);
		return createColumn(column.data.slice() as A, column.stride, version);
	}

	/**
	 * Called before a list or record is stored. Without `value`, it counts as small, because only calls that write much
	 * store large values.
	 */
	beforeStore({ weigh }: JsonField, value?: unknown): void {
		this.#grown += weigh === undefined ? RECORD_BYTES + valueBytes(value) : Number.POSITIVE_INFINITY;
	}

	/** Called before the world grows by a number of bytes. */
	addBytes(bytes: number): void {
		this.#grown += bytes;
	}

	/** Called before the world grows by an unknown number of bytes. */
	markGrown(): void {
		this.#grown = Number.POSITIVE_INFINITY;
	}

	/** Called before a resource is replaced or removed. */
	saveResource(name: string): void {
		const oldResource = this.#world.resources.get(name);
		this.markGrown();
		this.#undoSteps.push(() => {
			const resources = ownResources(this.#world);
			if (oldResource === undefined) resources.delete(name);
			else resources.set(name, oldResource);
		});
	}

	/** Called before the state of a part changes. */
	savePart<T>(part: WorldPart<T>): void {
		if (this.#parts.includes(part as WorldPart)) return;
		this.#parts.push(part as WorldPart);
		this.markGrown();
		const heldPart = this.#world.parts.get(part.name)!;
		const oldState = part.clone(heldPart.state as T);
		this.#undoSteps.push(() => {
			heldPart.state = oldState;
		});
	}
}
