/**
 * Sentences that replace the table of outcomes.
 * Owns: those sentences, and the buttons for the next action.
 */

import { groupDigest } from '../drawn/digest.ts';
import { Icon } from '../drawn/icon.tsx';
import { Signature } from '../drawn/signature.tsx';
import { labelOfId } from '../entities/entity.ts';
import { formatNumber } from '../numbers.ts';
import { usePanels } from '../state/panels.ts';
import type { Foretold } from './foretell.ts';
import { oneIn } from './fraction-words.ts';
import type { LastStep } from './last-step.ts';
import { sourceName } from './rule-line.ts';

/** Shown while the odds are unknown: time runs, they are being read, or they were refused. */
export function NoOdds() {
	const { odds, worlds } = usePanels();
	const refusal = odds.next.refusal.value;
	const limit = odds.next.asking.value;
	if (refusal !== null)
		return (
			<div class="odds-words">
				<p class="bad">{refusal.sentence}</p>
				<p class="soft">{refusal.fix}</p>
				<button type="button" class="button" onClick={() => odds.next.again()}>
					Try again
				</button>
			</div>
		);
	if (worlds.selectedInfo.value?.playing === true)
		return (
			<div class="odds-words">
				<p>The world is running. Odds are read only while it is paused.</p>
				<button type="button" class="button" onClick={() => void worlds.time.toggle()}>
					<Icon name="pause" />
					Pause
				</button>
			</div>
		);
	return (
		<div class="odds-words" role="status">
			<p class="row soft">
				<span class="waiting-ring" />
				{odds.next.slow.value && limit !== null
					? `Listing every outcome of the next tick, up to ${formatNumber(limit)}.`
					: 'Reading the odds.'}
			</p>
		</div>
	);
}

/** Shown if the next tick has no random draw. */
export function OneWay({ foretold }: { readonly foretold: Foretold }) {
	const digest = foretold.rows[0]!.branch.state_digest;
	return (
		<div class="odds-words">
			<p>The next tick has no random draws. It has a single outcome, which leads to this state:</p>
			<p class="row">
				<Signature digest={digest} size={56} />
				<span>
					<span class="soft">tick {formatNumber(foretold.peek.next_tick)}, certain</span>
					<br />
					<span class="mono">{groupDigest(digest)}</span>
				</span>
			</p>
			<p class="soft">
				Draws come from rules with <code>outcomes</code>, critical hits and loot. <b>Next chance</b> runs the
				world until one is due. In the API, <code>POST /rule/create</code> with <code>outcomes</code> adds a
				random draw.
			</p>
		</div>
	);
}

/** Shown for the last tick of a longer step: its draws are known, but its odds were never read. */
export function NotForetold({ last }: { readonly last: LastStep }) {
	const { odds, entities } = usePanels();
	const sampled = last.sampled ?? [];
	const rules = odds.next.foretold.value?.rules ?? new Map();
	return (
		<div class="odds-words">
			{sampled.length === 0 ? (
				<p>There were no random draws on tick {formatNumber(last.tick)}.</p>
			) : (
				<>
					<p>Tick {formatNumber(last.tick)} ran before its odds were read. These are its draws:</p>
					<ul>
						{sampled.map(({ rule, entity, label, probability }, index) => (
							<li key={index}>
								{sourceName(rule, rules)}: <b>{label}</b>
								<span class="soft">
									, {oneIn(probability)}
									{entity === null ? '' : `, ${labelOfId(entities.list.value, entity)}`}
								</span>
							</li>
						))}
					</ul>
				</>
			)}
			<p class="soft">Step one tick at a time to compare the draws with the prediction.</p>
		</div>
	);
}
