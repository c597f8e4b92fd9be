/**
 * Effects of the engine's own actions on the played entity.
 * Owns: one behaviour for each that does something when it is pressed or released. Walking is done by the system, tick by
 * tick, by what is held.
 */

import type { Slot } from '../../../shared/components/abilities.ts';
import { Ai } from '../../../shared/components/ai.ts';
import { Combat } from '../../../shared/components/combat.ts';
import { CombatState } from '../../../shared/components/combat-state.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { type PLAYER_ORDERS, PlayerOrder } from '../../../shared/components/player-order.ts';
import { Velocity } from '../../../shared/components/velocity.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import type { PlayerAction, QueuedInput } from '../../../shared/documents/input.ts';
import { CastFailed } from '../../../shared/events/cast-failed.ts';
import { queueCast } from '../abilities/ability.ts';
import { setGoal } from '../ai/goal.ts';
import { steer } from '../ai/walk.ts';
import { DT } from '../core/clock.ts';
import { slotOf } from '../core/entities.ts';
import { emit } from '../core/events.ts';
import { add, get, has, read, remove, type World, write } from '../core/world.ts';
import { cancelPath, setPath } from '../navigation/path.ts';
import { attempt } from '../rules/actions/action.ts';
import { parentOf } from '../transform/hierarchy.ts';
import { tuning } from '../tuning/tuning.ts';

type OrderAim = Pick<QueuedInput, 'target' | 'point'>;
type Order = (typeof PLAYER_ORDERS)[number];

interface Behaviour {
	pressed?(world: World, player: EntityHandle, aim: OrderAim): void;
	released?(world: World, player: EntityHandle): void;
}

/** Speed of walking without effects (m/s): a fighter's own, else the world's for players. */
export function playerSpeed(world: World, slot: number): number {
	return has(world, slot, Combat) ? read(world, Combat, 'speed')[slot]! : tuning(world).players.speed;
}

/** Returns the order of a player. */
export const orderOf = (world: World, slot: number): Order => get(world, slot, PlayerOrder)?.order ?? 'none';

/** Tells a player what to do beyond walking. */
export function order(world: World, { id }: EntityHandle, order: Order): void {
	if (order !== 'none') add(world, id, PlayerOrder, { order });
	else if (has(world, id, PlayerOrder)) remove(world, id, PlayerOrder);
}

/** No longer goes where it was told to. */
export function forgetGoal(world: World, { id }: EntityHandle): void {
	if (has(world, id, Ai)) remove(world, id, Ai);
	cancelPath(world, id);
}

/** Returns the nearest place that players may go to. */
function inBounds(world: World, [x, y, z]: readonly [number, number, number]): [number, number, number] {
	const { bounds } = tuning(world).players;
	if (bounds == null) return [x, y, z];
	const { min_x, max_x, min_z, max_z } = bounds;
	return [Math.min(max_x, Math.max(min_x, x)), y, Math.min(max_z, Math.max(min_z, z))];
}

/** Returns a velocity that does not lead out of the bounds of players. An entity outside may come back. */
export function withinBounds(
	world: World,
	slot: number,
	[vx, vz]: readonly [number, number],
): readonly [number, number] {
	const { bounds } = tuning(world).players;
	if (bounds == null || parentOf(world, slot) !== null) return [vx, vz];
	const position = read(world, LocalTransform, 'position');
	const boundedStep = (at: number, velocity: number, least: number, most: number): number =>
		velocity > 0
			? Math.min(velocity, Math.max(0, (most - at) / DT))
			: Math.max(velocity, Math.min(0, (least - at) / DT));
	return [
		boundedStep(position[slot * 3]!, vx, bounds.min_x, bounds.max_x),
		boundedStep(position[slot * 3 + 2]!, vz, bounds.min_z, bounds.max_z),
	];
}

function goTo(world: World, player: EntityHandle, point: readonly [number, number, number]): void {
	const [x, y, z] = inBounds(world, point);
	const speed = playerSpeed(world, player.id);
	forgetGoal(world, player);
	// An entity that cannot use a path goes straight.
	const goal = { goal: [x, y, z], speed, partial: true } as const;
	if (tuning(world).players.paths && attempt(() => setPath(world, player, goal)) === null) return;
	setGoal(world, player, { behavior: 'patrol', waypoints: [[x, y, z]], next: 0, speed });
}

/** Returns the aim, without a target that is gone. */
const aimOf = (world: World, { target, point }: OrderAim): OrderAim =>
	target !== null && slotOf(world, target) < 0 ? { target: null, point } : { target, point };

const casts = (slot: Slot): Behaviour => ({
	pressed: (world, player, { target, point }) => {
		const refused = attempt(() => queueCast(world, player, slot, { target, point }));
		if (refused !== null) emit(world, CastFailed, { entity: player, slot, reason: refused.code });
	},
});

/** Those that are missing here only walk, which the system does. */
export const behaviours: Readonly<Record<PlayerAction, Behaviour>> = {
	move_forward: {},
	move_back: {},
	move_left: {},
	move_right: {},
	move_x: {},
	move_z: {},
	attack: {
		pressed: (world, player) => order(world, player, 'attack'),
		released: (world, player) => {
			if (orderOf(world, player.id) === 'attack') order(world, player, 'none');
		},
	},
	attack_move: {
		pressed: (world, player, { point }) => {
			order(world, player, 'attack_move');
			if (point !== null) goTo(world, player, point);
		},
	},
	move_or_attack: {
		pressed: (world, player, aim) => {
			const { target, point } = aimOf(world, aim);
			if (target !== null && target.id !== player.id) {
				order(world, player, 'attack_move');
				if (has(world, player.id, CombatState))
					write(world, CombatState, 'target').set([target.id + 1, target.generation], player.id * 2);
				forgetGoal(world, player);
				setGoal(world, player, { behavior: 'chase', target, speed: playerSpeed(world, player.id) });
			} else if (point !== null) {
				order(world, player, 'none');
				goTo(world, player, point);
			}
		},
	},
	stop: {
		pressed: (world, player) => {
			order(world, player, 'none');
			forgetGoal(world, player);
			if (has(world, player.id, Velocity)) steer(world, player.id, 0, 0);
		},
	},
	ability_q: casts('Q'),
	ability_w: casts('W'),
	ability_e: casts('E'),
	ability_r: casts('R'),
};
