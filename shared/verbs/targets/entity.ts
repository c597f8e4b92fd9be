/** The target `entity`: one entity, by its id. */

import { entityId } from '../../contract/values.ts';
import { readWhole } from '../verb-text.ts';
import { targetRecord } from './target.ts';

export const entity = targetRecord({
	kind: 'entity',
	value: entityId,
	form: 'ID',
	read: (text) => readWhole(text, 'the id of a target'),
	access: { reads: ['entities'] },
});
