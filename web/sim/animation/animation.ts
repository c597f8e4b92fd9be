/**
 * Animation played on an entity's model.
 * Owns: beginning it, ending it, and when its clip is over. Time is in ticks of the world, so that forks and replays show
 * the same. Never: knows poses; these are the view's, which computes them from these columns alone.
 */

import { Animation } from '../../../shared/components/animation.ts';
import { ApiError, catchRefusal } from '../../../shared/contract/errors.ts';
import { suggestion } from '../../../shared/contract/nearest.ts';
import type { ClipRef, Fading, Montage, StateMachine } from '../../../shared/media/animation.ts';
import { fieldPath } from '../../../shared/verbs/field-name.ts';
import { TICKS_PER_SECOND } from '../core/clock.ts';
import { add, each, get, has, read, type World } from '../core/world.ts';
import { findClip, requireClip } from './library.ts';

export const ticksIn = (seconds: number): number => Math.round(seconds * TICKS_PER_SECOND);

export interface PlayingClip {
	readonly clip: ClipRef;
	readonly speed: number;
	readonly looping: boolean;
	/** Ticks for which it blends with what was played before. */
	readonly fade: number;
}

/** Returns the animation that fades out when another begins: null if none is played, or it ends immediately. */
export function fadingFrom(world: World, slot: number, fade: number): Fading | null {
	const before = get(world, slot, Animation);
	if (before === undefined || before.clip === null || fade === 0) return null;
	const { clip, speed, looping, elapsed, playing } = before;
	return { clip, speed: playing === 1 ? speed : 0, looping: looping === 1, elapsed, fade };
}

/** Begins a clip; a state machine ends with it. */
export function play(world: World, slot: number, { clip, speed, looping, fade }: PlayingClip): void {
	requireClip(world, slot, clip, 'clip');
	const fading = fadingFrom(world, slot, fade);
	begin(world, slot, clip, speed, looping, fading);
	add(world, slot, Animation, { machine: null, state: null });
}

/** Plays a clip from its beginning. */
export function begin(
	world: World,
	slot: number,
	clip: ClipRef,
	speed: number,
	looping: boolean,
	fading: Fading | null,
): void {
	add(world, slot, Animation, { clip, speed, looping: looping ? 1 : 0, playing: 1, elapsed: 0, fading });
}

/** Holds what is played; false if nothing is. */
export function stop(world: World, slot: number): boolean {
	const now = get(world, slot, Animation);
	if (now === undefined || (now.playing === 0 && now.montage === null)) return false;
	if (now.clip === null && now.montage === null) return false;
	add(world, slot, Animation, { playing: 0, montage: null, montage_elapsed: 0 });
	return true;
}

/** Puts an entity under a state machine, in one of its states. Throws `bad_animation`, `unknown_clip`. */
export function setMachine(world: World, slot: number, machine: StateMachine, initial: number): void {
	const { states } = machine;
	const first = states[initial];
	if (first === undefined)
		wrong(
			`initial_state is ${initial}, but there are only ${states.length} states.`,
			'initial_state',
			states.length === 0
				? 'Send at least one state, such as {"name": "idle", "clip": 0}.'
				: `Send a number from 0 to ${states.length - 1}.`,
		);
	requireMachine(machine);
	states.forEach(({ clip }, at) => {
		requireClip(world, slot, clip, `states.${at}.clip`);
	});
	begin(world, slot, first.clip, first.speed, first.looping, null);
	add(world, slot, Animation, { machine, state: first.name });
}

/** Sets a parameter of an entity's state machine: a number, or the field that it follows. Throws `bad_animation`. */
export function setParameter(world: World, slot: number, name: string, value: number | string): void {
	const machine = get(world, slot, Animation)?.machine ?? null;
	if (machine === null)
		wrong(
			`Entity ${slot} has no state machine.`,
			'entity_id',
			'Set one with POST /animation/state-machine and its "parameters".',
		);
	const names = Object.keys(machine.parameters);
	if (!names.includes(name))
		wrong(
			`The state machine has no parameter "${name}".`,
			'name',
			suggestion(name, names) ?? 'Send the state machine again with this name among its "parameters".',
		);
	const next = { ...machine, parameters: { ...machine.parameters, [name]: value } };
	requireMachine(next);
	add(world, slot, Animation, { machine: next });
}

function wrong(message: string, path: string, fix: string | undefined): never {
	throw new ApiError('bad_animation', message, { path, fix });
}

/** Throws `bad_animation` for a machine whose parts name what it does not have: its ticks could not continue. */
function requireMachine({ states, transitions, parameters }: StateMachine): void {
	const names = states.map(({ name }) => name);
	names.forEach((name, at) => {
		if (names.indexOf(name) !== at)
			wrong(`Two states are called "${name}".`, `states.${at}.name`, 'Give each state a different name.');
	});
	const field = (name: string, path: string): void => {
		catchRefusal(
			() => fieldPath(name),
			({ message, fix }) => wrong(`${path}: ${message}.`, path, fix),
		);
	};
	transitions.forEach(({ from, to, when }, at) => {
		for (const state of [from, to])
			if (state != null && !names.includes(state))
				wrong(
					`There is no state "${state}".`,
					`transitions.${at}`,
					suggestion(state, names) ?? `Send one of the states: ${names.join(', ')}.`,
				);
		when.forEach((check, i) => {
			if (check.field != null) field(check.field, `transitions.${at}.when.${i}.field`);
			else if (!Object.hasOwn(parameters, check.parameter!))
				wrong(
					`There is no parameter "${check.parameter}".`,
					`transitions.${at}.when.${i}.parameter`,
					'Send the name of one of "parameters", or send "field" instead.',
				);
		});
	});
	for (const [name, from] of Object.entries(parameters))
		if (typeof from === 'string') field(from, `parameters.${name}`);
}

/** The same of what an entity has, which is also in one of its states, and plays a clip. */
export function requireMachineOf(world: World, slot: number): void {
	const row = get(world, slot, Animation);
	if (row === undefined || row.machine === null) return;
	requireMachine(row.machine);
	if (row.clip === null || !row.machine.states.some(({ name }) => name === row.state))
		wrong(
			`The state of entity ${slot} is not a state of its machine, or has no clip.`,
			'components.animation.state',
			'Send the name of a state and the clip that it plays.',
		);
}

/** Cost of a transition or a comparison; a condition of a rule that looks at an entity costs 1. */
export const LOOK = 4;

const looks = new WeakMap<StateMachine, number>();

/** With how many transitions and comparisons the state machines of a world are looked at in a tick, at most. */
export function mostLooks(world: World): number {
	let sum = 0;
	each(world, [Animation], (slot) => {
		const machine = read(world, Animation, 'machine')[slot] as StateMachine | null;
		if (machine === null) return;
		let own = looks.get(machine);
		if (own === undefined) {
			own = machine.transitions.reduce((most, { when }) => most + LOOK * (1 + when.length), 0);
			looks.set(machine, own);
		}
		sum += own;
	});
	return sum;
}

/** Plays a clip once over what is played. Throws `unknown_clip`, `bad_animation` for joints that the clip's model does not have. */
export function startMontage(world: World, slot: number, montage: Montage): void {
	const { joints, name } = requireClip(world, slot, montage.clip, 'clip');
	const strange = montage.mask?.find((joint) => joint >= joints);
	if (strange !== undefined)
		throw new ApiError(
			'bad_animation',
			`bone_mask has joint ${strange}, but the model of "${name}" has only ${joints} joints.`,
			{
				path: 'bone_mask',
				fix: `Send joints from 0 to ${joints - 1}; GET /animation/list shows the number of joints.`,
			},
		);
	if (!has(world, slot, Animation)) add(world, slot, Animation, {});
	add(world, slot, Animation, { montage, montage_elapsed: 0 });
}

/** Returns true if a clip that has been played for `elapsed` ticks has reached its end. */
export function atEnd(world: World, slot: number, clip: ClipRef, elapsed: number, speed: number): boolean {
	const found = findClip(world, slot, clip);
	return found !== undefined && (elapsed / TICKS_PER_SECOND) * speed >= found.duration;
}
