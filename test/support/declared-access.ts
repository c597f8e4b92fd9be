/**
 * Comparison of touched names with declared ones.
 * Owns: when a declaration covers something, and which declared names have covered anything at all.
 */

import { components } from '../../shared/components/index.ts';
import { EVENT_KINDS } from '../../shared/documents/event.ts';
import { ANYTHING, type VerbAccess } from '../../shared/verbs/access.ts';
import type { World } from '../../web/sim/core/world.ts';
import type { AccessedBy, AccessKind, Listener } from './recorder.ts';

const names = new Set(components.map(({ name }) => name));
const componentOf = (name: string) => name.split('.', 1)[0]!;

/** Returns true if an entity has a component, without a note that it was asked. */
export type Has = (world: World, slot: number, component: (typeof components)[number]) => boolean;

const byName = new Map(components.map((component) => [component.name, component]));

/** Made with their entity and never given to another: if an entity is one follows from which entities there are. */
const KINDS_OF_ENTITY = new Set(['rule', 'assertion']);

export class DeclaredAccess implements Listener {
	readonly #access: VerbAccess;
	readonly #actor: string;
	readonly #hasComponent: Has;
	readonly #findings: Findings;
	readonly #born = new Set<number>();
	/** Touches that are covered. Without queries nothing in the world can change that. */
	readonly #covered: Set<string> | null;

	constructor(who: string, access: VerbAccess, has: Has, findings: Findings) {
		this.#actor = who;
		this.#access = access;
		this.#hasComponent = has;
		this.#findings = findings;
		this.#covered = (access.queries ?? []).length === 0 ? new Set() : null;
		findings.told(who, access);
	}

	note(deed: AccessKind, name: string, world: World, whom: AccessedBy | null): void {
		const touch = `${deed} ${name}`;
		if (this.#covered?.has(touch)) return;
		const born = typeof whom === 'number' && this.#born.has(whom);
		if (born && (deed === 'read' || this.#mayBring(name))) return;
		if (this.#covers(deed, name, world, whom)) {
			this.#covered?.add(touch);
			return;
		}
		this.#findings.undeclared(this.#actor, `${deed} ${name}`, whom);
	}

	born(_: World, slot: number): void {
		this.#born.add(slot);
	}

	#mayBring(name: string): boolean {
		const { spawns } = this.#access;
		if (spawns === undefined || name === 'entities') return true;
		return this.#hit(spawns.filter((declared) => declared === componentOf(name)));
	}

	#covers(deed: AccessKind, name: string, world: World, whom: AccessedBy | null): boolean {
		const { emits = [], drains = [], reads = [], writes = [], queries = [] } = this.#access;
		if (deed === 'emit') return this.#hit(emits.filter((kind) => kind === name));
		if (deed === 'drain')
			return this.#hit(
				drains.filter((kind) => name === ANYTHING || kind === name),
				name,
			);
		if (reads.includes(ANYTHING)) return this.#hit([ANYTHING]);
		if (deed === 'read' && KINDS_OF_ENTITY.has(name)) return true;
		const met = queries.filter((query) => this.#meets(query.with, world, whom));
		const read = [...reads, ...met.flatMap((query) => query.reads ?? [])];
		const written = [...writes, ...met.flatMap((query) => query.writes ?? [])];
		const own = (declared: readonly string[]) =>
			declared.filter(
				(candidate) => candidate === name || (candidate === componentOf(name) && names.has(candidate)),
			);
		if (deed === 'write') return this.#hit(own(written));
		if (this.#hit(own(read))) return true;
		if (!names.has(name)) return false;
		// Which entities have a component: any reader or writer of it finds them so.
		const asked = queries.flatMap((query) => query.with);
		return (
			asked.includes(name) ||
			this.#hit([...read, ...written].filter((candidate) => componentOf(candidate) === name))
		);
	}

	/** Returns true if a query is about an entity, or about all of some; a name about none belongs to any query. */
	#meets(having: readonly string[], world: World, whom: AccessedBy | null): boolean {
		if (typeof whom === 'number')
			return having.every((name) => this.#hasComponent(world, whom, byName.get(name)!));
		if (whom === null) return true;
		return having.every((name) => whom.some((component) => component.name === name));
	}

	#hit(declared: readonly string[], whole = ''): boolean {
		for (const name of declared) this.#findings.used(this.#actor, name);
		return whole === ANYTHING ? declared.length === EVENT_KINDS.length : declared.length > 0;
	}
}

/** Results of watching. */
export class Findings {
	readonly #undeclared = new Map<string, Set<string>>();
	readonly #declared = new Map<string, Set<string>>();
	readonly #used = new Map<string, Set<string>>();
	readonly #reported = new Map<string, WeakSet<VerbAccess>>();

	told(who: string, access: VerbAccess): void {
		const told = this.#reported.get(who) ?? new WeakSet();
		if (told.has(access)) return;
		this.#reported.set(who, told.add(access));
		const { reads = [], writes = [], queries = [], emits = [], drains = [], spawns = [] } = access;
		const declared = this.#declared.get(who) ?? new Set();
		this.#declared.set(who, declared);
		for (const names of [reads, writes, emits, drains, spawns]) for (const name of names) declared.add(name);
		for (const { reads: read = [], writes: written = [] } of queries)
			for (const name of [...read, ...written]) declared.add(name);
	}

	used(who: string, name: string): void {
		addTo(this.#used, who, name);
	}

	undeclared(who: string, what: string, whom: AccessedBy | null): void {
		const of =
			whom === null
				? ''
				: typeof whom === 'number'
					? ' of somebody'
					: ` of all with ${whom.map(({ name }) => name).join('+')}`;
		addTo(this.#undeclared, who, `${what}${of}`);
	}

	/** Names that were touched and are not declared, by the system or verb that did. */
	get missing(): Record<string, string[]> {
		return sorted(this.#undeclared);
	}

	/** Names that are declared and were never touched, by their declarer. */
	get idle(): Record<string, string[]> {
		const idle = new Map<string, Set<string>>();
		for (const [who, declared] of this.#declared)
			for (const name of declared) if (!this.#used.get(who)?.has(name)) addTo(idle, who, name);
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
