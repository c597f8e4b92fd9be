/** The target `team`: all entities of a team. */

import { teamNumber } from '../../components/team.ts';
import { readWhole } from '../verb-text.ts';
import { targetRecord } from './target.ts';

export const team = targetRecord({
	kind: 'team',
	value: teamNumber.describe('All entities of this team'),
	form: 'N',
	read: (text) => readWhole(text, 'the team of a target'),
	cardinality: 'many',
	access: { reads: ['entities', 'team'] },
});
