/** Common parts of the actions that change a number. Owns: their syntax and what they read and write. */

import { text } from '../../contract/values.ts';
import type { Access } from '../access.ts';
import { fieldPath, fieldReads } from '../field-name.ts';
import { aim, inOrder, numeric, plain } from './words.ts';

export const field = text('Number of a component, such as health.current').meta({ format: 'field' });

export const FORM = 'TARGET FIELD VALUE';

/** `TARGET FIELD VALUE`. */
export const changeWords = inOrder(aim, plain('field'), numeric('value', 'the value'));

/** Health above 0 revives the dead, and setting a maximum discards what effects had added to it. */
export function changeAccess({ field: name }: { readonly field: string }): Access {
	const path = fieldPath(name);
	const [written, ...decides] = fieldReads(path) as [string, ...string[]];
	if (decides.length > 0) return { reads: decides, writes: [written], emits: ['action_failed'] };
	if (written === 'health.current') return { reads: [written, 'dead'], writes: [written, 'dead'] };
	return { writes: path.field === 'max' ? [written, 'stats'] : [written] };
}

/** The same, for an action that also reads the value it changes. */
export function additionAccess(change: { readonly field: string }): Access {
	const { reads = [], writes = [], ...more } = changeAccess(change);
	return { ...more, reads: [...new Set([...reads, writes[0]!])], writes };
}
