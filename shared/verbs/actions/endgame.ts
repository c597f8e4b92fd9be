/** The action `endgame`: ends the match for a team. */

import { teamNumber } from '../../components/team.ts';
import { readWhole } from '../verb-text.ts';
import { action } from './action.ts';

export const endgame = action({
	kind: 'endgame',
	fields: { winner_team: teamNumber },
	doc: 'Ends the match. Once it is over, it does nothing but send action_failed with the reason match_over',
	form: 'TEAM',
	most: 1,
	read: ([team]) => ({ winner_team: readWhole(team, 'the winning team') }),
	access: { reads: ['match'], writes: ['match'], emits: ['match', 'action_failed'] },
});
