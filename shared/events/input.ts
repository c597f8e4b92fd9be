/** A player pressed or released an input, or moved an axis. The player is a person or an agent. */

import * as z from 'zod';
import { entityField, event } from '../contract/event.ts';
import { number, position, text } from '../contract/values.ts';

export const INPUT_PHASES = ['pressed', 'released', 'moved'] as const;

export const Input = event({
	kind: 'input',
	summary: 'A person or a call pressed or released an action, or moved an axis',
	subject: 'entity',
	source: 'target',
	fields: {
		entity: entityField('Entity that is played; null: none').nullable(),
		action: text('The action'),
		key: text('Key bound to it; null: the action itself was sent').nullable(),
		phase: z.enum(INPUT_PHASES).describe('Kind of change'),
		value: number('1: down, 0: up; of an axis: from -1 to 1', { min: -1, max: 1 }),
		target: entityField('Entity it was aimed at; null: none').nullable(),
		point: position.nullable().describe('Point it was aimed at; null: none'),
	},
});
