/** Animation of an entity: the clips of its model and their playing times. */

import * as z from 'zod';
import { component, json, scalar, yesNo } from '../contract/component.ts';
import { integer, optional } from '../contract/values.ts';
import {
	animationDocument,
	type ClipRef,
	clipRef,
	type Fading,
	fadingValue,
	type Montage,
	machineDocument,
	montageValue,
	playSpeed,
	type StateMachine,
	weighMachine,
	weighMontage,
} from '../media/animation.ts';

const TICKS = { unit: 'ticks', range: [0, 0xffffffff] } as const;

const readout = z.strictObject({
	clip: clipRef.nullable(),
	speed: playSpeed,
	loop: z.boolean(),
	playing: z.boolean(),
	elapsed: integer('Ticks it has played', { unit: 'ticks' }),
	state: z.string().optional().describe('State of the state machine'),
	montage: z
		.strictObject({
			clip: clipRef,
			elapsed: integer('Ticks it has played', { unit: 'ticks' }),
		})
		.optional(),
});

export const Animation = component({
	name: 'animation',
	title: 'Animation',
	scope: 'state',
	summary: 'Animation of its model, counted in ticks: a clip, a state machine, or a montage over it',
	fields: {
		clip: json<ClipRef | null>(clipRef.nullable(), null, 'Clip that plays, or null'),
		speed: scalar('f32', 'Playback speed, as a factor', { unit: 'factor', initial: 1, range: [0, 100] }),
		looping: yesNo('1: it repeats', 1),
		playing: yesNo('0: it is paused', 1),
		elapsed: scalar('u32', 'Ticks it has played', TICKS),
		fading: json<Fading | null>(fadingValue.nullable(), null, 'Previous clip, while it fades out', {
			sparse: true,
		}),
		machine: json<StateMachine | null>(machineDocument.nullable(), null, 'Its state machine', {
			sparse: true,
			weigh: weighMachine,
		}),
		state: json<string | null>(z.string().nullable(), null, 'Current state of its state machine', {
			sparse: true,
		}),
		montage: json<Montage | null>(montageValue.nullable(), null, 'Clip that plays over the others', {
			sparse: true,
			weigh: weighMontage,
		}),
		montage_elapsed: scalar('u32', 'Ticks the montage has played', {
			...TICKS,
			hidden: true,
		}),
	},
	readout: {
		schema: readout,
		from: ({ clip, speed, looping, playing, elapsed, state, montage, montage_elapsed }) => ({
			clip,
			speed,
			loop: looping === 1,
			playing: playing === 1,
			elapsed,
			...(state === null ? {} : { state }),
			...(montage === null ? {} : { montage: { clip: montage.clip, elapsed: montage_elapsed } }),
		}),
	},
	spawn: {
		fields: { animation: optional(animationDocument) },
		row: ({ animation }) =>
			animation == null
				? null
				: { clip: animation.clip, speed: animation.speed, looping: animation.loop ? 1 : 0 },
		describe: (row) => ({
			animation:
				row?.clip == null ? undefined : { clip: row.clip, speed: row.speed, loop: row.looping === 1 },
		}),
	},
});
