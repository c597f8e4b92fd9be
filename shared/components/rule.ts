/** A rule. Each rule is an entity. */

import * as z from 'zod';
import { component, json, scalar } from '../contract/component.ts';
import { TICK } from '../contract/tick.ts';

/** State that a rule keeps between ticks. */
export interface RuleMemory {
	/** True if it has fired at least once. */
	readonly fired: boolean;
	/** True if its condition is true now, for conditions without a subject. */
	readonly holds: boolean;
	/** Entities for which its condition is true now or for which it has fired, as `id:generation`, sorted. */
	readonly entities: readonly string[];
}

export const FRESH_MEMORY: RuleMemory = { fired: false, holds: false, entities: [] };

const memory = z.strictObject({ fired: z.boolean(), holds: z.boolean(), entities: z.array(z.string()) });

export const Rule = component({
	name: 'rule',
	title: 'Rule',
	scope: 'state',
	summary:
		'A rule: when its condition holds, it runs its actions or an outcome chosen at random. GET /rule/list shows it in full',
	fields: {
		document: json<unknown>(z.unknown(), null, 'The rule in typed form'),
		memory: json<RuleMemory>(memory, FRESH_MEMORY, 'State it keeps between ticks'),
		created: scalar('u32', 'Tick on which it was created', { unit: TICK }),
	},
	readout: null,
	inEntries: false,
});
