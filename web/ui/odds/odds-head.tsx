/**
 * The head of the outcomes: their number, their origin, the choice of the shown odds, and the button that opens forks.
 * Owns: the choice of the shown odds.
 */

import { Icon } from '../drawn/icon.tsx';
import { formatNumber } from '../numbers.ts';
import { type Panels, usePanels } from '../state/panels.ts';
import { MAX_OPENED } from './odds-state.ts';
import { subtitle, title } from './odds-words.ts';

function words({ odds, worlds }: Panels): readonly [string, string] {
	const last = odds.shown.value === 'last' ? odds.last.value : null;
	if (last !== null) {
		const { foretold } = last;
		if (foretold === null)
			return [`Tick ${formatNumber(last.tick)} was drawn`, 'The odds were not read before the step.'];
		return [
			title(foretold.peek, foretold.rows.length, true),
			subtitle(foretold.peek, foretold.rows.length, last.drawn.length),
		];
	}
	const next = odds.next.foretold.value;
	if (next !== null)
		return [title(next.peek, next.rows.length, false), subtitle(next.peek, next.rows.length, null)];
	const selectedWorld = worlds.selectedInfo.value;
	return [
		'The next tick',
		selectedWorld?.playing === true
			? 'The odds are read only while the world is paused.'
			: 'The odds as exact fractions.',
	];
}

const TABS = [
	['next', 'Next step', 'The outcomes of the next tick'],
	['last', 'Last step', 'The outcomes of the last tick, and the drawn one'],
	['tree', 'Tree', 'The draws of the coming ticks, branch by branch'],
	['ask', 'Ask', 'The chance of a condition that you type'],
] as const;

export function OddsHead() {
	const panels = usePanels();
	const { odds } = panels;
	const noLast = odds.last.value === null;
	const tab = odds.shown.value === 'last' && noLast ? 'next' : odds.shown.value;
	const [heading, from] =
		tab === 'tree'
			? ['The coming draws', 'Each with the exact chance of its draw, and of its whole way.']
			: tab === 'ask'
				? ['The chance of a condition', 'Exact, over all branches of the coming ticks.']
				: words(panels);
	return (
		<header class="odds-head">
			<div class="grow">
				<h2>{heading}</h2>
				<p class="soft">{from}</p>
			</div>
			<fieldset class="segmented" aria-label="Shown odds">
				{TABS.map(([name, label, tooltip]) => (
					<button
						key={name}
						type="button"
						aria-pressed={tab === name}
						disabled={name === 'last' && noLast}
						title={name === 'last' && noLast ? 'Step once (.) to see what is drawn' : tooltip}
						onClick={() => {
							odds.shown.value = name;
						}}
					>
						{label}
					</button>
				))}
			</fieldset>
			{tab === 'next' && <ForksButton />}
		</header>
	);
}

/** Opens the branches of the next tick as forks. */
function ForksButton() {
	const { odds } = usePanels();
	const branches = odds.next.foretold.value?.rows.length ?? 0;
	const fitsAll = branches <= MAX_OPENED;
	const title =
		branches < 2
			? 'There is only one outcome'
			: `Make a fork for each ${fitsAll ? 'outcome' : `of the ${MAX_OPENED} likeliest outcomes`} and step it once`;
	return (
		<button
			type="button"
			class="button"
			disabled={branches < 2 || odds.opening.value}
			title={title}
			onClick={() => void odds.openAsForks()}
		>
			{odds.opening.value ? <span class="waiting-ring" /> : <Icon name="forks" />}
			{fitsAll ? 'Open as forks' : `Open the likeliest ${MAX_OPENED}`}
		</button>
	);
}
