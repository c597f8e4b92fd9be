/** System that applies the inputs of a tick: it sends events, runs the engine's own actions, and walks players. */

import { Dead } from '../../../shared/components/dead.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Player } from '../../../shared/components/player.ts';
import { Velocity } from '../../../shared/components/velocity.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import type { HeldInput, PlayerAction, QueuedInput } from '../../../shared/documents/input.ts';
import { Input } from '../../../shared/events/input.ts';
import { face, flatLength, paceOf, steer } from '../ai/walk.ts';
import { slotOf } from '../core/entities.ts';
import { emit } from '../core/events.ts';
import type { System } from '../core/system.ts';
import { has, type World } from '../core/world.ts';
import { maxSlideCost, slideAlongObstacle } from '../navigation/slide.ts';
import { ensureMovable } from '../spawn/spawn-entity.ts';
import { Inputs, inputsOf, setInputs } from './inputs.ts';
import { behaviours, clampVelocity, clearGoal, orderOf, playerSpeed, setOrder } from './player-actions.ts';

/** Direction of each action: along x and z. */
const DIRECTIONS: Readonly<Partial<Record<string, readonly [x: number, z: number]>>> = {
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

/** Returns true if an entity exists and is still played. Input moves no other entity. */
const isPlayed = (world: World, entity: EntityHandle): boolean =>
	slotOf(world, entity) >= 0 && has(world, entity.id, Player);

const NO_ENTITY = 'none';
const keyOf = (entity: EntityHandle | null): string =>
	entity === null ? NO_ENTITY : `${entity.id}.${entity.generation}`;

function run(world: World): void {
	const state = inputsOf(world);
	if (state.held.length === 0 && state.queue.length === 0) return;
	const { tick } = world;
	const isAddressable = ({ entity }: { readonly entity: EntityHandle | null }) =>
		entity === null || isPlayed(world, entity);
	const firstWaiting = state.queue.findIndex((input) => input.tick > tick);
	const due = firstWaiting < 0 ? state.queue : state.queue.slice(0, firstWaiting);
	const queue = firstWaiting < 0 ? [] : state.queue.slice(firstWaiting);
	const isOver = ({ until }: HeldInput) => until !== null && until <= tick;
	const active = state.held.filter(isAddressable);
	const current: HeldInputs = new Map(
		active.filter((candidate) => !isOver(candidate)).map((candidate) => [heldKey(candidate), candidate]),
	);
	for (const input of active) if (isOver(input)) releaseInput(world, input);
	for (const input of due) if (isAddressable(input)) applyInput(world, current, input);
	const heldInputs = [...current.values()];
	if (due.length > 0 || heldInputs.length < state.held.length) setInputs(world, { held: heldInputs, queue });
	walkPlayers(world, state.held, heldInputs);
}

/** Held inputs by action and entity, in the order in which they were pressed. */
type HeldInputs = Map<string, HeldInput>;

const heldKey = ({ action, entity }: Pick<HeldInput, 'action' | 'entity'>): string =>
	`${action} ${keyOf(entity)}`;

const isWalkInput = ({ action, entity }: HeldInput): boolean =>
	entity !== null && DIRECTIONS[action] !== undefined;

function sendInput(
	world: World,
	{ entity, action, key, target = null, point = null }: Partial<QueuedInput> & HeldInput,
	phase: QueuedInput['phase'],
	value: number,
): void {
	emit(world, Input, { entity, action, key, phase, value, target, point });
}

const behaviourOf = (action: string) =>
	Object.hasOwn(behaviours, action) ? behaviours[action as PlayerAction] : undefined;

function releaseInput(world: World, input: HeldInput): void {
	sendInput(world, input, 'released', 0);
	if (input.entity !== null) behaviourOf(input.action)?.released?.(world, input.entity);
}

/** Applies an input that is due. */
function applyInput(world: World, heldInputs: HeldInputs, input: QueuedInput): void {
	const { entity, key, action, phase, value, ticks } = input;
	const inputKey = heldKey(input);
	const held = heldInputs.get(inputKey);
	// Pressed again, an input becomes the newest.
	heldInputs.delete(inputKey);
	if (phase === 'released') {
		if (held !== undefined) releaseInput(world, held);
		return;
	}
	const until = ticks === null ? null : world.tick + ticks;
	const current: HeldInput = { entity, key, action, value, until };
	if (phase === 'moved') {
		if ((held?.value ?? 0) !== value) sendInput(world, { ...input, until }, phase, value);
		if (value !== 0) heldInputs.set(inputKey, current);
		return;
	}
	if (held === undefined) {
		sendInput(world, { ...input, until }, phase, value);
		if (entity !== null && !has(world, entity.id, Dead)) behaviourOf(action)?.pressed?.(world, entity, input);
	}
	heldInputs.set(inputKey, current);
}

/** Walks each player in its held direction. Stops a player after the release. */
function walkPlayers(world: World, heldBefore: readonly HeldInput[], heldNow: readonly HeldInput[]): void {
	const directions = new Map<string, { readonly player: EntityHandle; x: number; z: number }>();
	for (const { entity } of [...heldBefore, ...heldNow].filter(isWalkInput))
		if (isPlayed(world, entity!)) directions.set(keyOf(entity), { player: entity!, x: 0, z: 0 });
	for (const { entity, action, value } of heldNow.filter(isWalkInput)) {
		const direction = directions.get(keyOf(entity))!;
		const [x, z] = DIRECTIONS[action]!;
		direction.x += x * value;
		direction.z += z * value;
	}
	for (const { player, x, z } of directions.values()) walkPlayer(world, player, x, z);
}

/** Walks a player in a direction; stops it if both parts are 0. */
function walkPlayer(world: World, player: EntityHandle, x: number, z: number): void {
	const slot = player.id;
	if (!has(world, slot, LocalTransform)) return;
	const length = flatLength([x, 0, z]);
	if (length === 0 || has(world, slot, Dead)) {
		if (has(world, slot, Velocity)) steer(world, slot, 0, 0);
		return;
	}
	clearGoal(world, player);
	if (orderOf(world, slot) === 'attack_move') setOrder(world, player, 'none');
	ensureMovable(world, slot);
	const pace = paceOf(world, slot, playerSpeed(world, slot)) / Math.max(1, length);
	const velocity = clampVelocity(world, slot, [x * pace, z * pace]);
	steer(world, slot, ...slideAlongObstacle(world, slot, velocity));
	face(world, slot, [x, 0, z]);
}
