/** The action `endgame`: ends the match for a team. */

import { teamNumber } from '../../components/team.ts';
import { AT_ONCE, action } from './action.ts';
import { inOrder, wholeWord } from './words.ts';

export const endgame = action({
	kind: 'endgame',
	when: AT_ONCE,
	fields: { winner_team: teamNumber },
	doc: 'Ends the match. If it has already ended, nothing changes and action_failed is sent with the reason match_over',
	form: 'TEAM',
	...inOrder(wholeWord('winner_team', 'the winning team')),
	access: { reads: ['match'], writes: ['match', 'match_cause'], emits: ['match', 'action_failed'] },
});
