/**
 * The view of odds: the branches of the next tick, or of the last one, and the draws they are made of.
 * Owns: the layout of draws and branches, and which of them is shown.
 */

import type { PageView } from '../chrome/views.ts';
import { later } from '../state/later.tsx';
import { usePanels } from '../state/panels.ts';
import { ChancePane } from './chance-pane.tsx';
import { OddsChecks } from './odds-checks.tsx';
import { OddsHead } from './odds-head.tsx';

/** Loaded later, because describing rules needs the declarations of all conditions. */
const Outcomes = later(
	async () => (await import('./outcomes.tsx')).Outcomes,
	(words) => <p class="empty">{words}</p>,
);

const TreeView = later(
	async () => (await import('./tree-view.tsx')).TreeView,
	(words) => <p class="empty">{words}</p>,
);

const QuestionView = later(
	async () => (await import('./question-view.tsx')).QuestionView,
	(words) => <p class="empty">{words}</p>,
);

export const odds: PageView = {
	label: 'Odds',
	icon: 'odds',
	stage: true,
	selects: true,
	undoes: true,
	Component: OddsView,
};

function OddsView() {
	const { odds, worlds } = usePanels();
	const tab = odds.shown.value;
	return (
		<main class="view view-odds" aria-label="Odds">
			<h1 class="only-said">Odds</h1>
			<ChancePane />
			<section class="odds-main" aria-label="Outcomes" aria-busy={odds.next.asking.value !== null}>
				<OddsHead />
				{tab === 'tree' ? (
					<TreeView />
				) : tab === 'ask' ? (
					<QuestionView key={worlds.selected.value} />
				) : (
					<Outcomes />
				)}
				{tab !== 'tree' && tab !== 'ask' && <OddsChecks />}
			</section>
		</main>
	);
}
