/**
 * State that a world can go back to while a call changes it.
 * Owns: the memory of old values, taken piece by piece just before each write. So its cost depends on the writes and
 * not on the size of the world. Physics is not in it: nothing but a tick changes that.
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

/** If more single numbers than this, and than there are entities, were overwritten, columns are copied instead. */
const FEW_CELLS = 1024;

/** A column that is written to in place. */
interface UndoMark {
	readonly column: Column;
	/** Its version and hash before. */
	readonly version: number;
	readonly hash: Column['hash'];
}

/** A place in such a column, and what stood there. */
interface Cell {
	readonly column: Column;
	readonly at: number;
	readonly old: unknown;
}

export class Undo {
	/** The world's version before: columns of a higher one were made, or written to, since. */
	readonly since: number;
	/** True if an entity has lost a component: a missing one may have been there before. */
	removed = false;
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
		this.since = world.version;
		this.#tick = world.tick;
		this.#seed = world.seed;
		this.#entities = { ...world.entities };
	}

	/** Bytes by which the world may have become heavier, and no fewer; infinity where that is only known by weighing it. */
	get grown(): number {
		return this.#grown;
	}

	/**
	 * Makes the world what it was. Its version continues rising, so that nothing remembered of it is taken for true.
	 */
	goBack(): void {
		const world = this.#world;
		const touched = world.tables.flatMap((table, index) =>
			table !== undefined && table.presence.version > this.since ? [index] : [],
		);
		for (const undo of this.#undoSteps.reverse()) undo();
		for (const { column, at, old } of this.#cells.reverse()) (column.data as unknown[])[at] = old;
		for (const { column, version, hash } of this.#marks) Object.assign(column, { version, hash });
		for (const index of touched) {
			const table = ownTable(world, index);
			if (table !== undefined) table.count = countBits(table.presence.data);
		}
		Object.assign(world.entities, this.#entities);
		world.tick = this.#tick;
		world.seed = this.#seed;
		world.digest = null;
		markChanged(world);
	}

	/** Before something that `back` undoes. */
	step(undo: () => void): void {
		this.#undoSteps.push(undo);
	}

	/**
	 * Returns the column to write `length` numbers of to, from `at` on; what else changes in it has no meaning
	 * before.
	 */
	cells<A extends ColumnData>(column: Column<A>, version: number, at: number, length: number): Column<A> {
		if (column.shared || column.made > this.since) return ownColumn(column, version);
		if (this.#cells.length > Math.max(FEW_CELLS, this.#entities.used)) return this.whole(column, version);
		if (column.version <= this.since)
			this.#marks.push({ column: column as Column, version: column.version, hash: column.hash });
		for (let i = at; i < at + length; i++)
			this.#cells.push({ column: column as Column, at: i, old: column.data[i] });
		return ownColumn(column, version);
	}

	/** Returns the column to write anything to. */
	whole<A extends ColumnData>(column: Column<A>, version: number): Column<A> {
		if (column.shared || column.made > this.since) return ownColumn(column, version);
		return createColumn(column.data.slice() as A, column.stride, version);
	}

	/**
	 * Called before a list or record is stored. An unknown one counts as small, because only calls that write much
	 * make it large.
	 */
	stored({ weigh }: JsonField, value?: unknown): void {
		this.#grown += weigh === undefined ? RECORD_BYTES + valueBytes(value) : Number.POSITIVE_INFINITY;
	}

	/** Before this many bytes more are held. */
	added(bytes: number): void {
		this.#grown += bytes;
	}

	/** Before something takes more room. */
	grew(): void {
		this.#grown = Number.POSITIVE_INFINITY;
	}

	/** Before a resource gets another value, or none. */
	resource(name: string): void {
		const before = this.#world.resources.get(name);
		this.grew();
		this.#undoSteps.push(() => {
			const resources = ownResources(this.#world);
			if (before === undefined) resources.delete(name);
			else resources.set(name, before);
		});
	}

	/** Before the state of a part changes. */
	part<T>(part: WorldPart<T>): void {
		if (this.#parts.includes(part as WorldPart)) return;
		this.#parts.push(part as WorldPart);
		this.grew();
		const heldPart = this.#world.parts.get(part.name)!;
		const before = part.clone(heldPart.state as T);
		this.#undoSteps.push(() => {
			heldPart.state = before;
		});
	}
}
