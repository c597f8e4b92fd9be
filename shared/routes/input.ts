/** Routes of the tag Input: bindings of keys, and presses. */

import * as z from 'zod';
import { route } from '../contract/route.ts';
import { entityId, generation, integer, listLength, message, optional } from '../contract/values.ts';
import {
	actionName,
	axisBody,
	binding,
	contextName,
	keyName,
	pressBody,
	releaseBody,
} from '../documents/input.ts';
import { warnings } from './warnings.ts';

const shared = { tag: 'Input' } as const;

const contextField = optional(contextName.describe('Context of the binding; left out: the current one'));

export const bindInput = route({
	...shared,
	id: 'input.bind',
	method: 'POST',
	path: '/input/bind',
	cli: ['input', 'bind'],
	summary: 'Binds a key to an action, and replaces its binding',
	description:
		'GET /input/list lists the built-in actions. Any other action is an event for rules: {"kind": "event", "event": "input", "where": [{"field": "action", "value": "jump"}]}. A bare host has no bindings.',
	effect: 'write',
	owner: ['binding'],
	body: z.strictObject({ key: keyName, action: actionName, context: contextField }),
	answer: message.extend({
		key: z.string().describe('Key, in its stored form'),
		action: z.string(),
		context: z.string(),
		replaced: z.string().nullable().describe('Previous action of the key'),
		warnings,
	}),
	errors: ['too_many_bindings'],
	examples: [
		{ name: 'Jump with the space bar', body: { key: 'Space', action: 'jump' } },
		{ name: 'Walk with W', body: { key: 'W', action: 'move_forward' } },
	],
});

export const unbindInput = route({
	...shared,
	id: 'input.unbind',
	method: 'POST',
	path: '/input/unbind',
	cli: ['input', 'unbind'],
	summary: 'Removes the binding of a key',
	effect: 'write',
	owner: ['binding'],
	body: z.strictObject({ key: keyName, context: contextField }),
	answer: message.extend({
		key: z.string().describe('Key, in its stored form'),
		action: z.string().describe('Action it was bound to'),
		context: z.string(),
	}),
	errors: [],
	inside: ['unbound_key'],
	examples: [{ name: 'Disable the right mouse button', body: { key: 'MouseRight' } }],
});

export const listInput = route({
	...shared,
	id: 'input.list',
	method: 'GET',
	path: '/input/list',
	cli: ['input', 'list'],
	summary: 'Bindings, contexts, held and waiting inputs, and the built-in actions',
	effect: 'read',
	answer: z.strictObject({
		ok: z.literal(true),
		bindings: z.array(binding).describe('All bindings, in order of context and key'),
		count: listLength,
		contexts: z.array(z.string()).describe('Stack of contexts; the last one is active'),
		held: z
			.array(
				z.strictObject({
					entity_id: entityId.nullable().describe('Entity that is played; null: none'),
					entity_generation: generation.nullable(),
					key: z.string().nullable(),
					action: z.string(),
					value: z.number().describe('1: down; of an axis: from -1 to 1'),
					until: integer('First tick it is no longer held; null: until it is released', {
						unit: 'tick',
					}).nullable(),
				}),
			)
			.describe('Held keys and actions, in the order they were pressed'),
		waiting: z.int().describe('Number of inputs that wait for their tick'),
		actions: z
			.array(
				z.strictObject({
					action: z.string(),
					does: z.string().describe('Effect on the entity that is played'),
				}),
			)
			.describe('Built-in actions'),
	}),
	errors: [],
	examples: [{ name: 'List them' }],
});

export const pushContext = route({
	...shared,
	id: 'input.push',
	method: 'POST',
	path: '/input/context/push',
	cli: ['input', 'push'],
	summary: 'Adds a context on top: only its bindings are active',
	effect: 'write',
	owner: ['settings'],
	body: z.strictObject({ context: contextName.default('gameplay') }),
	answer: message.extend({ contexts: z.array(z.string()).describe('The stack, topmost last') }),
	errors: ['too_many_contexts'],
	examples: [{ name: 'A menu', body: { context: 'menu' } }],
});

export const popContext = route({
	...shared,
	id: 'input.pop',
	method: 'POST',
	path: '/input/context/pop',
	cli: ['input', 'pop'],
	summary: 'Removes the topmost context',
	effect: 'write',
	owner: ['settings'],
	answer: message.extend({
		context: z.string().describe('Removed context'),
		contexts: z.array(z.string()).describe('The stack, topmost last'),
	}),
	errors: [],
	inside: ['last_context'],
	examples: [
		{
			name: 'Back to the game',
			given: [{ path: '/input/context/push', body: { context: 'menu' } }],
			body: {},
		},
	],
});

const acceptedInput = message.extend({
	action: z.string().describe('Action of the key'),
	entity_id: entityId.nullable().describe('Entity that is played; null: none, the input is only an event'),
	entity_generation: generation.nullable(),
	tick: integer('Tick on which it takes effect', { unit: 'tick' }),
	warnings,
});

/** Errors of a refused input. */
export const inputErrors = [
	'unbound_key',
	'no_player',
	'past_tick',
	'too_many_inputs',
	'entity_not_found',
	'stale_handle',
] as const;

const hero = { path: '/spawn', body: { player: true, position: [0, 0, 0] } };

export const pressInput = route({
	...shared,
	id: 'input.press',
	method: 'POST',
	path: '/input/press',
	cli: ['input', 'press'],
	summary: 'Presses a key or runs an action, on the next or a later tick',
	description:
		'It takes effect at the start of its tick and sends the event `input`, which rules receive on the same tick. Equal inputs on equal ticks give equal worlds, bit for bit.',
	effect: 'write',
	owner: ['entity'],
	body: pressBody,
	answer: acceptedInput.extend({
		until: integer('First tick it is no longer held; null: until it is released', {
			unit: 'tick',
		}).nullable(),
	}),
	errors: inputErrors,
	examples: [
		{ name: 'Walk for a second', given: [hero], body: { key: 'ArrowRight', ticks: 60 } },
		{ name: 'Walk to a point', given: [hero], body: { action: 'move_or_attack', point: [4, 0, 2] } },
		{ name: 'An action of the game', body: { action: 'jump' } },
	],
});

export const releaseInput = route({
	...shared,
	id: 'input.release',
	method: 'POST',
	path: '/input/release',
	cli: ['input', 'release'],
	summary: 'Releases a held key or action',
	effect: 'write',
	owner: ['entity'],
	body: releaseBody,
	answer: acceptedInput,
	errors: inputErrors,
	examples: [
		{
			name: 'Stop walking',
			given: [hero, { path: '/input/press', body: { key: 'ArrowUp', hold: true } }],
			body: { key: 'ArrowUp' },
		},
	],
});

export const moveAxis = route({
	...shared,
	id: 'input.axis',
	method: 'POST',
	path: '/input/axis',
	cli: ['input', 'axis'],
	summary: 'Moves an axis, such as a stick of a gamepad, and leaves it there',
	effect: 'write',
	owner: ['entity'],
	body: axisBody,
	answer: acceptedInput.extend({ value: z.number().describe('Position of the axis') }),
	errors: inputErrors,
	examples: [
		{ name: 'Half speed to the right', given: [hero], body: { action: 'move_x', value: 0.5 } },
		{ name: 'The left stick at rest', given: [hero], body: { key: 'GamepadLeftX', value: 0 } },
	],
});
