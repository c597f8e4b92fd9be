/**
 * The outcomes of the shown tick, or a sentence if there are none to list.
 * Owns: the choice between table and sentence.
 */

import { usePanels } from '../state/panels.ts';
import { OutcomeTable } from './outcome-table.tsx';
import { NoOdds, NotForetold, OneWay } from './plain-words.tsx';

export function Outcomes() {
	const { odds } = usePanels();
	const last = odds.shown.value === 'last' ? odds.last.value : null;
	if (last !== null) {
		if (last.foretold === null) return <NotForetold last={last} />;
		return (
			<OutcomeTable
				key={`last ${last.world} ${last.tick}`}
				foretold={last.foretold}
				drawn={last.drawn}
				unlisted={last.drawn.length === 0}
			/>
		);
	}
	const next = odds.next.foretold.value;
	if (next === null || odds.next.refusal.value !== null) return <NoOdds />;
	const { peek, world } = next;
	if (peek.exact && peek.factors.length === 0) return <OneWay foretold={next} />;
	return (
		<OutcomeTable key={`next ${world} ${peek.state_digest}`} foretold={next} drawn={[]} unlisted={false} />
	);
}
