/** The condition `game_phase`: the match is in a phase. */

import { Refusal } from '../../contract/errors.ts';
import { nearest } from '../../contract/nearest.ts';
import { PHASES } from '../../documents/match.ts';
import { ABOUT_WORLD, typeCondition } from './condition.ts';
import { phaseWord } from './phase.ts';

export const gamePhase = typeCondition({
	name: 'game_phase',
	fields: () => ({ phase: phaseWord }),
	doc: 'While the match is in this phase. `this` is unset',
	about: ABOUT_WORLD,
	blank: {
		words: ['phase', 'game-phase'],
		form: 'phase NAME',
		take: (reader) => {
			const sent = reader.take()!;
			const phase = PHASES.find((candidate) => candidate === sent.toLowerCase());
			if (phase !== undefined) return reader.set('phase', phase);
			const near = nearest(sent, PHASES);
			throw new Refusal(
				`there is no phase "${sent}"`,
				near === undefined ? `Use one of: ${PHASES.join(', ')}.` : `Did you mean "${near}"?`,
			);
		},
	},
	write: (given) => `phase ${given.phase}`,
	say: (given) => `phase ${given.phase}`,
	reads: ['match'],
});
