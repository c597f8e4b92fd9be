/**
 * The view of worlds: main and its forks as lines along the ticks, and as a list.
 * Owns: the places of drawing, actions and table.
 */

import type { View } from '../chrome/views.ts';
import { Icon } from '../drawn/icon.tsx';
import { count } from '../numbers.ts';
import { usePanels } from '../state/panels.ts';
import { WorldActions } from './world-actions.tsx';
import { WorldLinesDrawing } from './world-lines.tsx';
import { WorldTable } from './world-table.tsx';

export const forks: View = {
	label: 'Forks',
	icon: 'forks',
	undoes: true,
	Component: ForksView,
};

function ForksView() {
	const { worlds } = usePanels();
	const forks = worlds.forks.value;
	return (
		<main class="view view-forks" aria-label="Forks">
			<h1 class="only-said">Forks</h1>
			<section class="fork-tree" aria-label="Worlds along the ticks">
				<div class="pane-head">
					<h2>Worlds</h2>
					<span class="faint">main{forks.length > 0 && `, ${count(forks.length, 'fork')}`}</span>
					<span class="grow" />
					<button
						type="button"
						class="button"
						title="B"
						onClick={() => void worlds.branch(worlds.selected.value)}
					>
						<Icon name="forks" />
						Branch {worlds.selected.value} now
					</button>
				</div>
				<WorldLinesDrawing />
			</section>
			<WorldActions />
			<WorldTable />
		</main>
	);
}
