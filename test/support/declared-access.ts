/**
 * Comparison of accessed names with the declared access of systems and verbs.
 * Owns: deciding whether a declaration covers an access, and recording which declared names were used.
 */

import { components } from '../../shared/components/index.ts';
import { EVENT_KINDS } from '../../shared/documents/event.ts';
import { ANYTHING, type VerbAccess } from '../../shared/verbs/access.ts';
import type { World } from '../../web/sim/core/world.ts';
import type { AccessedBy, AccessKind, Listener } from './recorder.ts';

const names = new Set(components.map(({ name }) => name));
const componentOf = (name: string) => name.split('.', 1)[0]!;

/** Returns true if an entity has a component. Does not record the access. */
export type Has = (world: World, slot: number, component: (typeof components)[number]) => boolean;

const byName = new Map(components.map((component) => [component.name, component]));

/** Components that are created with their entity and never added later. Reading them reveals no other state. */
const KINDS_OF_ENTITY = new Set(['rule', 'assertion']);

export class DeclaredAccess implements Listener {
	readonly #access: VerbAccess;
	readonly #actor: string;
	readonly #hasComponent: Has;
	readonly #findings: Findings;
	readonly #newSlots = new Set<number>();
	/** Cache of covered accesses; null if the declaration has queries, whose cover depends on the world. */
	readonly #covered: Set<string> | null;

	constructor(actor: string, access: VerbAccess, has: Has, findings: Findings) {
		this.#actor = actor;
		this.#access = access;
		this.#hasComponent = has;
		this.#findings = findings;
		this.#covered = (access.queries ?? []).length === 0 ? new Set() : null;
		findings.declare(actor, access);
	}

	note(kind: AccessKind, name: string, world: World, entities: AccessedBy | null): void {
		const access = `${kind} ${name}`;
		if (this.#covered?.has(access)) return;
		const isNew = typeof entities === 'number' && this.#newSlots.has(entities);
		if (isNew && (kind === 'read' || this.#maySpawnWith(name))) return;
		if (this.#covers(kind, name, world, entities)) {
			this.#covered?.add(access);
			return;
		}
		this.#findings.recordUndeclared(this.#actor, access, entities);
	}

	onSpawn(_: World, slot: number): void {
		this.#newSlots.add(slot);
	}

	/** Returns true if the declaration allows new entities to have this component. */
	#maySpawnWith(name: string): boolean {
		const { spawns } = this.#access;
		if (spawns === undefined || name === 'entities') return true;
		return this.#hit(spawns.filter((declared) => declared === componentOf(name)));
	}

	#covers(kind: AccessKind, name: string, world: World, entities: AccessedBy | null): boolean {
		const { emits = [], drains = [], reads = [], writes = [], queries = [] } = this.#access;
		if (kind === 'emit') return this.#hit(emits.filter((event) => event === name));
		if (kind === 'drain')
			return this.#hit(
				drains.filter((event) => name === ANYTHING || event === name),
				name,
			);
		if (reads.includes(ANYTHING)) return this.#hit([ANYTHING]);
		if (kind === 'read' && KINDS_OF_ENTITY.has(name)) return true;
		const matching = queries.filter((query) => this.#matches(query.with, world, entities));
		const readNames = [...reads, ...matching.flatMap((query) => query.reads ?? [])];
		const writtenNames = [...writes, ...matching.flatMap((query) => query.writes ?? [])];
		const matchingNames = (declared: readonly string[]) =>
			declared.filter(
				(candidate) => candidate === name || (candidate === componentOf(name) && names.has(candidate)),
			);
		if (kind === 'write') return this.#hit(matchingNames(writtenNames));
		if (this.#hit(matchingNames(readNames))) return true;
		if (!names.has(name)) return false;
		// Any declared reader or writer of a component, and any query for it, may test which entities have it.
		const queried = queries.flatMap((query) => query.with);
		return (
			queried.includes(name) ||
			this.#hit([...readNames, ...writtenNames].filter((candidate) => componentOf(candidate) === name))
		);
	}

	/** Returns true if the accessed entities have all components of a query. An access without entities matches any query. */
	#matches(required: readonly string[], world: World, entities: AccessedBy | null): boolean {
		if (typeof entities === 'number')
			return required.every((name) => this.#hasComponent(world, entities, byName.get(name)!));
		if (entities === null) return true;
		return required.every((name) => entities.some((component) => component.name === name));
	}

	/** Records the declared names as used. Returns true if there are any; for `ANYTHING`, if all events are declared. */
	#hit(declared: readonly string[], accessed = ''): boolean {
		for (const name of declared) this.#findings.recordUse(this.#actor, name);
		return accessed === ANYTHING ? declared.length === EVENT_KINDS.length : declared.length > 0;
	}
}

/** Undeclared and unused accesses of all watched systems and verbs. */
export class Findings {
	readonly #undeclared = new Map<string, Set<string>>();
	readonly #declared = new Map<string, Set<string>>();
	readonly #used = new Map<string, Set<string>>();
	readonly #added = new Map<string, WeakSet<VerbAccess>>();

	/** Adds a declaration of an actor. Repeated declarations have no effect. */
	declare(actor: string, access: VerbAccess): void {
		const added = this.#added.get(actor) ?? new WeakSet();
		if (added.has(access)) return;
		this.#added.set(actor, added.add(access));
		const { reads = [], writes = [], queries = [], emits = [], drains = [], spawns = [] } = access;
		const declared = this.#declared.get(actor) ?? new Set();
		this.#declared.set(actor, declared);
		for (const names of [reads, writes, emits, drains, spawns]) for (const name of names) declared.add(name);
		for (const { reads: read = [], writes: written = [] } of queries)
			for (const name of [...read, ...written]) declared.add(name);
	}

	recordUse(actor: string, name: string): void {
		addTo(this.#used, actor, name);
	}

	recordUndeclared(actor: string, access: string, entities: AccessedBy | null): void {
		const suffix =
			entities === null
				? ''
				: typeof entities === 'number'
					? ' of one entity'
					: ` of all with ${entities.map(({ name }) => name).join('+')}`;
		addTo(this.#undeclared, actor, `${access}${suffix}`);
	}

	/** Accessed names that are not declared, by system or verb. */
	get missing(): Record<string, string[]> {
		return sorted(this.#undeclared);
	}

	/** Declared names that were never accessed, by system or verb. */
	get idle(): Record<string, string[]> {
		const idle = new Map<string, Set<string>>();
		for (const [actor, declared] of this.#declared)
			for (const name of declared) if (!this.#used.get(actor)?.has(name)) addTo(idle, actor, name);
		return sorted(idle);
	}

	/** All systems and verbs that were watched. */
	get watched(): string[] {
		return [...this.#declared.keys()].sort();
	}
}

function addTo(map: Map<string, Set<string>>, key: string, value: string): void {
	const set = map.get(key) ?? new Set();
	map.set(key, set.add(value));
}

const sorted = (map: Map<string, Set<string>>) =>
	Object.fromEntries(
		[...map].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, set]) => [key, [...set].sort()]),
	);
