/**
 * The view of odds: the branches of the next tick, or of the last one, and the draws they are made of.
 * Owns: the layout of draws and branches, and which of the two ticks is shown.
 */

import { usePanels } from '../state/panels.ts';
import { ChancePane } from './chance-pane.tsx';
import { OddsChecks } from './odds-checks.tsx';
import { OddsHead } from './odds-head.tsx';
import { OutcomeTable } from './outcome-table.tsx';
import { NoOdds, NotForetold, OneWay } from './plain-words.tsx';

export function OddsView() {
	const { odds } = usePanels();
	return (
		<main class="view view-odds" aria-label="Odds">
			<ChancePane />
			<section class="odds-main" aria-label="Outcomes" aria-busy={odds.asking.value !== null}>
				<OddsHead />
				<Outcomes />
				<OddsChecks />
			</section>
		</main>
	);
}

function Outcomes() {
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
	const next = odds.next.value;
	if (next === null || odds.refusal.value !== null) return <NoOdds />;
	const { peek, world } = next;
	if (peek.exact && peek.factors.length === 0) return <OneWay foretold={next} />;
	return (
		<OutcomeTable key={`next ${world} ${peek.state_digest}`} foretold={next} drawn={[]} unlisted={false} />
	);
}
