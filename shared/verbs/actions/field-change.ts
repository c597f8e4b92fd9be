/** Common parts of the actions that change a number. Owns: their syntax, and the names that they read and write. */

import { text } from '../../contract/values.ts';
import type { VerbAccess } from '../access.ts';
import { fieldPath, fieldReads } from '../field-name.ts';
import { aimWord, inOrder, numberWord, plainWord } from './words.ts';

export const field = text('Number of a component, such as health.current').meta({ format: 'field' });

export const FORM = 'TARGET FIELD VALUE';

/** Functions that read and write the words `TARGET FIELD VALUE`. */
export const changeWords = inOrder(aimWord, plainWord('field'), numberWord('value', 'the value'));

/** Returns the access of a field change. Health above 0 also removes `dead`. A new maximum also removes what effects added to it. */
export function changeAccess({ field: name }: { readonly field: string }): VerbAccess {
	const path = fieldPath(name);
	const [written, ...lengthField] = fieldReads(path) as [string, ...string[]];
	if (lengthField.length > 0) return { reads: lengthField, writes: [written], emits: ['action_failed'] };
	if (written === 'health.current') return { reads: [written, 'dead'], writes: [written, 'dead'] };
	return { writes: path.field === 'max' ? [written, 'stats'] : [written] };
}

/** Returns the access of an addition, which also reads the changed field. */
export function additionAccess(change: { readonly field: string }): VerbAccess {
	const { reads = [], writes = [], ...otherAccess } = changeAccess(change);
	return { ...otherAccess, reads: [...new Set([...reads, writes[0]!])], writes };
}
