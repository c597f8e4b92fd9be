/**
 * The view of worlds: main and its forks as lines over the ticks, side by side, and as a list.
 * Owns: the layout of lines, actions, comparison and table.
 */

import { useState } from 'preact/hooks';
import type { PageView } from '../chrome/views.ts';
import { Icon } from '../drawn/icon.tsx';
import { count, formatNumber } from '../numbers.ts';
import { later } from '../state/later.tsx';
import { usePanels } from '../state/panels.ts';
import { originWords } from '../worlds/fork-list.ts';
import { WorldActions } from './world-actions.tsx';
import { WorldLinesDrawing } from './world-lines.tsx';
import { WorldTable } from './world-table.tsx';

const SplitView = later(
	async () => (await import('./split-view.tsx')).SplitView,
	(words) => <p class="empty">{words}</p>,
);

/** Number of forks above which the search is shown. */
const MANY = 8;

export const forks: PageView = {
	label: 'Forks',
	icon: 'forks',
	undoes: true,
	Component: ForksView,
};

function ForksView() {
	const { worlds, compare } = usePanels();
	const forks = worlds.forks.value;
	const [find, setFind] = useState('');
	const query = find.trim().toLowerCase();
	const found = forks.filter((fork) => `${fork.id} ${originWords(fork)}`.toLowerCase().includes(query));
	const mode = compare.mode.value;
	const ticks = compare.shown.value.map(({ tick }) => tick);
	const last = Math.max(0, ...ticks);
	const isRunning = compare.shown.value.some(({ playing }) => playing);
	const isSame = !isRunning && ticks.every((tick) => tick === last);
	const choose = (name: 'split' | 'list', label: string) => (
		<button
			type="button"
			aria-pressed={mode === name}
			onClick={() => {
				compare.mode.value = name;
			}}
		>
			{label}
		</button>
	);
	return (
		<main class="view view-forks" aria-label="Forks">
			<h1 class="only-said">Forks</h1>
			<section class="fork-tree" aria-label="Worlds along the ticks">
				<div class="pane-head">
					<h2>Worlds</h2>
					<span class="faint">main{forks.length > 0 && `, ${count(forks.length, 'fork')}`}</span>
					{(forks.length > MANY || find !== '') && <ForkSearch text={find} change={setFind} />}
					<span class="grow" />
					{compare.camera.isTurned.value && mode === 'split' && (
						<button
							type="button"
							class="button quiet square"
							aria-label="Use the camera of main"
							title="Camera of main"
							onClick={() => compare.camera.lookAsMain()}
						>
							<Icon name="undo" />
						</button>
					)}
					{mode === 'split' && (
						<>
							<button
								type="button"
								class="button"
								aria-pressed={compare.isTogether.value}
								title="Step all shown worlds, not only the selected one"
								onClick={() => {
									compare.isTogether.value = !compare.isTogether.value;
								}}
							>
								<Icon name="step" />
								Together
							</button>
							<button
								type="button"
								class="button"
								disabled={isSame || worlds.time.stepping.value > 0}
								title={
									isSame
										? 'They are at the same tick'
										: isRunning
											? 'Pause the worlds that run, and step those that are behind'
											: `Step the worlds that are behind up to tick ${formatNumber(last)}`
								}
								onClick={() => void compare.toSameTick()}
							>
								<Icon name="cmp" />
								Same tick
							</button>
						</>
					)}
					<fieldset class="segmented" aria-label="Worlds below">
						{choose('split', 'Side by side')}
						{choose('list', 'List')}
					</fieldset>
					<button
						type="button"
						class="button"
						title="B"
						onClick={() => void worlds.forking.branch(worlds.selected.value)}
					>
						<Icon name="forks" />
						<span class="cut">Branch {worlds.selected.value}</span>
					</button>
				</div>
				<WorldLinesDrawing forks={found} />
			</section>
			<WorldActions />
			{mode === 'split' ? <SplitView /> : <WorldTable forks={found} />}
		</main>
	);
}

function ForkSearch({ text, change }: { readonly text: string; readonly change: (text: string) => void }) {
	return (
		<span class="field fork-search">
			<input
				type="search"
				placeholder="Find a fork"
				aria-label="Find a fork by its name or where it left"
				value={text}
				onInput={(event) => change(event.currentTarget.value)}
			/>
		</span>
	);
}
