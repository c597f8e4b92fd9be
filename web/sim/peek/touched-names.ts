/**
 * The names that an access touches in one world. Two accesses can influence each other only if they share a name.
 * Owns: dividing the world into parts by the components of entities. Chance declares the entities that it changes (`with`).
 * They are one part of the world, the rest is another, and a column has one name in each part. A query touches only the
 * parts with an entity that has all its components, or may get them during the tick.
 */

import { components } from '../../../shared/components/index.ts';
import { Parent } from '../../../shared/components/parent.ts';
import type { Component } from '../../../shared/contract/component.ts';
import { type VerbAccess, withColumns } from '../../../shared/verbs/access.ts';
import { count, each, has, presence, type World } from '../core/world.ts';
import { parentOf } from '../transform/hierarchy.ts';

const byName = new Map(components.map((component) => [component.name, component]));

const NOTHING: readonly string[] = [];

/** Component of each name, as a list. */
const componentByName = new Map<string, readonly string[]>();
/** All columns of each component name. */
const columnsByName = new Map<string, readonly string[]>();
for (const { name, fields } of components) {
	componentByName.set(name, [name]);
	columnsByName.set(name, withColumns([name]));
	for (const field of Object.keys(fields)) componentByName.set(`${name}.${field}`, [name]);
}

const componentOf = (name: string): readonly string[] => componentByName.get(name) ?? NOTHING;
const columnsOf = (name: string): readonly string[] => columnsByName.get(name) ?? [name];

export class TouchedNames {
	readonly #world: World;
	/** Components of the entities that chance changes. They define the parts. */
	readonly #changedSets: readonly (readonly Component[])[];
	/** Components that entities may have got during the tick, with the parts of these entities; null means any component anywhere. */
	#addedComponents: Map<string, Set<number>> | null = new Map();
	readonly #cache = new Map<string, readonly number[]>();
	#parentParts: readonly number[] | undefined;

	constructor(world: World, changedSets: readonly (readonly string[])[]) {
		this.#world = world;
		this.#changedSets = changedSets.map((names) => names.map((name) => byName.get(name)!));
	}

	/** True if the whole world is one part. */
	get isUndivided(): boolean {
		return this.#changedSets.length === 0;
	}

	/** Records that entities may have been spawned or got components through an access. */
	addAccess({ writes = [], queries = [], spawns }: VerbAccess): void {
		if (writes.includes('entities') && spawns === undefined) {
			this.#addedComponents = null;
			this.#cache.clear();
		}
		const additions = [{ with: NOTHING, writes: [...writes, ...(spawns ?? [])] }, ...queries];
		if (!additions.some(({ writes: names = [] }) => names.some((name) => byName.has(name)))) return;
		for (const { with: componentNames, writes: names = [] } of additions)
			for (const name of names) if (byName.has(name)) this.#addComponent(name, this.#partsOf(componentNames));
		this.#cache.clear();
	}

	#addComponent(name: string, parts: readonly number[]): void {
		const oldParts = this.#addedComponents?.get(name) ?? [];
		this.#addedComponents?.set(name, new Set([...oldParts, ...parts]));
	}

	/** Returns true if an entity has a component, or may have got it during the tick. */
	mayExist({ name }: Component): boolean {
		return (
			this.#addedComponents === null ||
			this.#addedComponents.has(name) ||
			count(this.#world, byName.get(name)!) > 0
		);
	}

	reads({ reads = [], queries = [], drains = [] }: VerbAccess): Set<string> {
		const names = new Set<string>(drains.map((kind) => `event:${kind}`));
		for (const name of reads) this.#read(names, name, NOTHING);
		for (const query of queries) {
			for (const name of query.reads ?? []) this.#read(names, name, query.with);
			// Entities that get one of these components later match the query too.
			for (const name of query.with) this.#add(names, [name], NOTHING);
		}
		return names;
	}

	writes({ writes = [], queries = [], emits = [] }: VerbAccess): Set<string> {
		const names = new Set<string>(emits.map((kind) => `event:${kind}`));
		// An entity that gets a component does not have it yet.
		for (const name of writes) this.#touch(names, name, byName.has(name) ? NOTHING : componentOf(name));
		for (const query of queries)
			for (const name of query.writes ?? [])
				this.#touch(names, name, byName.has(name) ? query.with : [...query.with, ...componentOf(name)]);
		return names;
	}

	#read(names: Set<string>, name: string, componentNames: readonly string[]): void {
		const ownComponent = componentOf(name);
		if (ownComponent.length === 0) {
			this.#touch(names, name, componentNames);
			return;
		}
		const all = componentNames.length === 0 ? ownComponent : [...componentNames, ...ownComponent];
		this.#touch(names, name, all);
		this.#touch(names, 'entities', all);
		if (ownComponent[0] === Parent.name && this.#changedSets.length > 0)
			for (const part of this.#partsOfParents()) names.add(`entities@${part}`);
	}

	/** Adds the columns of a name. A column has one name in each part of the world. */
	#touch(names: Set<string>, name: string, componentNames: readonly string[]): void {
		const all = columnsOf(name);
		if (name !== 'entities' && componentOf(name).length === 0) for (const column of all) names.add(column);
		else this.#add(names, all, componentNames);
	}

	#add(names: Set<string>, columns: readonly string[], componentNames: readonly string[]): void {
		if (this.isUndivided) for (const column of columns) names.add(column);
		else
			for (const part of this.#partsOf(componentNames))
				for (const column of columns) names.add(`${column}@${part}`);
	}

	/**
	 * Returns the parts with an entity that has, or may have, the components. The index of a part has one bit for each query
	 * of chance.
	 */
	#partsOf(componentNames: readonly string[]): readonly number[] {
		const key = componentNames.join();
		let parts = this.#cache.get(key);
		if (parts === undefined) {
			parts = this.#computeParts(componentNames);
			this.#cache.set(key, parts);
		}
		return parts;
	}

	#computeParts(componentNames: readonly string[]): readonly number[] {
		const addedComponents = this.#addedComponents;
		const all = Array.from({ length: 2 ** this.#changedSets.length }, (_, part) => part);
		if (all.length === 1 || addedComponents === null) return all;
		const certain = componentNames.filter((name) => !addedComponents.has(name));
		const parts = certain.length === 0 ? all : this.#partsWithAll(certain);
		return componentNames
			.filter((name) => addedComponents.has(name))
			.reduce((remaining, name) => {
				const parts = new Set([...this.#partsWithAll([name]), ...addedComponents.get(name)!]);
				return remaining.filter((part) => parts.has(part));
			}, parts);
	}

	/** Returns the parts with an entity that had all the components at the start of the tick. */
	#partsWithAll(names: readonly string[]): number[] {
		const [first, ...others] = names.map((name) => presence(this.#world, byName.get(name)!));
		const parts = new Set<number>();
		for (let word = 0; word < first!.length && parts.size < 2 ** this.#changedSets.length; word++) {
			let bits = first![word]!;
			for (const other of others) bits &= other[word] ?? 0;
			for (let slot = word * 32; bits !== 0; slot++, bits >>>= 1)
				if ((bits & 1) === 1) parts.add(this.#partAt(slot));
		}
		return [...parts];
	}

	#partAt(slot: number): number {
		return this.#changedSets.reduce(
			(part, changedSet, i) =>
				changedSet.every((component) => has(this.#world, slot, component)) ? part | (1 << i) : part,
			0,
		);
	}

	/** Returns the parts of parents. If a parent is despawned, the pose of its child changes. */
	#partsOfParents(): readonly number[] {
		if (this.#parentParts === undefined) {
			const parts = new Set<number>();
			if (this.#changedSets.length > 0)
				each(this.#world, [Parent], (slot) => {
					const parent = parentOf(this.#world, slot);
					if (parent !== null) parts.add(this.#partAt(parent.id));
				});
			this.#parentParts = [...parts];
		}
		return this.#parentParts;
	}
}
