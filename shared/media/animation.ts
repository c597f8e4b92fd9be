/**
 * Animation in documents: clips, state machines, montages.
 * Owns: their shapes. A clip is identified by its index in the library or by its name.
 */

import * as z from 'zod';
import { operator } from '../contract/operators.ts';
import { flag, integer, isGiven, keyText, number, optional, text } from '../contract/values.ts';

/** Maximum number of clips of a world. */
export const MAX_CLIPS = 4096;
/** Maximum number of joints of a mask. */
const MAX_JOINTS = 512;
const MAX_STATES = 64;
const MAX_TRANSITIONS = 256;
const MAX_PARAMETERS = 64;

export const clipRef = z
	.union([
		z
			.int()
			.min(0)
			.max(MAX_CLIPS - 1),
		text('Its name', 200).min(1),
	])
	.describe(
		"Clip: its index in GET /animation/list, or its name. If several models share the name, that of the entity's model counts",
	)
	.meta({ format: 'clip' });
export type ClipRef = z.output<typeof clipRef>;

export const playSpeed = number('Playback speed: 1 as made, 0 paused', {
	unit: 'factor',
	min: 0,
	max: 100,
});
export const seconds = (description: string) => number(description, { unit: 's', min: 0, max: 600 });

export const animationDocument = z
	.strictObject({
		clip: clipRef,
		speed: playSpeed.default(1),
		loop: flag('Repeats at its end; else it holds its last pose').default(true),
	})
	.describe('A clip to play, starting now')
	.meta({ id: 'Animation' });

const stateName = keyText('Name of a state', 100);
export const parameterName = keyText('Name of a parameter of its state machine', 100);
export const parameterValue = z
	.union([number('A constant number'), text('A number of the entity', 100)])
	.describe('A number, or the field of the entity that it follows');

const transitionTest = z
	.strictObject({
		parameter: optional(parameterName),
		field: optional(
			text('A number of the entity, such as health.current or velocity.linear.x', 100).meta({
				format: 'field',
			}),
		),
		op: operator.default('greater'),
		value: number('Value to compare with'),
	})
	.refine(({ parameter, field }) => (parameter == null) !== (field == null), 'send parameter or field')
	.meta({ oneOf: ['parameter', 'field'].map(isGiven) })
	.describe('A comparison; it fails if the entity lacks the number');

export const machineFields = {
	states: z
		.array(
			z.strictObject({
				name: stateName,
				clip: clipRef,
				looping: flag('Repeats at its end').default(true),
				speed: playSpeed.default(1),
			}),
		)
		.max(MAX_STATES)
		.default([])
		.describe('States, each with its clip'),
	transitions: z
		.array(
			z.strictObject({
				from: optional(stateName.describe('State it leaves; left out: any other than `to`')),
				to: stateName,
				when: z.array(transitionTest).max(16).default([]).describe('All of these must hold'),
				at_end: flag('Only when the clip has ended').default(false),
				fade: seconds('Crossfade').default(0.2),
			}),
		)
		.max(MAX_TRANSITIONS)
		.default([])
		.describe('Tested in order on every tick; the first that holds is taken'),
	parameters: z
		.record(parameterName, parameterValue)
		.refine(
			(parameters) => Object.keys(parameters).length <= MAX_PARAMETERS,
			`a machine has at most ${MAX_PARAMETERS} parameters`,
		)
		.meta({ maxProperties: MAX_PARAMETERS })
		.default({})
		.describe('Named parameters: each a number, or the field of the entity that it follows'),
};

/** Schema of a state machine in a world, with all its parts. */
export const machineDocument = z.strictObject({
	states: machineFields.states.unwrap(),
	transitions: machineFields.transitions.unwrap(),
	parameters: machineFields.parameters.unwrap(),
});
export type StateMachine = z.output<typeof machineDocument>;

/** Memory of each machine (bytes). It stays valid, because machines are replaced and never changed. */
const weights = new WeakMap<StateMachine, number>();

/** Yields the memory of a machine, which depends on its texts. */
export function* weighMachine(machine: StateMachine | null): Generator<readonly [StateMachine, number]> {
	if (machine === null) return;
	let bytes = weights.get(machine);
	if (bytes === undefined) {
		bytes = 2 * JSON.stringify(machine).length;
		weights.set(machine, bytes);
	}
	yield [machine, bytes];
}

export const boneMask = z
	.array(
		z
			.int()
			.min(0)
			.max(MAX_JOINTS - 1),
	)
	.max(MAX_JOINTS)
	.describe('Joints it moves, by index as in GET /animation/list; left out: all');

/** Schema of a montage: a clip that plays over the current one for some time. */
export const montageValue = z.strictObject({
	clip: clipRef,
	speed: playSpeed,
	duration: integer('Duration', { unit: 'ticks' }),
	blend_in: integer('Time to blend in', { unit: 'ticks' }),
	blend_out: integer('Time to blend out', { unit: 'ticks' }),
	mask: boneMask.nullable(),
});
export type Montage = Readonly<z.output<typeof montageValue>>;

const JOINT_BYTES = 8;

/** Yields the memory of a montage, which depends on the length of its mask. */
export function* weighMontage(montage: Montage | null): Generator<readonly [Montage, number]> {
	if (montage?.mask != null) yield [montage, JOINT_BYTES * montage.mask.length];
}

/** Schema of the previous clip while it fades out. */
export const fadingValue = z.strictObject({
	clip: clipRef,
	speed: playSpeed,
	looping: z.boolean(),
	elapsed: integer('Ticks it had played when the fade began', { unit: 'ticks' }),
	fade: integer('Duration of the fade', { unit: 'ticks' }),
});
export type Fading = Readonly<z.output<typeof fadingValue>>;
