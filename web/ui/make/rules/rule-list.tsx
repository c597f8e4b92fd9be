/**
 * The rules of the world as sentences, each with a switch and its number of firings.
 * Owns: the rows. The inspector edits the selected one.
 */

import './rules.css';
import { RowList } from '../../controls/row-list.tsx';
import { Icon } from '../../drawn/icon.tsx';
import { formatNumber } from '../../numbers.ts';
import { usePanels } from '../../state/panels.ts';
import { ruleSentence } from './rule-words.ts';
import { draftOf, type ShownRule } from './rules-state.ts';
import { useNames } from './use-names.ts';

export function RuleList() {
	const { rules, entities, worlds, navigation } = usePanels();
	const search = entities.search.value.trim().toLowerCase();
	const nameOf = useNames();
	const rows = rules.list.value
		.map((rule) => ({ rule, words: ruleSentence(draftOf(rule), nameOf) }))
		.filter(
			({ rule, words }) =>
				search === '' ||
				`${rule.name ?? ''} ${words}`.toLowerCase().includes(search) ||
				search === String(rule.id),
		);
	const toggle = async (rule: ShownRule): Promise<void> => {
		const refusal = await rules.change(rule.id, { enabled: !rule.enabled });
		if (refusal !== null) navigation.refuse('Switch', refusal);
	};
	return (
		<>
			<RowList
				count={rows.length}
				class="rule-list"
				attributes={{ role: 'group', 'aria-label': 'Rules' }}
				empty={
					<p class="empty">
						{rules.list.value.length === 0
							? 'No rules yet. A rule runs actions when a condition holds.'
							: 'No rule matches. Clear the search.'}
					</p>
				}
				rows={(first, end) =>
					rows.slice(first, end).map(({ rule, words }) => (
						<div
							key={rule.id}
							class={`rule-row row${rule.enabled ? '' : ' off'}`}
							data-selected={rules.selected.value?.id === rule.id}
						>
							<button
								type="button"
								class="rule-name"
								title={words}
								aria-current={rules.selected.value?.id === rule.id}
								onClick={() => entities.select(rule.id)}
							>
								<b class="cut">{rule.name ?? `Rule ${rule.id}`}</b>
								<span class="rule-words">{words}</span>
							</button>
							<em title="Number of firings">{formatNumber(rule.firings)}×</em>
							<button
								type="button"
								role="switch"
								class="switch"
								aria-checked={rule.enabled}
								aria-label={`${rule.name ?? `Rule ${rule.id}`} enabled`}
								title={rule.enabled ? 'Switch off' : 'Switch on'}
								onClick={() => void toggle(rule)}
							>
								<i />
							</button>
						</div>
					))
				}
			/>
			<div class="rule-new">
				<button
					type="button"
					class="button"
					disabled={worlds.selectedInfo.value === null}
					onClick={() => rules.begin()}
				>
					<Icon name="plus" small />
					New rule
				</button>
			</div>
		</>
	);
}
