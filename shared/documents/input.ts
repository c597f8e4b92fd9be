/**
 * Input of players' devices and of agents: keys, their bindings, and pressed keys.
 * Owns: the names of keys, the actions that the engine performs itself, and the shapes in worlds.
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

const CHARACTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'];

const NAMED_KEYS = [
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

/** Keys with a value from -1 to 1. Other keys are only up or down. */
const AXES = ['GamepadLeftX', 'GamepadLeftY', 'GamepadRightX', 'GamepadRightY', 'TouchX', 'TouchY'];

/** Keys of a keyboard by their labels, and buttons and axes of a mouse, a gamepad and a touch screen. */
export const KEYS: readonly string[] = [...CHARACTERS, ...NAMED_KEYS, ...AXES];

/** Keys by their name in small letters. Letters and digits also have their names in `KeyboardEvent.code`. */
const keysByName = new Map([
	...KEYS.map((key) => [key.toLowerCase(), key] as const),
	...CHARACTERS.map((key) => [`${/\d/.test(key) ? 'digit' : 'key'}${key.toLowerCase()}`, key] as const),
	[' ', 'Space'] as const,
]);

/** Returns the stored name of a key; undefined for an unknown key. */
const findKey = (name: string): string | undefined =>
	keysByName.get(name.toLowerCase()) ?? keysByName.get(name.trim().toLowerCase());

export const keyName = z
	.preprocess(
		(value, context) => {
			if (typeof value !== 'string') return value;
			const key = findKey(value);
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

/** Name of a context. The topmost context on the stack decides the action of a key. */
export const contextName = text('Context, such as gameplay or menu', 40)
	.regex(/^[a-z][a-z0-9_]*$/, 'a context must be a word of lower-case letters, digits and _, such as menu')
	.meta({ id: 'InputContext' });

export const GAMEPLAY = 'gameplay';
export const MAX_BINDINGS = 500;
export const MAX_CONTEXTS = 16;

export const binding = z.strictObject({ key: keyName, action: actionName, context: contextName });
export type Binding = Readonly<z.output<typeof binding>>;

/** Bindings in order of context and key, and the stack of contexts. The topmost context is last. */
export const inputMap = z.strictObject({
	bindings: z.array(binding).max(MAX_BINDINGS),
	contexts: z.array(contextName).min(1).max(MAX_CONTEXTS),
});
export type InputMap = Readonly<z.output<typeof inputMap>>;

const bindAll = (action: string, ...keys: string[]): Binding[] =>
	keys.map((key) => ({ key, action, context: GAMEPLAY }));

/** Default bindings of keys. */
export const DEFAULT_BINDINGS: readonly Binding[] = [
	...bindAll('ability_q', 'Q', 'GamepadA', 'Touch1'),
	...bindAll('ability_w', 'W', 'GamepadB', 'Touch2'),
	...bindAll('ability_e', 'E', 'GamepadX', 'Touch3'),
	...bindAll('ability_r', 'R', 'GamepadY', 'Touch4'),
	...bindAll('stop', 'S'),
	...bindAll('attack_move', 'A'),
	...bindAll('attack', 'F', 'GamepadRT', 'Touch5'),
	...bindAll('center_camera', 'Space'),
	...bindAll('move_or_attack', 'MouseRight'),
	...bindAll('move_forward', 'ArrowUp', 'GamepadUp'),
	...bindAll('move_back', 'ArrowDown', 'GamepadDown'),
	...bindAll('move_left', 'ArrowLeft', 'GamepadLeft'),
	...bindAll('move_right', 'ArrowRight', 'GamepadRight'),
	...bindAll('move_x', 'GamepadLeftX', 'TouchX'),
	...bindAll('move_z', 'GamepadLeftY', 'TouchY'),
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

/** A held input, or an axis that is not at rest. */
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

/** Held inputs in the order of the presses, and waiting inputs in the order in which they take effect. */
export const inputState = z.strictObject({
	held: z.array(heldInput).max(MAX_INPUTS),
	queue: z.array(queuedInput).max(MAX_INPUTS),
});
export type InputState = Readonly<z.output<typeof inputState>>;

/** Maximum duration of an input, and maximum time before it takes effect (ticks). */
const MAX_TICKS = 1_000_000;

/** Fields that name an input and its entity. */
const inputFields = {
	key: optional(keyName),
	action: optional(
		actionName.describe('One of GET /input/list, or any other word, instead of a key bound to it'),
	),
	entity_id: optional(
		entityId.describe('Entity that is played; left out: the only player, or none if there is none'),
	),
	entity_generation: optional(generation),
};

const aimFields = {
	target_id: optional(entityId.describe('Entity it is aimed at, as by pointing at it')),
	target_generation: optional(generation),
	point: optional(position.describe('Point in the world it is aimed at, as by pointing at the ground')),
};

const holdFields = {
	ticks: optional(integer('Time it is held; left out: one tick', { unit: 'ticks', min: 1, max: MAX_TICKS })),
	hold: optional(flag('Held until it is released; leave `ticks` out')),
};

const axisValue = number('Position of the axis, 0: at rest', { min: -1, max: 1 });

const tickField = {
	tick: optional(
		integer('Tick on which it takes effect: the number of ticks completed before; left out: the next one', {
			unit: 'tick',
		}),
	),
};

/** JSON Schema: either a key or an action, but not both. */
const keyOrActionSchema = [{ oneOf: [isGiven('key'), isGiven('action')] }];
const hasKeyOrAction = ({
	key,
	action,
}: {
	readonly key?: string | null | undefined;
	readonly action?: string | null | undefined;
}) => (key == null) !== (action == null);
const KEY_OR_ACTION = 'send either a key or an action';
const ticksOrHoldSchema = {
	not: { allOf: [isGiven('ticks'), { properties: { hold: { const: true } }, required: ['hold'] }] },
};
const hasTicksOrHold = ({
	ticks,
	hold,
}: {
	readonly ticks?: number | null | undefined;
	readonly hold?: boolean | null | undefined;
}) => ticks == null || hold !== true;
const TICKS_OR_HOLD = 'send either ticks or hold';

export const pressBody = z
	.strictObject({ ...inputFields, ...holdFields, ...aimFields, ...tickField })
	.refine(hasKeyOrAction, KEY_OR_ACTION)
	.refine(hasTicksOrHold, TICKS_OR_HOLD)
	.meta({ allOf: [...keyOrActionSchema, ticksOrHoldSchema] });
export const releaseBody = z
	.strictObject({ ...inputFields, ...tickField })
	.refine(hasKeyOrAction, KEY_OR_ACTION)
	.meta({ allOf: keyOrActionSchema });
export const axisBody = z
	.strictObject({
		...inputFields,
		value: axisValue,
		ticks: optional(
			integer('Time the axis stays there; left out: until it is moved again', {
				unit: 'ticks',
				min: 1,
				max: MAX_TICKS,
			}),
		),
		...tickField,
	})
	.refine(hasKeyOrAction, KEY_OR_ACTION)
	.meta({ allOf: keyOrActionSchema });

/** An input of a step. By default it is a press. */
export const stepInput = z
	.strictObject({
		at: integer('Ticks of this call before it takes effect', { unit: 'ticks', max: MAX_TICKS }).default(0),
		...inputFields,
		...holdFields,
		...aimFields,
		release: optional(flag('Releases it instead of pressing it')),
		value: optional(axisValue.describe('Moves an axis there instead of pressing a key')),
	})
	.refine(hasKeyOrAction, KEY_OR_ACTION)
	.refine(hasTicksOrHold, TICKS_OR_HOLD)
	.refine(({ release, value: moved }) => release !== true || moved == null, 'send either release or value')
	.meta({
		allOf: [
			...keyOrActionSchema,
			ticksOrHoldSchema,
			{
				not: {
					allOf: [isGiven('value'), { properties: { release: { const: true } }, required: ['release'] }],
				},
			},
		],
	});
export type StepInput = z.output<typeof stepInput>;
