/** Takes the inputs of the tick: sends their events, carries out the engine's own actions, and lets players walk by what they hold. */

import { Dead } from '../../../shared/components/dead.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Player } from '../../../shared/components/player.ts';
import { Velocity } from '../../../shared/components/velocity.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import type { HeldInput, PlayerAction, QueuedInput } from '../../../shared/documents/input.ts';
import { Input } from '../../../shared/events/input.ts';
import { face, flat, paceOf, steer } from '../ai/walk.ts';
import { slotOf } from '../core/entities.ts';
import { emit } from '../core/events.ts';
import type { System } from '../core/system.ts';
import { has, type World } from '../core/world.ts';
import { maxSlideCost, slideAlongObstacle } from '../navigation/slide.ts';
import { ensureMovable } from '../spawn/spawn-entity.ts';
import { Inputs, inputsOf, setInputs } from './inputs.ts';
import { behaviours, forgetGoal, order, orderOf, playerSpeed, withinBounds } from './player-actions.ts';

/** Direction of each action: along x and z. */
const WAYS: Readonly<Partial<Record<string, readonly [x: number, z: number]>>> = {
	move_forward: [0, -1],
	move_back: [0, 1],
	move_left: [-1, 0],
	move_right: [1, 0],
	move_x: [1, 0],
	move_z: [0, 1],
} satisfies Partial<Record<PlayerAction, readonly [number, number]>>;

export const applyInputs: System = {
	name: 'apply-inputs',
	awaits: [Inputs],
	access: {
		// The target of a cast must have a position.
		reads: ['input', 'local_transform', 'navmesh', 'tuning'],
		writes: ['input'],
		queries: [
			{
				with: ['player'],
				reads: [
					'abilities',
					'ai',
					'collider',
					'combat.speed',
					'combat_state',
					'crowd_control',
					'dead',
					'grounded',
					'local_transform.position',
					'mana',
					'modifiers',
					'parent',
					'path',
					'physics_body',
					'player_order',
					'velocity',
				],
				writes: [
					'abilities.queued',
					'ai',
					'combat_state.target',
					'local_transform.rotation',
					'path',
					'physics_body',
					'player_order',
					'velocity',
				],
			},
		],
		emits: ['input', 'cast_failed'],
	},
	maximum(world) {
		const { held, queue } = inputsOf(world);
		const inputs = held.length + queue.length;
		return { sent: held.length + 2 * queue.length, searched: inputs * maxSlideCost(world) };
	},
	run,
};

/** Returns true if it is there and still played: input moves no other entity. */
const isPlayed = (world: World, entity: EntityHandle): boolean =>
	slotOf(world, entity) >= 0 && has(world, entity.id, Player);

const NO_ENTITY = 'nobody';
const keyOf = (entity: EntityHandle | null): string =>
	entity === null ? NO_ENTITY : `${entity.id}.${entity.generation}`;

function run(world: World): void {
	const before = inputsOf(world);
	if (before.held.length === 0 && before.queue.length === 0) return;
	const { tick } = world;
	const isHere = ({ entity }: { readonly entity: EntityHandle | null }) =>
		entity === null || isPlayed(world, entity);
	const waiting = before.queue.findIndex((input) => input.tick > tick);
	const due = waiting < 0 ? before.queue : before.queue.slice(0, waiting);
	const queue = waiting < 0 ? [] : before.queue.slice(waiting);
	const isOver = ({ until }: HeldInput) => until !== null && until <= tick;
	const active = before.held.filter(isHere);
	const now: HeldInputs = new Map(
		active.filter((candidate) => !isOver(candidate)).map((candidate) => [heldKey(candidate), candidate]),
	);
	for (const item of active) if (isOver(item)) release(world, item);
	for (const input of due) if (isHere(input)) take(world, now, input);
	const heldInputs = [...now.values()];
	if (due.length > 0 || heldInputs.length < before.held.length) setInputs(world, { held: heldInputs, queue });
	walk(world, before.held, heldInputs);
}

/** Held keys, with their source and entity, in the order in which they were pressed. */
type HeldInputs = Map<string, HeldInput>;

const heldKey = ({ action, entity }: Pick<HeldInput, 'action' | 'entity'>): string =>
	`${action} ${keyOf(entity)}`;

const walks = ({ action, entity }: HeldInput): boolean => entity !== null && WAYS[action] !== undefined;

function send(
	world: World,
	{ entity, action, key, target = null, point = null }: Partial<QueuedInput> & HeldInput,
	phase: QueuedInput['phase'],
	value: number,
): void {
	emit(world, Input, { entity, action, key, phase, value, target, point });
}

const behaviourOf = (action: string) =>
	Object.hasOwn(behaviours, action) ? behaviours[action as PlayerAction] : undefined;

function release(world: World, one: HeldInput): void {
	send(world, one, 'released', 0);
	if (one.entity !== null) behaviourOf(one.action)?.released?.(world, one.entity);
}

/** Carries out an input. */
function take(world: World, heldInputs: HeldInputs, input: QueuedInput): void {
	const { entity, key, action, phase, value, ticks } = input;
	const name = heldKey(input);
	const before = heldInputs.get(name);
	// What is pressed again is the newest.
	heldInputs.delete(name);
	if (phase === 'released') {
		if (before !== undefined) release(world, before);
		return;
	}
	const until = ticks === null ? null : world.tick + ticks;
	const now: HeldInput = { entity, key, action, value, until };
	if (phase === 'moved') {
		if ((before?.value ?? 0) !== value) send(world, { ...input, until }, phase, value);
		if (value !== 0) heldInputs.set(name, now);
		return;
	}
	if (before === undefined) {
		send(world, { ...input, until }, phase, value);
		if (entity !== null && !has(world, entity.id, Dead)) behaviourOf(action)?.pressed?.(world, entity, input);
	}
	heldInputs.set(name, now);
}

/** An entity with a held direction goes there; after its release, it stands. */
function walk(world: World, before: readonly HeldInput[], heldNow: readonly HeldInput[]): void {
	const ways = new Map<string, { readonly player: EntityHandle; x: number; z: number }>();
	for (const { entity } of [...before, ...heldNow].filter(walks))
		if (isPlayed(world, entity!)) ways.set(keyOf(entity), { player: entity!, x: 0, z: 0 });
	for (const { entity, action, value } of heldNow.filter(walks)) {
		const way = ways.get(keyOf(entity))!;
		const [x, z] = WAYS[action]!;
		way.x += x * value;
		way.z += z * value;
	}
	for (const { player, x, z } of ways.values()) go(world, player, x, z);
}

function go(world: World, player: EntityHandle, x: number, z: number): void {
	const slot = player.id;
	if (!has(world, slot, LocalTransform)) return;
	const size = flat([x, 0, z]);
	if (size === 0 || has(world, slot, Dead)) {
		if (has(world, slot, Velocity)) steer(world, slot, 0, 0);
		return;
	}
	forgetGoal(world, player);
	if (orderOf(world, slot) === 'attack_move') order(world, player, 'none');
	ensureMovable(world, slot);
	const pace = paceOf(world, slot, playerSpeed(world, slot)) / Math.max(1, size);
	const velocity = withinBounds(world, slot, [x * pace, z * pace]);
	steer(world, slot, ...slideAlongObstacle(world, slot, velocity));
	face(world, slot, [x, 0, z]);
}
