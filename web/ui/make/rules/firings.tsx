/**
 * Firings of a rule, and the engine's explanation of why it fires or not.
 * Owns: the times of asking: after each change of a paused world, and on request.
 */

import { useEffect, useState } from 'preact/hooks';
import type { Answer } from '../../../../shared/contract/route.ts';
import type { whyFire } from '../../../../shared/routes/why.ts';
import { FieldError } from '../../controls/field-error.tsx';
import { Icon } from '../../drawn/icon.tsx';
import { count, formatNumber } from '../../numbers.ts';
import { ask, type Refusal } from '../../state/ask.ts';
import { usePanels } from '../../state/panels.ts';
import type { ShownRule } from './rules-state.ts';

type Why = Answer<typeof whyFire>;

/** Extent of the search on request: future ticks, and tried changes. */
const SEARCH = { ticks: 300, tries: 100 };

export function Firings({ rule }: { readonly rule: ShownRule }) {
	const { services, worlds } = usePanels();
	const [why, setWhy] = useState<Why | null>(null);
	const [refusal, setRefusal] = useState<Refusal | null>(null);
	const [searching, setSearching] = useState(false);
	const world = worlds.selected.value;
	const selectedWorld = worlds.selectedInfo.value;
	const pausedDigest = selectedWorld === null || selectedWorld.playing ? null : selectedWorld.digest;
	const read = async (query: { readonly ticks: number; readonly tries: number }) =>
		ask(services, 'GET', '/why/fire/{rule}', { params: { rule: rule.id }, query, world, on: 'panels' });
	useEffect(() => {
		let isStale = false;
		if (pausedDigest !== null)
			void read({ ticks: 1, tries: 0 }).then((outcome) => {
				if (!isStale && outcome.ok) setWhy(outcome.body);
			});
		return () => {
			isStale = true;
		};
	}, [services, world, pausedDigest, rule.id, JSON.stringify([rule.when, rule.filter, rule.enabled])]);
	const search = async (): Promise<void> => {
		setSearching(true);
		const outcome = await read(SEARCH);
		setSearching(false);
		setRefusal(outcome.ok ? null : outcome.refusal);
		if (outcome.ok) setWhy(outcome.body);
	};
	return (
		<section class="clause firings" aria-label="Firings">
			<p>
				<b>{rule.firings === 0 ? 'Never fired' : `Fired ${count(rule.firings, 'time')}`}</b>
				{why !== null && why.last_fired !== null && (
					<span class="soft">, last at tick {formatNumber(why.last_fired)}</span>
				)}
			</p>
			{why !== null && (
				<>
					{why.tried > 0 || why.fires_in !== null ? (
						<p class="soft">{why.answer}</p>
					) : (
						why.causes.map(({ code, text }) => (
							<p key={code + text} class="soft">
								{text}
							</p>
						))
					)}
					{why.warnings?.map((text) => (
						<p key={text} class="warn">
							{text}
						</p>
					))}
				</>
			)}
			<button type="button" class="button quiet small" disabled={searching} onClick={() => void search()}>
				{searching ? <span class="waiting-ring" /> : <Icon name="help" small />}
				{searching ? 'Looking ahead' : `Why? Look ${SEARCH.ticks / 60} s ahead`}
			</button>
			{refusal !== null && <FieldError sentence={`${refusal.sentence} ${refusal.fix}`} />}
		</section>
	);
}
