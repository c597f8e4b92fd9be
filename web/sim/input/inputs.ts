/**
 * Input of players.
 * Owns: the held inputs, and the queue of inputs that wait for their tick. The system `apply-inputs` owns their effects.
 */

import { Player } from '../../../shared/components/player.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import {
	type InputState,
	inputState,
	MAX_INPUTS,
	type QueuedInput,
} from '../../../shared/documents/input.ts';
import { handleOf } from '../core/entities.ts';
import { type Resource, resource, setResource } from '../core/resource.ts';
import { each, has, type World } from '../core/world.ts';
import { actionOf, contextOf } from './input-map.ts';

const NONE: InputState = { held: [], queue: [] };

export const Inputs: Resource<InputState> = {
	name: 'input',
	scope: 'state',
	summary: 'Held and waiting inputs; stored only if there are any',
	schema: inputState,
	initial: () => undefined,
	isEmpty: (state) => Object.values(state).every((list) => list.length === 0),
};

export function inputsOf(world: World): InputState {
	return resource(world, Inputs) ?? NONE;
}

export function setInputs(world: World, state: InputState): void {
	setResource(world, Inputs, state);
}

/** An input of a call: with a key or an action, and the tick on which it takes effect (null: the coming tick). */
export interface SentInput extends Omit<QueuedInput, 'tick' | 'action'> {
	readonly tick: number | null;
	readonly action: string | null;
}

/** Returns an input with its tick and its action. Throws `unbound_key` and `past_tick`. */
export function resolveInput(world: World, sent: SentInput): QueuedInput {
	const tick = sent.tick ?? world.tick;
	if (tick < world.tick)
		throw new ApiError('past_tick', `Tick ${tick} is in the past: ${world.tick} ticks are completed.`, {
			path: 'tick',
		});
	const action = sent.action ?? actionOf(world, sent.key!);
	if (action === null)
		throw new ApiError('unbound_key', `${sent.key} has no binding in the context "${contextOf(world)}".`);
	return { ...sent, tick, action };
}

/** Queues inputs for their ticks. Inputs of one tick apply in the order of sending. Throws `too_many_inputs`. */
export function queueInputs(world: World, inputs: readonly QueuedInput[]): void {
	const { held, queue } = inputsOf(world);
	if (queue.length + held.length + inputs.length > MAX_INPUTS)
		throw new ApiError(
			'too_many_inputs',
			`${queue.length + held.length} inputs are waiting or held, and this call adds ${inputs.length}. The limit is ${MAX_INPUTS}.`,
		);
	setInputs(world, { held, queue: [...queue, ...inputs].sort((a, b) => a.tick - b.tick) });
}

/**
 * Returns the entity that an input is for: `sentPlayer`, or the only played entity; null if no entity is played. Throws
 * `no_player` if `sentPlayer` is not played, or if it is null and several entities are played.
 */
export function playerOf(world: World, sentPlayer: EntityHandle | null): EntityHandle | null {
	if (sentPlayer !== null) {
		if (has(world, sentPlayer.id, Player)) return sentPlayer;
		throw new ApiError('no_player', `Entity ${sentPlayer.id} does not have the component player.`);
	}
	const players: EntityHandle[] = [];
	each(world, [Player], (slot) => {
		players.push(handleOf(world, slot));
	});
	if (players.length < 2) return players[0] ?? null;
	const ids = players.slice(0, 10).map(({ id }) => id);
	throw new ApiError(
		'no_player',
		`${players.length} entities have the component player: ${ids.join(', ')}${players.length > 10 ? ', ...' : ''}.`,
		{
			fix: 'Send the "entity_id" of the entity that the input is for.',
		},
	);
}
