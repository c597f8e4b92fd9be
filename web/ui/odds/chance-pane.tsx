/**
 * Chances of a tick: the picture, each independent draw, and the drawn outcomes.
 * Owns: their order.
 */

import { groupDigest } from '../drawn/digest.ts';
import { Icon } from '../drawn/icon.tsx';
import { Signature } from '../drawn/signature.tsx';
import { count, formatNumber } from '../numbers.ts';
import { Stage } from '../stage/stage.tsx';
import { later } from '../state/later.tsx';
import { usePanels } from '../state/panels.ts';
import type { Foretold } from './foretell.ts';
import { oneIn } from './fraction-words.ts';
import type { LastStep } from './last-step.ts';
import { partsOf, tallyOf } from './odds.ts';

const FactorSection = later(
	async () => (await import('./factor-section.tsx')).FactorSection,
	(words) => <p class="empty">{words}</p>,
);

/** Returns the number of rules that draw, as text: `2 of 118 rules`. */
function ruleShare({ peek, rules }: Foretold): string {
	const drawing = new Set<number>();
	for (const { outcomes } of peek.factors)
		for (const { choices } of outcomes)
			for (const { rule } of choices) if (typeof rule === 'number') drawing.add(rule);
	return drawing.size === 0 ? '' : `${drawing.size} of ${count(rules.size, 'rule')}`;
}

/** Returns the drawn outcome of each factor, or -1. */
function drawnParts({ foretold, sampled, drawn }: LastStep): readonly number[] {
	if (foretold === null) return [];
	if (sampled !== null) return partsOf(foretold.peek.factors, sampled);
	return drawn.length === 1 ? foretold.rows[drawn[0]!]!.parts : [];
}

function DrawnStep({ last }: { readonly last: LastStep }) {
	const { foretold, drawn, tick, digest } = last;
	const branch = foretold !== null && drawn.length === 1 ? foretold.rows[drawn[0]!]!.branch : null;
	const labels = tallyOf(branch?.choices ?? last.sampled ?? []);
	return (
		<section class="drawn-step" aria-label="Draws of this step">
			<h3 class="caps">Draws of this step</h3>
			<div class="row">
				<Signature digest={digest} size={56} />
				<div>
					<p>
						{labels === '' ? 'One of several outcomes with the same state' : labels}
						{branch !== null && `, ${oneIn(branch.probability)}`}
					</p>
					<p class="soft">led to tick {formatNumber(tick)}</p>
					<p class="mono soft">{groupDigest(digest)}</p>
				</div>
			</div>
		</section>
	);
}

export function ChancePane() {
	const { odds } = usePanels();
	const last = odds.shown.value === 'last' ? odds.last.value : null;
	const foretold = last === null ? odds.next.foretold.value : last.foretold;
	const pointed = odds.pointed.value;
	const drawn = last === null ? [] : drawnParts(last);
	const highlighted = foretold === null || pointed === null ? [] : (foretold.rows[pointed]?.parts ?? []);
	const hasFactors = foretold !== null && foretold.peek.factors.length > 0;
	return (
		<section class="pane chance" aria-label="Draws of the next tick">
			<Stage />
			<div class="pane-head">
				<h2>Draws</h2>
				<span class="grow" />
				<span class="faint">{foretold !== null && ruleShare(foretold)}</span>
				<NextChance />
			</div>
			<div class="scroll">
				{hasFactors ? (
					foretold.peek.factors.map((factor, index) => (
						<FactorSection
							// Factors have no name of their own; their order is that of the tick.
							key={index}
							factor={factor}
							rules={foretold.rules}
							drawn={drawn[index] ?? -1}
							highlighted={highlighted[index] ?? -1}
						/>
					))
				) : (
					<p class="empty">{foretold === null ? 'Not read yet.' : 'None.'}</p>
				)}
				{last !== null && (last.sampled?.length !== 0 || last.drawn.length > 0) && <DrawnStep last={last} />}
				{hasFactors && (
					<p class="chance-note soft">
						The world seed, tick, rule, entity and count determine each draw. A new rule changes no other
						draw.
					</p>
				)}
			</div>
		</section>
	);
}

/** Runs the world to its next draw. */
export function NextChance() {
	const { odds, worlds } = usePanels();
	const isRunning = odds.run.running.value;
	const selectedWorld = worlds.selectedInfo.value;
	return (
		<button
			type="button"
			class="button small"
			aria-pressed={isRunning}
			disabled={!isRunning && (worlds.time.stepping.value > 0 || selectedWorld?.playing !== false)}
			title={
				selectedWorld?.playing === true
					? 'Pause the world first (Space)'
					: 'Make ticks until the next one leaves something to chance (C)'
			}
			onClick={() => void odds.run.toggle()}
		>
			{isRunning ? <span class="waiting-ring" /> : <Icon name="next" small />}
			{isRunning ? 'Stop' : 'Next chance'}
		</button>
	);
}
