/**
 * What an agent that has signed in may change: what is its own, and what is nobody's.
 * Owns: looking at what a call did, whichever route it took, before it is kept. So no handler has to ask, and none can
 * forget to. Never: looks at ticks, in which everybody's entities act on each other.
 */

import { Owner } from '../../shared/components/owner.ts';
import type { EntityHandle } from '../../shared/contract/component.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import type { Agent } from '../../shared/contract/principal.ts';
import type { QueuedInput } from '../../shared/documents/input.ts';
import { eachEntity, entityAt, slotOf } from '../sim/core/entities.ts';
import { eventsSinceLastTick } from '../sim/core/events.ts';
import { livesInBoth, type Rows, rowsOf, sameRow } from '../sim/core/rows.ts';
import { add, count, each, get, read, type World } from '../sim/core/world.ts';
import { inputsOf, playerOf } from '../sim/input/inputs.ts';
import { actedOn } from './acted-on.ts';
import type { ForkMakers } from './fork-makers.ts';
import type { WorldEntry, Worlds } from './worlds.ts';

interface Before {
	readonly world: World;
	readonly rows: Rows;
	readonly owners: ReadonlyMap<number, number>;
	/** Sequence of the event after the last. */
	readonly events: number;
	readonly inputs: ReadonlySet<QueuedInput>;
}

export class OwnedCheck {
	readonly #agent: Agent;
	/** Whether entities that the call makes become the agent's. */
	readonly #marks: boolean;
	readonly #makers: ForkMakers;
	readonly #forks: ReadonlySet<string>;
	readonly #before = new Map<WorldEntry, Before>();

	constructor(agent: Agent, marks: boolean, makers: ForkMakers, worlds: Worlds) {
		this.#agent = agent;
		this.#marks = marks;
		this.#makers = makers;
		this.#forks = new Set(worlds.forkIds());
	}

	/** A world is about to be handed to somebody who may write to it. */
	seen(entry: WorldEntry): void {
		const { world } = entry;
		this.#before.set(entry, {
			world,
			rows: rowsOf(world),
			owners: ownersOf(world),
			events: eventsSinceLastTick(world).at(-1)?.sequence ?? -1,
			inputs: new Set(inputsOf(world).queue),
		});
	}

	/** Before what was done is kept. Throws `not_owner` and `agent_limit`. */
	require(worlds: Worlds): void {
		const now = new Set(worlds.forkIds());
		for (const id of this.#forks) if (!now.has(id)) this.#requireMaker(id);
		for (const [entry, before] of this.#before)
			if (entry.id === 'main' || now.has(entry.id)) this.#requireOwn(entry.world, before);
		for (const id of now) if (!this.#forks.has(id)) this.#makers.made(id, this.#agent, [...now]);
	}

	#requireMaker(id: string): void {
		const maker = this.#makers.of(id);
		if (maker === undefined || maker === this.#agent.number) return;
		throw new ApiError('not_owner', `The fork "${id}" belongs to agent ${maker}.`, {
			fix: 'Delete or promote only your own forks, or ask that agent.',
		});
	}

	#requireOwn(world: World, before: Before): void {
		const { number } = this.#agent;
		const rows: Rows = world;
		for (const [slot, owner] of before.owners)
			if (owner !== number && !sameRow(before.rows, rows, slot)) throw notOwner(slot, owner);
		const others = ownersOf(world);
		for (const [slot, owner] of others)
			if (owner !== number && before.owners.get(slot) !== owner) throw notOwner(slot, owner);
		this.#requireNoOthers(world, actedOn(eventsSinceLastTick(world), before.events));
		const inputs = inputsOf(world).queue.filter((input) => !before.inputs.has(input));
		this.#requireNoOthers(
			world,
			inputs.flatMap(({ entity }) => entity ?? []),
		);
		const made = madeSince(before.rows, world);
		const mine = [...others.values()].filter((owner) => owner === number).length;
		const had = [...before.owners.values()].filter((owner) => owner === number).length;
		const free = made.filter((slot) => !others.has(slot));
		const most = this.#agent.limits.entities;
		if (mine + free.length > Math.max(most, had))
			throw new ApiError(
				'agent_limit',
				`With this call, "${this.#agent.id}" would own ${mine + free.length} entities in one world; the limit is ${most}.`,
			);
		if (this.#marks) for (const slot of free) add(world, slot, Owner, { agent: number });
	}

	#requireNoOthers(world: World, entities: readonly EntityHandle[]): void {
		for (const entity of entities) requireOwnEntity(this.#agent, world, entity);
	}
}

/** Throws `not_owner` for an entity of another agent. */
export function requireOwnEntity({ number }: Agent, world: World, entity: EntityHandle): void {
	const slot = slotOf(world, entity);
	const owner = slot < 0 ? undefined : get(world, slot, Owner)?.agent;
	if (owner !== undefined && owner !== number) throw notOwner(slot, owner);
}

interface Inputs {
	readonly inputs?:
		| readonly { readonly entity_id?: number | null; readonly entity_generation?: number | null }[]
		| null;
}

/** For a call whose inputs take effect within it. Throws `not_owner` where one is for an entity of another agent. */
export function requireOwnInputs(agent: Agent, world: World, body: unknown): void {
	for (const { entity_id, entity_generation } of (body as Inputs | undefined)?.inputs ?? []) {
		const entity = playerOf(world, entity_id == null ? null : entityAt(world, entity_id, entity_generation));
		if (entity !== null) requireOwnEntity(agent, world, entity);
	}
}

function ownersOf(world: World): Map<number, number> {
	const owners = new Map<number, number>();
	if (count(world, Owner) === 0) return owners;
	const agents = read(world, Owner, 'agent');
	each(world, [Owner], (slot) => owners.set(slot, agents[slot]!));
	return owners;
}

/** Slots of entities that were not there before. */
function madeSince(before: Rows, world: World): number[] {
	const { entities } = world;
	if (
		before.entities.alive.data === entities.alive.data &&
		before.entities.generations.data === entities.generations.data
	)
		return [];
	const made: number[] = [];
	eachEntity(world, (slot) => {
		if (!livesInBoth(before, world, slot)) made.push(slot);
	});
	return made;
}

function notOwner(slot: number, owner: number): ApiError {
	return new ApiError('not_owner', `Entity ${slot} belongs to agent ${owner}.`, {
		fix: 'Change only your own entities and those without an owner, or ask the owner. The operator may change all.',
	});
}
