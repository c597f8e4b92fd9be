/** A player, a person or an agent, pressed or released something. */

import * as z from 'zod';
import { event, someone } from '../contract/event.ts';
import { number, position, text } from '../contract/values.ts';

export const INPUT_PHASES = ['pressed', 'released', 'moved'] as const;

export const Input = event({
	kind: 'input',
	summary: 'An action was pressed or released, or an axis moved, by a person or by a call',
	subject: 'entity',
	source: 'target',
	fields: {
		entity: someone('Entity that is played; null: none').nullable(),
		action: text('The action'),
		key: text('Key that was bound to it; null: the action itself was sent').nullable(),
		phase: z.enum(INPUT_PHASES).describe('What happened'),
		value: number('1: down, 0: up; of an axis: from -1 to 1', { min: -1, max: 1 }),
		target: someone('Entity that it was aimed at; null: none').nullable(),
		point: position.nullable().describe('Point that it was aimed at; null: none'),
	},
});
