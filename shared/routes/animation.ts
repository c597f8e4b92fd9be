/** Routes of the tag Animation. */

import * as z from 'zod';
import { namesAsset } from '../contract/asset-mark.ts';
import { route } from '../contract/route.ts';
import {
	entityReference,
	flag,
	integer,
	listLength,
	message,
	number,
	optional,
	text,
} from '../contract/values.ts';
import {
	boneMask,
	clipRef,
	machineFields,
	parameterName,
	parameterValue,
	playSpeed,
	seconds,
} from '../media/animation.ts';
import { assetErrors, entityErrors } from './world.ts';

const shared = { tag: 'Animation' } as const;

/** A model of two triangles, a pole and a flag, with the clips `wave` and `hang`, which turn the flag within a second. */
const FLAG =
	'Z2xURgIAAAC4BAAADAQAAEpTT057ImFzc2V0Ijp7InZlcnNpb24iOiIyLjAifSwiYWNjZXNzb3JzIjpbeyJidWZmZXJWaWV3' +
	'IjowLCJjb21wb25lbnRUeXBlIjo1MTI2LCJjb3VudCI6MywidHlwZSI6IlZFQzMiLCJtaW4iOlswLDAsMF0sIm1heCI6WzEs' +
	'MSwwXX0seyJidWZmZXJWaWV3IjoxLCJjb21wb25lbnRUeXBlIjo1MTI2LCJjb3VudCI6MywidHlwZSI6IlNDQUxBUiIsIm1p' +
	'biI6WzBdLCJtYXgiOlsxXX0seyJidWZmZXJWaWV3IjoyLCJjb21wb25lbnRUeXBlIjo1MTI2LCJjb3VudCI6MywidHlwZSI6' +
	'IlZFQzQifSx7ImJ1ZmZlclZpZXciOjMsImNvbXBvbmVudFR5cGUiOjUxMjYsImNvdW50IjozLCJ0eXBlIjoiVkVDNCJ9XSwi' +
	'YnVmZmVyVmlld3MiOlt7ImJ1ZmZlciI6MCwiYnl0ZU9mZnNldCI6MCwiYnl0ZUxlbmd0aCI6MzZ9LHsiYnVmZmVyIjowLCJi' +
	'eXRlT2Zmc2V0IjozNiwiYnl0ZUxlbmd0aCI6MTJ9LHsiYnVmZmVyIjowLCJieXRlT2Zmc2V0Ijo0OCwiYnl0ZUxlbmd0aCI6' +
	'NDh9LHsiYnVmZmVyIjowLCJieXRlT2Zmc2V0Ijo5NiwiYnl0ZUxlbmd0aCI6NDh9XSwiYnVmZmVycyI6W3siYnl0ZUxlbmd0' +
	'aCI6MTQ0fV0sInNjZW5lcyI6W3sibm9kZXMiOlswXX1dLCJub2RlcyI6W3sibmFtZSI6InBvbGUiLCJtZXNoIjowLCJzY2Fs' +
	'ZSI6WzAuMSwyLDFdLCJjaGlsZHJlbiI6WzFdfSx7Im5hbWUiOiJmbGFnIiwibWVzaCI6MCwidHJhbnNsYXRpb24iOlswLDAu' +
	'NSwwXSwic2NhbGUiOlsxMCwwLjUsMV19XSwibWVzaGVzIjpbeyJwcmltaXRpdmVzIjpbeyJhdHRyaWJ1dGVzIjp7IlBPU0lU' +
	'SU9OIjowfX1dfV0sImFuaW1hdGlvbnMiOlt7Im5hbWUiOiJ3YXZlIiwic2FtcGxlcnMiOlt7ImlucHV0IjoxLCJvdXRwdXQi' +
	'OjJ9XSwiY2hhbm5lbHMiOlt7InNhbXBsZXIiOjAsInRhcmdldCI6eyJub2RlIjoxLCJwYXRoIjoicm90YXRpb24ifX1dfSx7' +
	'Im5hbWUiOiJoYW5nIiwic2FtcGxlcnMiOlt7ImlucHV0IjoxLCJvdXRwdXQiOjN9XSwiY2hhbm5lbHMiOlt7InNhbXBsZXIi' +
	'OjAsInRhcmdldCI6eyJub2RlIjoxLCJwYXRoIjoicm90YXRpb24ifX1dfV19ICAgkAAAAEJJTgAAAAAAAAAAAAAAAAAAAIA/' +
	'AAAAPwAAAAAAAAAAAACAPwAAAAAAAAAAAAAAPwAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAPMENT8AAAAA8wQ1PwAAAAAAAAAA' +
	'AAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAAAAAC/17NdPwAAAAAAAAAA8wQ1v/MENT8=';
const upload = { path: '/asset/upload?name=models/flag.glb', body: { data: FLAG } };
const load = { path: '/animation/load', body: { path: 'models/flag.glb' } };
const flagpole = { path: '/spawn', body: { mesh: 'models/flag.glb' } };

export const loadAnimations = route({
	...shared,
	id: 'animation.load',
	method: 'POST',
	path: '/animation/load',
	cli: ['animation', 'load'],
	summary: 'Adds the clips of a glTF model to the library of the world, unless they are there already',
	effect: 'write',
	owner: [{ none: 'clips of a model are only added' }],
	body: z.strictObject({
		path: text('Model: its path in the data folder or in public/, or the name or hash of an asset', 400)
			.min(1)
			.meta(namesAsset('model')),
	}),
	answer: z.strictObject({
		ok: z.literal(true),
		meshes: integer('Meshes that the model shows'),
		skeleton: z.boolean().describe('true: it has a skin'),
		animations: z.array(z.string()).describe('Names of its clips'),
		clips: z
			.array(integer('Index of a clip'))
			.describe('Their indices in GET /animation/list, in the same order'),
		joints: z.array(z.string()).describe('Names of its joints; a bone_mask uses their indices in this list'),
		hash: z.string().describe('SHA-256 of its bytes'),
	}),
	errors: ['world_full'],
	inside: assetErrors,
	examples: [{ name: 'A flag in the wind', given: [upload], body: load.body }],
});

export const listAnimations = route({
	...shared,
	id: 'animation.list',
	method: 'GET',
	path: '/animation/list',
	cli: ['animation', 'list'],
	summary: 'The clips of the library, by index',
	effect: 'read',
	answer: z.strictObject({
		clips: z.array(
			z.strictObject({
				index: integer('Index in the list'),
				name: z.string(),
				duration: number('Duration', { unit: 's' }),
				channels: integer('Joints and properties it moves'),
				model: z.string().describe('Model it was loaded from'),
				joints: integer('Joints of that model'),
			}),
		),
		count: listLength,
		ok: z.literal(true),
	}),
	errors: [],
	examples: [{ name: 'List them', given: [upload, load] }],
});

export const playAnimation = route({
	...shared,
	id: 'animation.play',
	method: 'POST',
	path: '/animation/play',
	cli: ['animation', 'play'],
	summary: 'Plays a clip on the model of an entity from its start; it replaces the current clip',
	effect: 'write',
	body: z.strictObject({
		...entityReference,
		clip: clipRef.default(0),
		speed: playSpeed.default(1),
		loop: flag('Repeats at its end; else it holds its last pose').default(true),
		fade: seconds('Crossfade from the previous clip').default(0),
	}),
	answer: message,
	errors: ['unknown_clip'],
	inside: entityErrors,
	examples: [
		{ name: 'By index', given: [upload, load, flagpole], body: { entity_id: 0, clip: 0 } },
		{
			name: 'By name, half as fast, with a crossfade',
			given: [upload, load, flagpole],
			body: { entity_id: 0, clip: 'wave', speed: 0.5, loop: false, fade: 0.3 },
		},
	],
});

export const stopAnimation = route({
	...shared,
	id: 'animation.stop',
	method: 'POST',
	path: '/animation/stop',
	cli: ['animation', 'stop'],
	summary: 'Freezes the current pose of an entity, and ends its montage',
	effect: 'write',
	body: z.strictObject(entityReference),
	answer: message,
	errors: ['not_playing'],
	inside: entityErrors,
	examples: [
		{
			name: 'Freeze the pose',
			given: [upload, load, flagpole, { path: '/animation/play', body: { entity_id: 0, clip: 0 } }],
			body: { entity_id: 0 },
		},
	],
});

export const setStateMachine = route({
	...shared,
	id: 'animation.state_machine',
	method: 'POST',
	path: '/animation/state-machine',
	cli: ['animation', 'state-machine'],
	summary: 'Animates the model of an entity by a state machine that follows its fields',
	description:
		'Transitions are tested on every tick. A parameter is a number, or the name of a field of the entity that it follows, such as velocity.linear.x.',
	effect: 'write',
	body: z.strictObject({
		...entityReference,
		initial_state: z.int().min(0).default(0).describe('Index of the initial state, from 0'),
		...machineFields,
	}),
	answer: message,
	errors: ['unknown_clip', 'bad_animation'],
	inside: entityErrors,
	examples: [
		{
			name: 'Hang when health is low',
			given: [upload, load, { path: '/spawn', body: { mesh: 'models/flag.glb', health: 100 } }],
			body: {
				entity_id: 0,
				states: [
					{ name: 'waving', clip: 'wave' },
					{ name: 'hanging', clip: 'hang', looping: false },
				],
				parameters: { health: 'health.current' },
				transitions: [
					{
						from: 'waving',
						to: 'hanging',
						when: [{ parameter: 'health', op: 'less', value: 30 }],
						fade: 0.5,
					},
				],
			},
		},
	],
});

export const setAnimationParameter = route({
	...shared,
	id: 'animation.parameter',
	method: 'POST',
	path: '/animation/parameter',
	cli: ['animation', 'parameter'],
	summary: 'Sets a parameter of the state machine of an entity; transitions use it from the next tick on',
	effect: 'write',
	body: z.strictObject({ ...entityReference, name: parameterName, value: parameterValue }),
	answer: message,
	// The world decides if the parameter exists, so the schema of the request does not check it.
	errors: [...entityErrors, 'bad_animation'],
	examples: [
		{
			name: 'Hang when the wind drops',
			given: [
				upload,
				load,
				flagpole,
				{
					path: '/animation/state-machine',
					body: {
						entity_id: 0,
						states: [
							{ name: 'waving', clip: 'wave' },
							{ name: 'hanging', clip: 'hang' },
						],
						parameters: { wind: 5 },
						transitions: [{ to: 'hanging', when: [{ parameter: 'wind', op: 'less', value: 1 }] }],
					},
				},
			],
			body: { entity_id: 0, name: 'wind', value: 0 },
		},
	],
});

export const playMontage = route({
	...shared,
	id: 'animation.montage',
	method: 'POST',
	path: '/animation/montage',
	cli: ['animation', 'montage'],
	summary: 'Plays a clip once over the current animation, on some or all joints, blended in and out',
	effect: 'write',
	body: z.strictObject({
		...entityReference,
		clip: clipRef,
		clip_duration: optional(seconds('Duration; left out: that of the clip at this speed')),
		speed: playSpeed.default(1),
		blend_in: seconds('Time to blend in').default(0.1),
		blend_out: seconds('Time to blend out').default(0.1),
		bone_mask: optional(boneMask),
	}),
	answer: message,
	errors: ['unknown_clip', 'bad_animation'],
	inside: entityErrors,
	examples: [
		{
			name: 'On one joint',
			given: [upload, load, flagpole],
			body: { entity_id: 0, clip: 'hang', clip_duration: 1, bone_mask: [1] },
		},
	],
});
