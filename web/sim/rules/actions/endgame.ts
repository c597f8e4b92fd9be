/** The action `endgame`: ends the match. */

import type { MatchCause } from '../../../../shared/documents/match.ts';
import { type Action, actionKind } from '../../../../shared/verbs/actions/index.ts';
import { endMatch, matchState } from '../../match/match.ts';
import { causeOf } from '../../match/match-cause.ts';
import { type ActionBehaviour, type Doer, fail } from './action.ts';

export const endgame: ActionBehaviour<'endgame'> = {
	act: (world, action, _target, _occurrence, doer) => {
		if (matchState(world) !== null && !endMatch(world, causeFrom(doer), action.winner_team))
			fail(world, action, null, 'match_over');
	},
	warn: (world) => {
		const match = matchState(world);
		if (match === null) return [': there is currently no match'];
		return match.phase === 'post_match' ? [': the match is already over, so this does nothing'] : [];
	},
};

function causeFrom({ kind, name, actions }: Doer): MatchCause {
	if (kind === 'script') return causeOf('script');
	return {
		kind: 'rule',
		rule: name ?? null,
		text: actions.map(textOf).find((text) => text !== null) ?? null,
	};
}

/** Returns the text that an action shows, or null. A text with placeholders changes later, so it is not used. */
function textOf(action: Action): string | null {
	const { kind } = actionKind(action);
	if ((kind !== 'text' && kind !== 'set_text') || !('text' in action)) return null;
	return typeof action.text === 'string' && !action.text.includes('{') ? action.text : null;
}
