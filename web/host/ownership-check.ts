/**
 * Ownership: an agent that has signed in may change its own things, and everything in forks that it made.
 * Owns: the check of a call's effects before they are kept. It is the same for all routes, so handlers need no checks. New things belong
 * to the agent. Things without an owner belong to the operators.
 * Never: checks ticks, in which all entities act on each other.
 */

import { AssertionVerdict } from '../../shared/components/assertion-verdict.ts';
import { Owner } from '../../shared/components/owner.ts';
import type { EntityHandle } from '../../shared/contract/component.ts';
import { ApiError, notOwner } from '../../shared/contract/errors.ts';
import type { Agent } from '../../shared/contract/principal.ts';
import type { QueuedInput } from '../../shared/documents/input.ts';
import { eachEntity, entityAt, slotOf } from '../sim/core/entities.ts';
import { eventsSinceLastTick } from '../sim/core/events.ts';
import type { HeldResource, Resource } from '../sim/core/resource.ts';
import { changedSlots, livesInBoth, rowsOf, type WorldRows } from '../sim/core/rows.ts';
import { add, count, each, get, read, type World } from '../sim/core/world.ts';
import { Inputs, inputsOf, playerOf } from '../sim/input/inputs.ts';
import { type OwnerList, Owners, ownerKey, ownersOf, setOwners } from '../sim/owners/owners.ts';
import { SHARE_DIVISOR, Shares, setShare } from '../sim/owners/shares.ts';
import { groundPoints, MAX_POINTS_OF_AGENT } from '../sim/terrain/terrain.ts';
import type { Witness } from '../store/witness.ts';
import { MAIN, type WorldEntry, type Worlds } from '../store/worlds.ts';
import { actedOn } from './affected-entities.ts';

type Resources = ReadonlyMap<string, HeldResource>;

/** State of a world before the call. */
interface OwnersBefore {
	readonly resources: Resources;
	/** State for the check of an agent's rights; undefined for the operators. */
	readonly others: OtherOwners | undefined;
}

interface OtherOwners {
	readonly world: World;
	readonly seed: number;
	readonly rows: WorldRows;
	readonly resources: Resources;
	/** Owner of each entity that has one, by slot. */
	readonly owners: ReadonlyMap<number, number>;
	readonly snapshots: WorldEntry['snapshots'];
	/** Sequence number of the newest event; -1 without one. */
	readonly events: number;
	readonly inputs: ReadonlySet<QueuedInput>;
	/** Points of the agent's terrains. */
	readonly terrain: number;
}

export class OwnershipCheck implements Witness {
	/** Owner of the things that the call creates; undefined for the operators. */
	readonly agent: Agent | undefined;
	/** True if new entities get the agent as their owner. */
	readonly #marks: boolean;
	readonly #before = new Map<WorldEntry, OwnersBefore>();

	constructor(agent: Agent | undefined, marks: boolean) {
		this.agent = agent;
		this.#marks = marks;
	}

	/** Called before a call gets a world that it may write to. */
	seen(entry: WorldEntry): void {
		const { world, snapshots } = entry;
		const resources = new Map(world.resources);
		const others = this.agent && {
			world,
			seed: world.seed,
			rows: rowsOf(world),
			resources,
			owners: entityOwners(world),
			snapshots,
			events: eventsSinceLastTick(world).at(-1)?.sequence ?? -1,
			inputs: new Set(inputsOf(world).queue),
			terrain: groundPoints(world, null, this.agent.number),
		};
		this.#before.set(entry, { resources, others });
	}

	/** Called after a document was applied to a world. Its entities get their owner before the answer has their digest. */
	entered(entry: WorldEntry): void {
		this.#mark(entry);
	}

	/** Checks all changes before they are kept. Throws `not_owner` and `agent_limit`. */
	require(worlds: Worlds): void {
		const current = new Set(worlds.all());
		for (const [entry, { resources, others }] of this.#before) {
			if (!current.has(entry)) continue;
			if (this.#marks) this.#mark(entry);
			if (this.agent !== undefined && others !== undefined) requireOwn(this.agent, entry, others);
			this.#keepOwners(entry, resources);
		}
	}

	#mark(entry: WorldEntry): void {
		const { agent } = this;
		const others = this.#before.get(entry)?.others;
		if (agent === undefined || others === undefined) return;
		const { world } = entry;
		const madeIds = madeSince(others.rows, world);
		if (madeIds.length > 0) setShare(world, agent.number, agent.limits.entities);
		for (const slot of madeIds)
			if (get(world, slot, Owner) === undefined) add(world, slot, Owner, { agent: agent.number });
	}

	/** Sets the owners of definitions. Existing ones keep their owner, and new ones get the caller. */
	#keepOwners(entry: WorldEntry, resources: Resources): void {
		const { world } = entry;
		if (world.resources.size === resources.size && [...world.resources].every(isIn(resources))) return;
		const [had, has] = [ownersIn(resources), ownersOf(world)];
		const all = this.agent === undefined || entry.maker === this.agent.number;
		const next: Record<string, number> = {};
		const knownNames = new Set(definitionsIn(world.declared, resources));
		for (const key of definitionsIn(world.declared, world.resources)) {
			const owner = knownNames.has(key) ? had[key] : ((all ? has[key] : undefined) ?? this.agent?.number);
			if (owner !== undefined) next[key] = owner;
		}
		if (this.agent !== undefined && !all) requireShare(this.agent, world, had, next);
		if (JSON.stringify(next) !== JSON.stringify(has)) setOwners(world, next);
	}
}

/** Throws `agent_limit` if an agent gets more than its share of a registry. Definitions that it owned before are permitted. */
function requireShare({ number, id }: Agent, world: World, ownersBefore: OwnerList, next: OwnerList): void {
	for (const { name, entriesOf: things, limits: room = [] } of world.declared) {
		const present = room.length === 0 ? {} : things!(world.resources.get(name)?.value);
		const keys = Object.keys(present).filter((thing) => next[ownerKey(name, thing)] === number);
		if (keys.every((thing) => ownersBefore[ownerKey(name, thing)] === number)) continue;
		for (const { what, max: most, of = () => 1 } of room) {
			const has = keys.reduce((sum, thing) => sum + of(present[thing]), 0);
			const share = Math.ceil(most / SHARE_DIVISOR);
			if (has > share)
				throw new ApiError('agent_limit', `"${id}" would own ${has} ${what}; the limit is ${share}.`, {
					fix: 'Remove some of them, or ask an operator to add them.',
				});
		}
	}
}

/** Throws `not_owner` for a change of another owner's things, except in the agent's own fork, and `agent_limit`. */
function requireOwn(agent: Agent, entry: WorldEntry, before: OtherOwners): void {
	const { world } = entry;
	const owners = entityOwners(world);
	if (entry.maker !== agent.number) {
		requireOwnEntities(agent, world, before, owners);
		requireOwnResources(agent, world.resources, before.resources);
		requireOwnSnapshots(agent, entry, before);
		if (world.seed !== before.seed) throw notOwner('The seed of the world', undefined);
		// A replaced world numbers its events anew.
		const after = world === before.world ? before.events : -1;
		for (const entity of actedOn(eventsSinceLastTick(world), after)) requireOwnEntity(agent, world, entity);
	}
	for (const input of inputsOf(world).queue)
		if (!before.inputs.has(input) && input.entity) requireOwnEntity(agent, world, input.entity);
	requireFewEntities(agent, world, before, owners);
	requireFewPoints(agent, world, before);
}

/** Throws `not_owner` for an entity of another agent or of the operators. An entity that is gone has no owner. */
export function requireOwnEntity({ number }: Agent, world: World, entity: EntityHandle): void {
	const slot = slotOf(world, entity);
	if (slot < 0) return;
	const owner = get(world, slot, Owner)?.agent;
	if (owner !== number) throw notOwner(`Entity ${slot}`, owner);
}

interface SentInputs {
	readonly inputs?:
		| readonly { readonly entity_id?: number | null; readonly entity_generation?: number | null }[]
		| null;
}

/** Throws `not_owner` if one of the inputs in a body is for an entity of another owner. Such inputs take effect within the call. */
export function requireOwnInputs(agent: Agent, world: World, body: unknown): void {
	for (const { entity_id, entity_generation } of (body as SentInputs | undefined)?.inputs ?? []) {
		const entity = playerOf(world, entity_id == null ? null : entityAt(world, entity_id, entity_generation));
		if (entity !== null) requireOwnEntity(agent, world, entity);
	}
}

/** Throws `not_owner` unless an agent made a fork, or owns main. */
export function requireMaker({ number }: Agent, { id, maker }: WorldEntry): void {
	if (maker !== number) throw notOwner(id === MAIN ? 'This world' : `The fork "${id}"`, maker);
}

function requireOwnEntities(
	{ number }: Agent,
	world: World,
	before: OtherOwners,
	owners: ReadonlyMap<number, number>,
): void {
	// Verdicts are excluded, because any writer may evaluate assertions.
	for (const slot of changedSlots(before.rows, world, AssertionVerdict)) {
		const owner = before.owners.get(slot);
		if (owner !== number) throw notOwner(`Entity ${slot}`, owner);
	}
	for (const [slot, owner] of owners)
		if (owner !== number && before.owners.get(slot) !== owner) throw notOwner(`Entity ${slot}`, owner);
}

function requireFewEntities(
	{ number, id, limits }: Agent,
	world: World,
	before: OtherOwners,
	owners: ReadonlyMap<number, number>,
): void {
	const owned = (all: ReadonlyMap<number, number>) =>
		[...all.values()].filter((owner) => owner === number).length;
	const free = madeSince(before.rows, world).filter((slot) => !owners.has(slot)).length;
	const has = owned(owners) + free;
	if (has > Math.max(limits.entities, owned(before.owners)))
		throw new ApiError(
			'agent_limit',
			`With this call, "${id}" would own ${has} entities in one world; the limit is ${limits.entities}.`,
		);
}

/** Throws `agent_limit` if an agent gets more than its share of terrain points. It may keep as many as it had before. */
function requireFewPoints({ number, id }: Agent, world: World, { terrain }: OtherOwners): void {
	const has = groundPoints(world, null, number);
	if (has > Math.max(MAX_POINTS_OF_AGENT, terrain))
		throw new ApiError(
			'agent_limit',
			`"${id}" would own ${has} points of terrain; the limit is ${MAX_POINTS_OF_AGENT}.`,
			{
				fix: 'Send fewer points with a larger cell_size, or despawn a terrain of your own.',
			},
		);
}

/** Resources without a check: the entities of inputs are checked separately, and no call sends owners and shares. */
const PASSED: ReadonlySet<string> = new Set([Inputs.name, Owners.name, Shares.name]);

function requireOwnResources({ number }: Agent, after: Resources, before: Resources): void {
	const owners = ownersIn(before);
	for (const name of new Set([...before.keys(), ...after.keys()])) {
		const [was, is] = [before.get(name), after.get(name)];
		if (was?.value === is?.value || PASSED.has(name)) continue;
		const { entriesOf: things } = (was ?? is)!.resource;
		if (things === undefined) {
			if (!isSame(was?.value, is?.value)) throw notOwner(`The setting "${name}" of the world`, undefined);
			continue;
		}
		const [had, has] = [things(was?.value), things(is?.value)];
		for (const [thing, value] of Object.entries(had)) {
			const owner = owners[ownerKey(name, thing)];
			if (owner !== number && !isSame(value, has[thing])) throw notOwner(`"${thing}" of the ${name}`, owner);
		}
	}
}

function requireOwnSnapshots({ number }: Agent, entry: WorldEntry, before: OtherOwners): void {
	if (entry.snapshots === before.snapshots) return;
	const refuse = ({ view, owner }: WorldEntry['snapshots'][number]) => {
		if (owner !== number) throw notOwner(`The snapshot "${view.label}"`, owner);
	};
	const now = new Set(entry.snapshots);
	for (const snapshot of before.snapshots) if (!now.has(snapshot)) refuse(snapshot);
	const oldSnapshots = new Set(before.snapshots);
	const added = new Set(
		entry.snapshots.filter((snapshot) => !oldSnapshots.has(snapshot)).map(({ view }) => view.label),
	);
	// A label means its newest snapshot.
	for (const snapshot of before.snapshots) if (added.has(snapshot.view.label)) refuse(snapshot);
}

function entityOwners(world: World): Map<number, number> {
	const owners = new Map<number, number>();
	if (count(world, Owner) === 0) return owners;
	const agents = read(world, Owner, 'agent');
	each(world, [Owner], (slot) => owners.set(slot, agents[slot]!));
	return owners;
}

/** Returns the slots of new entities. */
function madeSince(before: WorldRows, world: World): number[] {
	const { entities } = world;
	if (
		before.entities.alive.data === entities.alive.data &&
		before.entities.generations.data === entities.generations.data
	)
		return [];
	const newIds: number[] = [];
	eachEntity(world, (slot) => {
		if (!livesInBoth(before, world, slot)) newIds.push(slot);
	});
	return newIds;
}

const ownersIn = (resources: Resources): OwnerList =>
	(resources.get(Owners.name)?.value as OwnerList | undefined) ?? {};

/** Returns the keys of all definitions in registries. */
const definitionsIn = (declared: readonly Resource[], resources: Resources): string[] =>
	declared.flatMap(({ name, entriesOf: things }) =>
		Object.keys(things?.(resources.get(name)?.value) ?? {}).map((thing) => ownerKey(name, thing)),
	);

const isIn =
	(before: Resources) =>
	([name, { value }]: [string, HeldResource]): boolean =>
		before.get(name)?.value === value;

const isSame = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);
