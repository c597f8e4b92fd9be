/**
 * Input of a player's devices and of agents: keys, their bindings, and what is pressed.
 * Owns: the names of keys, the actions that the engine itself carries out, and the shapes that a world keeps.
 */

import * as z from 'zod';
import { handle } from '../contract/handle.ts';
import { nearest } from '../contract/nearest.ts';
import { tick } from '../contract/tick.ts';
import {
	entityId,
	flag,
	generation,
	integer,
	isGiven,
	number,
	optional,
	position,
	text,
} from '../contract/values.ts';
import { INPUT_PHASES } from '../events/input.ts';

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'];

const NAMED = [
	'Space',
	'Escape',
	'Enter',
	'Tab',
	'Delete',
	'Backspace',
	'Shift',
	'Control',
	'Alt',
	'ArrowUp',
	'ArrowDown',
	'ArrowLeft',
	'ArrowRight',
	...Array.from({ length: 12 }, (_, i) => `F${i + 1}`),
	'Minus',
	'Equal',
	'Comma',
	'Period',
	'Slash',
	'Semicolon',
	'MouseLeft',
	'MouseRight',
	'MouseMiddle',
	'GamepadA',
	'GamepadB',
	'GamepadX',
	'GamepadY',
	'GamepadLB',
	'GamepadRB',
	'GamepadLT',
	'GamepadRT',
	'GamepadBack',
	'GamepadStart',
	'GamepadLS',
	'GamepadRS',
	'GamepadUp',
	'GamepadDown',
	'GamepadLeft',
	'GamepadRight',
	...Array.from({ length: 6 }, (_, i) => `Touch${i + 1}`),
];

/** Those that have a value from -1 to 1 rather than being up or down. */
const AXES = ['GamepadLeftX', 'GamepadLeftY', 'GamepadRightX', 'GamepadRightY', 'TouchX', 'TouchY'];

/** Keys of a keyboard by what is printed on them, buttons and axes of a mouse, a gamepad and a touch screen. */
export const KEYS: readonly string[] = [...LETTERS, ...NAMED, ...AXES];

/** By their names in small letters, also those of `KeyboardEvent.code` for letters and digits. */
const spellings = new Map([
	...KEYS.map((key) => [key.toLowerCase(), key] as const),
	...LETTERS.map((key) => [`${/\d/.test(key) ? 'digit' : 'key'}${key.toLowerCase()}`, key] as const),
	[' ', 'Space'] as const,
]);

/** Returns the name of a key as it is kept; undefined for one that there is none of. */
export const keyNamed = (sent: string): string | undefined =>
	spellings.get(sent.toLowerCase()) ?? spellings.get(sent.trim().toLowerCase());

export const keyName = z
	.preprocess(
		(value, context) => {
			if (typeof value !== 'string') return value;
			const key = keyNamed(value);
			if (key !== undefined) return key;
			const near = nearest(value, KEYS);
			context.addIssue({
				code: 'custom',
				message: `there is no key of this name${near === undefined ? '' : `; did you mean "${near}"?`}`,
			});
			return z.NEVER;
		},
		z.enum(KEYS as [string, ...string[]]),
	)
	.describe(
		'Key: its label, such as W or 1, or Space, Enter, ArrowUp, F1, MouseLeft, GamepadA, GamepadLeftX, Touch1, TouchX',
	)
	.meta({ id: 'Key' }) as unknown as z.ZodType<string, string>;

/** Actions that the engine performs for the played entity. All other actions are events, for rules and scripts. */
export const PLAYER_ACTIONS = {
	move_forward: 'Walks towards -z while held',
	move_back: 'Walks towards +z while held',
	move_left: 'Walks towards -x while held',
	move_right: 'Walks towards +x while held',
	move_x: 'Axis: walks along x, by its value',
	move_z: 'Axis: walks along z, by its value',
	attack: 'Attacks the nearest enemy in range while held',
	attack_move: 'Walks to the point and fights enemies on the way; without a point, fights from its position',
	move_or_attack: 'Walks to the point, or pursues and attacks the target',
	stop: 'Stops, and attacks nothing',
	ability_q: 'Casts the ability in slot Q at the target, at the point, or forwards',
	ability_w: 'Casts the ability in slot W, as ability_q does',
	ability_e: 'Casts the ability in slot E, as ability_q does',
	ability_r: 'Casts the ability in slot R, as ability_q does',
} as const;
export type PlayerAction = keyof typeof PLAYER_ACTIONS;

export const actionName = text(
	'An action of GET /input/list, or any other word, which becomes an event for rules',
	40,
)
	.regex(/^[a-z][a-z0-9_]*$/, 'an action must be a word of lower-case letters, digits and _, such as jump')
	.meta({ id: 'InputAction' });

/** Name of a context: keys mean what the topmost context on the stack binds them to. */
export const contextName = text('Context, such as gameplay or menu', 40)
	.regex(/^[a-z][a-z0-9_]*$/, 'a context must be a word of lower-case letters, digits and _, such as menu')
	.meta({ id: 'InputContext' });

export const GAMEPLAY = 'gameplay';
export const MAX_BINDINGS = 500;
export const MAX_CONTEXTS = 16;

export const binding = z.strictObject({ key: keyName, action: actionName, context: contextName });
export type Binding = Readonly<z.output<typeof binding>>;

/** Bindings, in order of context and key, and the stack of contexts, the topmost last. */
export const inputMap = z.strictObject({
	bindings: z.array(binding).max(MAX_BINDINGS),
	contexts: z.array(contextName).min(1).max(MAX_CONTEXTS),
});
export type InputMap = Readonly<z.output<typeof inputMap>>;

const usual = (action: string, ...keys: string[]): Binding[] =>
	keys.map((key) => ({ key, action, context: GAMEPLAY }));

/** Default bindings of keys. */
export const DEFAULT_BINDINGS: readonly Binding[] = [
	...usual('ability_q', 'Q', 'GamepadA', 'Touch1'),
	...usual('ability_w', 'W', 'GamepadB', 'Touch2'),
	...usual('ability_e', 'E', 'GamepadX', 'Touch3'),
	...usual('ability_r', 'R', 'GamepadY', 'Touch4'),
	...usual('stop', 'S'),
	...usual('attack_move', 'A'),
	...usual('attack', 'F', 'GamepadRT', 'Touch5'),
	...usual('center_camera', 'Space'),
	...usual('move_or_attack', 'MouseRight'),
	...usual('move_forward', 'ArrowUp', 'GamepadUp'),
	...usual('move_back', 'ArrowDown', 'GamepadDown'),
	...usual('move_left', 'ArrowLeft', 'GamepadLeft'),
	...usual('move_right', 'ArrowRight', 'GamepadRight'),
	...usual('move_x', 'GamepadLeftX', 'TouchX'),
	...usual('move_z', 'GamepadLeftY', 'TouchY'),
];

const value = number('1: down, 0: up; of an axis: from -1 to 1', { min: -1, max: 1 });

/** An input that waits for its tick. */
export const queuedInput = z.strictObject({
	tick: tick('Tick on which it takes effect'),
	entity: handle.nullable(),
	key: keyName.nullable(),
	action: actionName,
	phase: z.enum(INPUT_PHASES),
	value,
	ticks: z.int().min(1).nullable().describe('Time it is held; null: until it is released'),
	target: handle.nullable(),
	point: position.nullable(),
});
export type QueuedInput = Readonly<z.output<typeof queuedInput>>;

/** An input that is held down, or an axis that is not at rest. */
export const heldInput = z.strictObject({
	entity: handle.nullable(),
	key: keyName.nullable(),
	action: actionName,
	value,
	until: tick('First tick it is no longer held; null: held until released').nullable(),
});
export type HeldInput = Readonly<z.output<typeof heldInput>>;

/** Maximum number of inputs that wait or are held at once. */
export const MAX_INPUTS = 10_000;

/** Held keys, in the order in which they were pressed, and waiting input, in the order in which it takes effect. */
export const inputState = z.strictObject({
	held: z.array(heldInput).max(MAX_INPUTS),
	queue: z.array(queuedInput).max(MAX_INPUTS),
});
export type InputState = Readonly<z.output<typeof inputState>>;

/** Longest that one input holds something, and how far ahead it may be sent (ticks). */
const MAX_TICKS = 1_000_000;

/** The input, and the entity that it is for. */
const named = {
	key: optional(keyName),
	action: optional(
		actionName.describe('One of GET /input/list, or any other word, instead of a key bound to it'),
	),
	entity_id: optional(
		entityId.describe('Entity that is played; left out: the only player, or none if there is none'),
	),
	entity_generation: optional(generation),
};

const aimed = {
	target_id: optional(entityId.describe('Entity it is aimed at, as by pointing at it')),
	target_generation: optional(generation),
	point: optional(position.describe('Point in the world it is aimed at, as by pointing at the ground')),
};

const holdFields = {
	ticks: optional(integer('Time it is held; left out: one tick', { unit: 'ticks', min: 1, max: MAX_TICKS })),
	hold: optional(flag('Held until it is released; leave `ticks` out')),
};

const axisValue = number('Position of the axis, 0: at rest', { min: -1, max: 1 });

const when = {
	tick: optional(
		integer('Tick on which it takes effect: the number of ticks completed before; left out: the next one', {
			unit: 'tick',
		}),
	),
};

/** A key or an action, and not both. */
const oneOfTwo = [{ oneOf: [isGiven('key'), isGiven('action')] }];
const isOne = ({
	key,
	action,
}: {
	readonly key?: string | null | undefined;
	readonly action?: string | null | undefined;
}) => (key == null) !== (action == null);
const ONE = 'send either a key or an action';
const notBoth = {
	not: { allOf: [isGiven('ticks'), { properties: { hold: { const: true } }, required: ['hold'] }] },
};
const isOnce = ({
	ticks,
	hold,
}: {
	readonly ticks?: number | null | undefined;
	readonly hold?: boolean | null | undefined;
}) => ticks == null || hold !== true;
const ONCE = 'send either ticks or hold';

export const pressBody = z
	.strictObject({ ...named, ...holdFields, ...aimed, ...when })
	.refine(isOne, ONE)
	.refine(isOnce, ONCE)
	.meta({ allOf: [...oneOfTwo, notBoth] });
export const releaseBody = z
	.strictObject({ ...named, ...when })
	.refine(isOne, ONE)
	.meta({ allOf: oneOfTwo });
export const axisBody = z
	.strictObject({
		...named,
		value: axisValue,
		ticks: optional(
			integer('Time the axis stays there; left out: until it is moved again', {
				unit: 'ticks',
				min: 1,
				max: MAX_TICKS,
			}),
		),
		...when,
	})
	.refine(isOne, ONE)
	.meta({ allOf: oneOfTwo });

/** An input of a step: pressed unless it says otherwise. */
export const stepInput = z
	.strictObject({
		at: integer('Ticks of this call before it takes effect', { unit: 'ticks', max: MAX_TICKS }).default(0),
		...named,
		...holdFields,
		...aimed,
		release: optional(flag('Releases it instead of pressing it')),
		value: optional(axisValue.describe('Moves an axis there instead of pressing a key')),
	})
	.refine(isOne, ONE)
	.refine(isOnce, ONCE)
	.refine(({ release, value: moved }) => release !== true || moved == null, 'send either release or value')
	.meta({
		allOf: [
			...oneOfTwo,
			notBoth,
			{
				not: {
					allOf: [isGiven('value'), { properties: { release: { const: true } }, required: ['release'] }],
				},
			},
		],
	});
export type StepInput = z.output<typeof stepInput>;
