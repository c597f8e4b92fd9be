/**
 * Animation of an entity's model.
 * Owns: the start and the end of an animation, and the end of its clip. Time is in ticks of the world, so that forks and
 * replays look the same. Never: computes poses. The view computes them from these columns alone.
 */

import { Animation } from '../../../shared/components/animation.ts';
import { ApiError, catchRefusal } from '../../../shared/contract/errors.ts';
import { suggestion } from '../../../shared/contract/nearest.ts';
import type { ClipRef, Fading, Montage, StateMachine } from '../../../shared/media/animation.ts';
import { fieldPath } from '../../../shared/verbs/field-name.ts';
import { TICKS_PER_SECOND } from '../core/clock.ts';
import { add, each, get, has, read, type World } from '../core/world.ts';
import { findClip, requireClip } from './library.ts';

export interface PlayingClip {
	readonly clip: ClipRef;
	readonly speed: number;
	readonly looping: boolean;
	/** Ticks during which it blends with the previous animation. */
	readonly fade: number;
}

/** Returns the animation that fades out for `fade` ticks when another begins; null if none plays, or without a fade. */
export function createFading(world: World, slot: number, fade: number): Fading | null {
	const row = get(world, slot, Animation);
	if (row === undefined || row.clip === null || fade === 0) return null;
	const { clip, speed, looping, elapsed, playing } = row;
	return { clip, speed: playing === 1 ? speed : 0, looping: looping === 1, elapsed, fade };
}

/** Plays a clip from its beginning. Removes the state machine of the entity. Throws `unknown_clip`. */
export function playClip(world: World, slot: number, { clip, speed, looping, fade }: PlayingClip): void {
	requireClip(world, slot, clip, 'clip');
	const fading = createFading(world, slot, fade);
	beginClip(world, slot, clip, speed, looping, fading);
	add(world, slot, Animation, { machine: null, state: null });
}

/** Plays a clip from its beginning, without checks. */
export function beginClip(
	world: World,
	slot: number,
	clip: ClipRef,
	speed: number,
	looping: boolean,
	fading: Fading | null,
): void {
	add(world, slot, Animation, { clip, speed, looping: looping ? 1 : 0, playing: 1, elapsed: 0, fading });
}

/** Holds the animation at its current pose, and ends the montage. Returns false if neither plays. */
export function stopAnimation(world: World, slot: number): boolean {
	const row = get(world, slot, Animation);
	if (row === undefined || (row.playing === 0 && row.montage === null)) return false;
	if (row.clip === null && row.montage === null) return false;
	add(world, slot, Animation, { playing: 0, montage: null, montage_elapsed: 0 });
	return true;
}

/** Gives an entity a state machine. `initial`: index of its first state. Throws `bad_animation`, `unknown_clip`. */
export function setMachine(world: World, slot: number, machine: StateMachine, initial: number): void {
	const { states } = machine;
	const state = states[initial];
	if (state === undefined)
		refuse(
			`initial_state is ${initial}, but there are only ${states.length} states.`,
			'initial_state',
			states.length === 0
				? 'Send at least one state, such as {"name": "idle", "clip": 0}.'
				: `Send a number from 0 to ${states.length - 1}.`,
		);
	requireMachine(machine);
	states.forEach(({ clip }, index) => {
		requireClip(world, slot, clip, `states.${index}.clip`);
	});
	beginClip(world, slot, state.clip, state.speed, state.looping, null);
	add(world, slot, Animation, { machine, state: state.name });
}

/** Sets a parameter of an entity's state machine: a number, or the field that it follows. Throws `bad_animation`. */
export function setParameter(world: World, slot: number, name: string, value: number | string): void {
	const machine = get(world, slot, Animation)?.machine ?? null;
	if (machine === null)
		refuse(
			`Entity ${slot} has no state machine.`,
			'entity_id',
			'Set one with POST /animation/state-machine and its "parameters".',
		);
	const names = Object.keys(machine.parameters);
	if (!names.includes(name))
		refuse(
			`The state machine has no parameter "${name}".`,
			'name',
			suggestion(name, names) ?? 'Send the state machine again with this name among its "parameters".',
		);
	const newMachine = { ...machine, parameters: { ...machine.parameters, [name]: value } };
	requireMachine(newMachine);
	add(world, slot, Animation, { machine: newMachine });
}

function refuse(message: string, path: string, fix: string | undefined): never {
	throw new ApiError('bad_animation', message, { path, fix });
}

/** Throws `bad_animation` for a machine that refers to unknown states, parameters or fields. Its ticks would fail. */
function requireMachine({ states, transitions, parameters }: StateMachine): void {
	const names = states.map(({ name }) => name);
	names.forEach((name, index) => {
		if (names.indexOf(name) !== index)
			refuse(`Two states are called "${name}".`, `states.${index}.name`, 'Give each state a different name.');
	});
	const checkField = (name: string, path: string): void => {
		catchRefusal(
			() => fieldPath(name),
			({ message, fix }) => refuse(`${path}: ${message}.`, path, fix),
		);
	};
	transitions.forEach(({ from, to, when }, index) => {
		for (const state of [from, to])
			if (state != null && !names.includes(state))
				refuse(
					`There is no state "${state}".`,
					`transitions.${index}`,
					suggestion(state, names) ?? `Send one of the states: ${names.join(', ')}.`,
				);
		when.forEach((check, i) => {
			if (check.field != null) checkField(check.field, `transitions.${index}.when.${i}.field`);
			else if (!Object.hasOwn(parameters, check.parameter!))
				refuse(
					`There is no parameter "${check.parameter}".`,
					`transitions.${index}.when.${i}.parameter`,
					'Send the name of one of "parameters", or send "field" instead.',
				);
		});
	});
	for (const [name, source] of Object.entries(parameters))
		if (typeof source === 'string') checkField(source, `parameters.${name}`);
}

/** Throws `bad_animation` if an entity's state machine is invalid, or if the entity is in none of its states or has no clip. */
export function requireMachineOf(world: World, slot: number): void {
	const row = get(world, slot, Animation);
	if (row === undefined || row.machine === null) return;
	requireMachine(row.machine);
	if (row.clip === null || !row.machine.states.some(({ name }) => name === row.state))
		refuse(
			`The state of entity ${slot} is not a state of its machine, or has no clip.`,
			'components.animation.state',
			'Send the name of a state and the clip that it plays.',
		);
}

/** Cost of a look at a transition or a comparison. A look of a rule's condition at an entity costs 1. */
export const LOOK_COST = 4;

/** Cost of each machine. Machines are never changed in place. */
const lookCosts = new WeakMap<StateMachine, number>();

/** Returns the maximum cost of the looks of a world's state machines in a tick. */
export function maxLookCost(world: World): number {
	let sum = 0;
	each(world, [Animation], (slot) => {
		const machine = read(world, Animation, 'machine')[slot] as StateMachine | null;
		if (machine === null) return;
		let cost = lookCosts.get(machine);
		if (cost === undefined) {
			cost = machine.transitions.reduce((total, { when }) => total + LOOK_COST * (1 + when.length), 0);
			lookCosts.set(machine, cost);
		}
		sum += cost;
	});
	return sum;
}

/** Plays a clip once over the animation. Throws `unknown_clip`, or `bad_animation` for joints that its model does not have. */
export function startMontage(world: World, slot: number, montage: Montage): void {
	const { joints, name } = requireClip(world, slot, montage.clip, 'clip');
	const unknownJoint = montage.mask?.find((joint) => joint >= joints);
	if (unknownJoint !== undefined)
		throw new ApiError(
			'bad_animation',
			`bone_mask has joint ${unknownJoint}, but the model of "${name}" has only ${joints} joints.`,
			{
				path: 'bone_mask',
				fix: `Send joints from 0 to ${joints - 1}; GET /animation/list shows the number of joints.`,
			},
		);
	if (!has(world, slot, Animation)) add(world, slot, Animation, {});
	add(world, slot, Animation, { montage, montage_elapsed: 0 });
}

/** Returns true if a clip that has been played for `elapsed` ticks has reached its end. */
export function isAtEnd(world: World, slot: number, clip: ClipRef, elapsed: number, speed: number): boolean {
	const libraryClip = findClip(world, slot, clip);
	return libraryClip !== undefined && (elapsed / TICKS_PER_SECOND) * speed >= libraryClip.duration;
}
