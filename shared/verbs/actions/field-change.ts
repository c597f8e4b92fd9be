/** Common parts of the actions that change a number. Owns: their syntax and what they read and write. */

import { text } from '../../contract/values.ts';
import type { VerbAccess } from '../access.ts';
import { fieldPath, fieldReads } from '../field-name.ts';
import { aim, inOrder, numeric, plain } from './words.ts';

export const field = text('Number of a component, such as health.current').meta({ format: 'field' });

export const FORM = 'TARGET FIELD VALUE';

/** Syntax `TARGET FIELD VALUE`. */
export const changeWords = inOrder(aim, plain('field'), numeric('value', 'the value'));

/** Returns the access of a field change. Health above 0 also removes `dead`; a new maximum also removes effects' additions to it. */
export function changeAccess({ field: name }: { readonly field: string }): VerbAccess {
	const path = fieldPath(name);
	const [written, ...deciding] = fieldReads(path) as [string, ...string[]];
	if (deciding.length > 0) return { reads: deciding, writes: [written], emits: ['action_failed'] };
	if (written === 'health.current') return { reads: [written, 'dead'], writes: [written, 'dead'] };
	return { writes: path.field === 'max' ? [written, 'stats'] : [written] };
}

/** Returns the access of an action that also reads the changed field. */
export function additionAccess(change: { readonly field: string }): VerbAccess {
	const { reads = [], writes = [], ...more } = changeAccess(change);
	return { ...more, reads: [...new Set([...reads, writes[0]!])], writes };
}
