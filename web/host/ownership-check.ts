/**
 * Ownership: a signed-in agent may change its own things, and everything in forks that it made.
 * Owns: the check of a call's effects before they are kept, and the owner of new things, which is the agent. The check is equal
 * for all routes, so most handlers need none. Things without an owner belong to the operators.
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
import { affectedEntities } from './affected-entities.ts';

type Resources = ReadonlyMap<string, HeldResource>;

/** State of a world before the call. */
interface WorldState {
	readonly resources: Resources;
	/** Data for the check of an agent's rights; undefined for the operators. */
	readonly forAgent: StateForAgent | undefined;
}

interface StateForAgent {
	readonly world: World;
	readonly seed: number;
	readonly rows: WorldRows;
	readonly resources: Resources;
	/** Owner of each entity that has one, by slot. */
	readonly owners: ReadonlyMap<number, number>;
	readonly snapshots: WorldEntry['snapshots'];
	/** Sequence number of the newest event; -1 without one. */
	readonly newestEvent: number;
	readonly inputs: ReadonlySet<QueuedInput>;
	/** Points of the agent's terrains. */
	readonly terrainPoints: number;
}

export class OwnershipCheck implements Witness {
	/** Owner of the things that the call creates; undefined for the operators. */
	readonly agent: Agent | undefined;
	/** True if new entities get the agent as their owner. */
	readonly #setsOwners: boolean;
	readonly #states = new Map<WorldEntry, WorldState>();

	constructor(agent: Agent | undefined, setsOwners: boolean) {
		this.agent = agent;
		this.#setsOwners = setsOwners;
	}

	/** Called before a call gets a world that it may write to. */
	beforeWrite(entry: WorldEntry): void {
		const { world, snapshots } = entry;
		const resources = new Map(world.resources);
		const others = this.agent && {
			world,
			seed: world.seed,
			rows: rowsOf(world),
			resources,
			owners: entityOwners(world),
			snapshots,
			newestEvent: eventsSinceLastTick(world).at(-1)?.sequence ?? -1,
			inputs: new Set(inputsOf(world).queue),
			terrainPoints: groundPoints(world, null, this.agent.number),
		};
		this.#states.set(entry, { resources, forAgent: others });
	}

	/** Called after a document was applied to a world. Its entities get their owner before the answer has their digest. */
	afterDocument(entry: WorldEntry): void {
		this.#setOwners(entry);
	}

	/** Sets the owners of new things, and checks all changes before they are kept. Throws `not_owner` and `agent_limit`. */
	checkAll(worlds: Worlds): void {
		const current = new Set(worlds.all());
		for (const [entry, { resources, forAgent }] of this.#states) {
			if (!current.has(entry)) continue;
			if (this.#setsOwners) this.#setOwners(entry);
			if (this.agent !== undefined && forAgent !== undefined) requireOwn(this.agent, entry, forAgent);
			this.#updateDefinitionOwners(entry, resources);
		}
	}

	#setOwners(entry: WorldEntry): void {
		const { agent } = this;
		const others = this.#states.get(entry)?.forAgent;
		if (agent === undefined || others === undefined) return;
		const { world } = entry;
		const newSlots = newSlotsSince(others.rows, world);
		if (newSlots.length > 0) setShare(world, agent.number, agent.limits.entities);
		for (const slot of newSlots)
			if (get(world, slot, Owner) === undefined) add(world, slot, Owner, { agent: agent.number });
	}

	/** Sets the owners of definitions. Existing ones keep their owner, and new ones get the caller. */
	#updateDefinitionOwners(entry: WorldEntry, resources: Resources): void {
		const { world } = entry;
		if (world.resources.size === resources.size && [...world.resources].every(isUnchangedIn(resources)))
			return;
		const [ownersBefore, ownersNow] = [ownersIn(resources), ownersOf(world)];
		const ownsAll = this.agent === undefined || entry.maker === this.agent.number;
		const next: Record<string, number> = {};
		const keysBefore = new Set(definitionsIn(world.declared, resources));
		for (const key of definitionsIn(world.declared, world.resources)) {
			const owner = keysBefore.has(key)
				? ownersBefore[key]
				: ((ownsAll ? ownersNow[key] : undefined) ?? this.agent?.number);
			if (owner !== undefined) next[key] = owner;
		}
		if (this.agent !== undefined && !ownsAll) requireShare(this.agent, world, ownersBefore, next);
		if (JSON.stringify(next) !== JSON.stringify(ownersNow)) setOwners(world, next);
	}
}

/** Throws `agent_limit` if an agent gets more than its share of a registry. Definitions that it owned before are permitted. */
function requireShare({ number, id }: Agent, world: World, ownersBefore: OwnerList, next: OwnerList): void {
	for (const { name, entriesOf, limits = [] } of world.declared) {
		const entries = limits.length === 0 ? {} : entriesOf!(world.resources.get(name)?.value);
		const keys = Object.keys(entries).filter((thing) => next[ownerKey(name, thing)] === number);
		if (keys.every((thing) => ownersBefore[ownerKey(name, thing)] === number)) continue;
		for (const { noun, max, countIn = () => 1 } of limits) {
			const amount = keys.reduce((sum, thing) => sum + countIn(entries[thing]), 0);
			const share = Math.ceil(max / SHARE_DIVISOR);
			if (amount > share)
				throw new ApiError('agent_limit', `"${id}" would own ${amount} ${noun}; the limit is ${share}.`, {
					fix: 'Remove some of them, or ask an operator to add them.',
				});
		}
	}
}

/** Throws `not_owner` for a change of another owner's things, except in the agent's own fork, and `agent_limit`. */
function requireOwn(agent: Agent, entry: WorldEntry, before: StateForAgent): void {
	const { world } = entry;
	const owners = entityOwners(world);
	if (entry.maker !== agent.number) {
		requireOwnEntities(agent, world, before, owners);
		requireOwnResources(agent, world.resources, before.resources);
		requireOwnSnapshots(agent, entry, before);
		if (world.seed !== before.seed) throw notOwner('The seed of the world', undefined);
		// A replaced world has other sequence numbers.
		const after = world === before.world ? before.newestEvent : -1;
		for (const entity of affectedEntities(eventsSinceLastTick(world), after))
			requireOwnEntity(agent, world, entity);
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
	before: StateForAgent,
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
	before: StateForAgent,
	owners: ReadonlyMap<number, number>,
): void {
	const countOwned = (all: ReadonlyMap<number, number>) =>
		[...all.values()].filter((owner) => owner === number).length;
	const unowned = newSlotsSince(before.rows, world).filter((slot) => !owners.has(slot)).length;
	const total = countOwned(owners) + unowned;
	if (total > Math.max(limits.entities, countOwned(before.owners)))
		throw new ApiError(
			'agent_limit',
			`With this call, "${id}" would own ${total} entities in one world; the limit is ${limits.entities}.`,
		);
}

/** Throws `agent_limit` if an agent gets more than its share of terrain points. It may keep as many as it had before. */
function requireFewPoints({ number, id }: Agent, world: World, { terrainPoints }: StateForAgent): void {
	const points = groundPoints(world, null, number);
	if (points > Math.max(MAX_POINTS_OF_AGENT, terrainPoints))
		throw new ApiError(
			'agent_limit',
			`"${id}" would own ${points} points of terrain; the limit is ${MAX_POINTS_OF_AGENT}.`,
			{
				fix: 'Send fewer points with a larger cell_size, or despawn a terrain of your own.',
			},
		);
}

/** Resources without a check: the entities of inputs are checked separately, and no call sends owners and shares. */
const UNCHECKED: ReadonlySet<string> = new Set([Inputs.name, Owners.name, Shares.name]);

function requireOwnResources({ number }: Agent, after: Resources, before: Resources): void {
	const owners = ownersIn(before);
	for (const name of new Set([...before.keys(), ...after.keys()])) {
		const [oldResource, newResource] = [before.get(name), after.get(name)];
		if (oldResource?.value === newResource?.value || UNCHECKED.has(name)) continue;
		const { entriesOf } = (oldResource ?? newResource)!.resource;
		if (entriesOf === undefined) {
			if (!isSame(oldResource?.value, newResource?.value))
				throw notOwner(`The setting "${name}" of the world`, undefined);
			continue;
		}
		const [oldEntries, newEntries] = [entriesOf(oldResource?.value), entriesOf(newResource?.value)];
		for (const [thing, value] of Object.entries(oldEntries)) {
			const owner = owners[ownerKey(name, thing)];
			if (owner !== number && !isSame(value, newEntries[thing]))
				throw notOwner(`"${thing}" of the ${name}`, owner);
		}
	}
}

function requireOwnSnapshots({ number }: Agent, entry: WorldEntry, before: StateForAgent): void {
	if (entry.snapshots === before.snapshots) return;
	const requireOwnSnapshot = ({ view, owner }: WorldEntry['snapshots'][number]) => {
		if (owner !== number) throw notOwner(`The snapshot "${view.label}"`, owner);
	};
	const currentSnapshots = new Set(entry.snapshots);
	for (const snapshot of before.snapshots) if (!currentSnapshots.has(snapshot)) requireOwnSnapshot(snapshot);
	const oldSnapshots = new Set(before.snapshots);
	const newLabels = new Set(
		entry.snapshots.filter((snapshot) => !oldSnapshots.has(snapshot)).map(({ view }) => view.label),
	);
	// A label names its newest snapshot, so a new one hides the old one.
	for (const snapshot of before.snapshots)
		if (newLabels.has(snapshot.view.label)) requireOwnSnapshot(snapshot);
}

function entityOwners(world: World): Map<number, number> {
	const owners = new Map<number, number>();
	if (count(world, Owner) === 0) return owners;
	const agents = read(world, Owner, 'agent');
	each(world, [Owner], (slot) => owners.set(slot, agents[slot]!));
	return owners;
}

/** Returns the slots of new entities. */
function newSlotsSince(before: WorldRows, world: World): number[] {
	const { entities } = world;
	if (
		before.entities.alive.data === entities.alive.data &&
		before.entities.generations.data === entities.generations.data
	)
		return [];
	const slots: number[] = [];
	eachEntity(world, (slot) => {
		if (!livesInBoth(before, world, slot)) slots.push(slot);
	});
	return slots;
}

const ownersIn = (resources: Resources): OwnerList =>
	(resources.get(Owners.name)?.value as OwnerList | undefined) ?? {};

/** Returns the keys of all definitions in registries. */
const definitionsIn = (declared: readonly Resource[], resources: Resources): string[] =>
	declared.flatMap(({ name, entriesOf: things }) =>
		Object.keys(things?.(resources.get(name)?.value) ?? {}).map((thing) => ownerKey(name, thing)),
	);

const isUnchangedIn =
	(before: Resources) =>
	([name, { value }]: [string, HeldResource]): boolean =>
		before.get(name)?.value === value;

const isSame = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);
