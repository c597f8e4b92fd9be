/** The target `tag`: all entities with a label. */

import { text } from '../../contract/values.ts';
import { inQuotes } from '../verb-text.ts';
import { targetRecord } from './target.ts';

export const tag = targetRecord({
	kind: 'tag',
	value: text('All entities with this label'),
	form: 'NAME',
	read: (label) => label,
	write: inQuotes,
	cardinality: 'many',
	access: { reads: ['entities', 'tags'] },
});
