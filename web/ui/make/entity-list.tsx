/**
 * The pane of the view Make that lists the entities or the rules of the world.
 * Owns: the choice between both lists, and the search.
 */

import { useMemo } from 'preact/hooks';
import { SearchField } from '../controls/search-field.tsx';
import { Icon } from '../drawn/icon.tsx';
import { teamName } from '../entities/entity.ts';
import { formatNumber } from '../numbers.ts';
import { later } from '../state/later.tsx';
import { usePanels } from '../state/panels.ts';
import { EntityTreeView } from './entity-tree-view.tsx';
import { Library } from './library.tsx';
import { type EntityRows, useEntityRows } from './use-entity-rows.ts';

const RuleList = later(
	async () => (await import('./rules/rule-list.tsx')).RuleList,
	(words) => <p class="empty">{words}</p>,
);

export function EntityList() {
	const { entities, rules } = usePanels();
	const isRule = useMemo(() => new Set(rules.list.value.map(({ id }) => id)), [rules.list.value]);
	const all = entities.list.value;
	// Rules have a separate list.
	const list = useMemo(() => all.filter(({ id }) => !isRule.has(id)), [all, isRule]);
	const tree = useEntityRows(list);
	return (
		<section class="pane entity-list" aria-label="Entities">
			<ListHead rules={isRule.size} />
			<div class="find">
				<Search tree={tree} />
				{!rules.isListed.value && tree.groups.some((group) => group.team !== null) && (
					<TeamChips tree={tree} />
				)}
			</div>
			{rules.isListed.value ? (
				<RuleList />
			) : (
				<>
					<EntityTreeView tree={tree} isEmpty={list.length === 0} />
					<Library />
				</>
			)}
		</section>
	);
}

/** The heading. `rules` is the number of entities that are rules. */
function ListHead({ rules: ruleCount }: { readonly rules: number }) {
	const { entities, rules, worlds } = usePanels();
	const isListed = rules.isListed.value;
	const selectedWorld = worlds.selectedInfo.value;
	const total = selectedWorld === null ? entities.list.value.length : selectedWorld.entityCount;
	const shownRuleCount = selectedWorld === null ? ruleCount : selectedWorld.ruleCount;
	return (
		<div class="pane-head">
			<h2>{isListed ? 'Rules' : 'Entities'}</h2>
			<span class="faint">{formatNumber(isListed ? shownRuleCount : total - shownRuleCount)}</span>
			<span class="grow" />
			<button
				type="button"
				class="button quiet small"
				aria-pressed={isListed}
				title={isListed ? 'Show the entities' : 'Show the rules of the world'}
				onClick={() => {
					rules.isListed.value = !isListed;
				}}
			>
				<Icon name="rule" small />
				Rules
			</button>
		</div>
	);
}

interface TreeProps {
	readonly tree: EntityRows;
}

function Search({ tree }: TreeProps) {
	const { entities, rules } = usePanels();
	const isListed = rules.isListed.value;
	return (
		<SearchField
			hint
			of={isListed ? 'rules' : 'entities'}
			placeholder={isListed ? 'Words of a rule' : 'Name, tag, team, component'}
			value={entities.search.value}
			change={(text) => {
				entities.search.value = text;
			}}
			enter={() => tree.go(tree.rows.findIndex((row) => row.kind === 'entity'))}
		/>
	);
}

/** Buttons that limit the list to one team. */
function TeamChips({ tree: { groups, team, setTeam } }: TreeProps) {
	return (
		<div class="chips">
			<button type="button" class="chip" aria-pressed={team === null} onClick={() => setTeam(null)}>
				All
			</button>
			{groups.map(
				(group) =>
					group.team !== null && (
						<button
							key={group.key}
							type="button"
							class="chip"
							aria-pressed={team === group.team}
							onClick={() => setTeam(team === group.team ? null : group.team)}
						>
							{teamName(group.team)} {formatNumber(group.entities.length)}
						</button>
					),
			)}
		</div>
	);
}
