/**
 * What a world can go back to while a call changes it.
 * Owns: the memory of what was there, taken piece by piece just before it is written, so that it costs as much as is
 * written and not as much as there is. Physics is not in it: nothing but a tick changes that.
 */

import { type Column, type ColumnData, createColumn, ownColumn } from './column.ts';
import type { Part } from './part.ts';
import type { Table } from './table.ts';
import { markChanged } from './version.ts';
import type { World } from './world.ts';

/** Of columns that are written to more often than this, and in more than one place of 16, a copy is made. */
const FEW_PIECES = 32;

export class Undo {
	readonly #world: World;
	readonly #back: (() => void)[] = [];
	/** How many pieces of a column are remembered. */
	readonly #pieces = new Map<Column, number>();
	/** What is saved already, or came into being since. */
	readonly #saved = new Set<Column | Table | Part>();

	constructor(world: World) {
		const { tick, seed } = world;
		const entities = { ...world.entities };
		this.#world = world;
		this.#back.push(() => {
			Object.assign(world.entities, entities);
			world.tick = tick;
			world.seed = seed;
		});
	}

	/** Makes the world what it was. Its version goes on rising, so that nothing remembered of it is taken for true. */
	goBack(): void {
		for (const back of this.#back.reverse()) back();
		markChanged(this.#world);
		this.#world.digest = null;
	}

	/** Before something that `back` takes back. */
	step(back: () => void): void {
		this.#back.push(back);
	}

	/** Before the component of an index gets a table. */
	tableAdded(index: number): void {
		this.#back.push(() => {
			this.#world.tables[index] = undefined;
		});
	}

	/** Before a table gets another column or count. */
	table(table: Table): void {
		if (!this.#isNew(table)) return;
		const { presence, count } = table;
		const columns = { ...table.columns };
		this.#back.push(() => {
			table.presence = presence;
			table.count = count;
			Object.assign(table.columns, columns);
		});
	}

	/** The column to write a few numbers of to, from `at` on. */
	cells<A extends ColumnData>(column: Column<A>, version: number, at: number, length: number): Column<A> {
		if (!column.shared && !this.#saved.has(column as Column)) {
			const { data, version: before, hash } = column;
			const pieces = (this.#pieces.get(column as Column) ?? 0) + 1;
			if (pieces > Math.max(FEW_PIECES, data.length >>> 4)) return this.whole(column, version);
			this.#pieces.set(column as Column, pieces);
			const old = data.slice(at, at + length);
			this.#back.push(() => {
				for (let i = 0; i < length; i++) data[at + i] = old[i]!;
				column.version = before;
				column.hash = hash;
			});
		}
		return this.#own(column, version);
	}

	/** The column to write anything to. */
	whole<A extends ColumnData>(column: Column<A>, version: number): Column<A> {
		if (column.shared || this.#saved.has(column as Column)) return this.#own(column, version);
		const copy = createColumn(column.data.slice() as A, column.stride, version);
		this.#saved.add(copy as Column);
		return copy;
	}

	/** Before a resource gets another value, or none. */
	resource(name: string): void {
		const { resources } = this.#world;
		const before = resources.get(name);
		this.#back.push(() => {
			if (before === undefined) resources.delete(name);
			else resources.set(name, before);
		});
	}

	/** Before the state of a part changes. */
	part<T>(part: Part<T>): void {
		if (!this.#isNew(part as Part)) return;
		const held = this.#world.parts.get(part.name)!;
		const before = part.clone(held.state as T, this.#world);
		this.#back.push(() => {
			held.state = before;
		});
	}

	#own<A extends ColumnData>(column: Column<A>, version: number): Column<A> {
		const own = ownColumn(column, version);
		if (own !== column) this.#saved.add(own as Column);
		return own;
	}

	#isNew(thing: Table | Part): boolean {
		if (this.#saved.has(thing)) return false;
		this.#saved.add(thing);
		return true;
	}
}
