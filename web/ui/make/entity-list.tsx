/**
 * The entity list: a tree of teams, searched and walked, of which only the rows in sight are on the page.
 * Owns: which teams are closed and which row the keyboard is on.
 */

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { RowList, type RowListHandle } from '../controls/row-list.tsx';
import { Icon, type IconName } from '../drawn/icon.tsx';
import { teamClass } from '../drawn/marks.tsx';
import { type Entity, entityName, teamName } from '../entities/entity.ts';
import { formatNumber } from '../numbers.ts';
import { later } from '../state/later.tsx';
import { usePanels } from '../state/panels.ts';
import { NameEditor } from './entity-name.tsx';
import { type GroupKey, groupByTeam, matches, splitHits, type TreeRow, treeRows } from './entity-tree.ts';
import { Library } from './library.tsx';

const RuleList = later(
	async () => (await import('./rules/rule-list.tsx')).RuleList,
	(words) => <p class="empty">{words}</p>,
);

const ROLE_ICONS: Readonly<Record<string, IconName>> = {
	Hero: 'hero',
	Minion: 'minion',
	Tower: 'tower',
	Structure: 'structure',
};
const MESH_ICONS: Readonly<Record<string, IconName>> = {
	cube: 'cube',
	sphere: 'sphere',
	plane: 'plane',
	cylinder: 'cylinder',
	cone: 'cone',
};

function iconOf({ role, mesh }: Entity): IconName {
	if (role !== undefined) return ROLE_ICONS[role] ?? 'point';
	return mesh === undefined ? 'point' : (MESH_ICONS[mesh] ?? 'model');
}

/** Levels of the hierarchy that are drawn apart. */
const MAX_INDENT = 6;

const rowId = (row: TreeRow) => (row.kind === 'group' ? `group-${row.group.key}` : `entity-${row.entity.id}`);

export function EntityList() {
	const { entities, rules, tools, worlds } = usePanels();
	const isRule = useMemo(() => new Set(rules.list.value.map(({ id }) => id)), [rules.list.value]);
	const all = entities.list.value;
	// Rules have a list of their own.
	const list = useMemo(() => all.filter(({ id }) => !isRule.has(id)), [all, isRule]);
	const rulesListed = rules.isListed.value;
	const search = entities.search.value;
	const selectedId = entities.selectedId.value;
	const selectedIds = new Set(entities.selectedIds.value);
	const [team, setTeam] = useState<number | null>(null);
	const [closed, setClosed] = useState<ReadonlySet<GroupKey>>(new Set());
	const [cursor, setCursor] = useState(0);
	const [renaming, setRenaming] = useState<number | null>(null);
	const rowsHandle = useRef<RowListHandle>(null);

	const groups = useMemo(() => groupByTeam(list), [list]);
	const rows = useMemo(() => {
		const wanted = team === null ? groups : groups.filter((group) => group.team === team);
		if (search.trim() === '') return treeRows(wanted, closed);
		const hits = wanted
			.map((group) => ({ ...group, entities: group.entities.filter((entity) => matches(entity, search)) }))
			.filter((group) => group.entities.length > 0);
		return treeRows(hits, new Set());
	}, [groups, search, closed, team]);
	const indexOfSelected = useMemo(
		() => rows.findIndex((row) => row.kind === 'entity' && row.entity.id === selectedId),
		[rows, selectedId],
	);
	// What was selected elsewhere, in the picture or by a spawn, is brought into sight.
	useEffect(() => {
		if (indexOfSelected >= 0) {
			setCursor(indexOfSelected);
			rowsHandle.current?.reveal(indexOfSelected);
		}
	}, [selectedId, indexOfSelected >= 0]);

	const at = Math.min(cursor, rows.length - 1);
	const toggle = (key: GroupKey) =>
		setClosed((old) => {
			const next = new Set(old);
			if (!next.delete(key)) next.add(key);
			return next;
		});
	const go = (index: number) => {
		const to = Math.max(0, Math.min(rows.length - 1, index));
		const row = rows[to];
		if (row === undefined) return;
		setCursor(to);
		rowsHandle.current?.reveal(to);
		if (row.kind === 'entity') entities.select(row.entity.id);
	};
	const walk = (event: KeyboardEvent) => {
		if (event.ctrlKey || event.altKey || event.metaKey) return;
		const row = rows[at];
		const page = rowsHandle.current?.page() ?? 10;
		const moves: Record<string, () => void> = {
			ArrowDown: () => go(at + 1),
			ArrowUp: () => go(at - 1),
			PageDown: () => go(at + page),
			PageUp: () => go(at - page),
			Home: () => go(0),
			End: () => go(rows.length - 1),
			ArrowLeft: () => {
				if (row?.kind === 'group') row.open && toggle(row.group.key);
				else go(rows.findLastIndex((other, i) => i < at && other.kind === 'group'));
			},
			ArrowRight: () => {
				if (row?.kind === 'group') row.open ? go(at + 1) : toggle(row.group.key);
			},
			F2: () => {
				if (row?.kind === 'entity') setRenaming(row.entity.id);
			},
			Enter: () => {
				if (row?.kind === 'group') toggle(row.group.key);
				else if (row) entities.select(row.entity.id);
			},
		};
		const move = moves[event.key];
		if (move === undefined) return;
		event.preventDefault();
		move();
	};
	const press = (row: TreeRow, index: number, event: MouseEvent) => {
		if (row.kind === 'group') toggle(row.group.key);
		else if (event.ctrlKey || event.metaKey) entities.toggle(row.entity.id);
		else if (event.shiftKey) {
			const [low, high] = [Math.min(at, index), Math.max(at, index)];
			const between = rows.slice(low, high + 1);
			entities.selectAll(between.flatMap((one) => (one.kind === 'entity' ? [one.entity.id] : [])));
		} else entities.select(row.entity.id);
		setCursor(index);
	};

	/** Puts what was dragged, and what is selected with it, under another entity. */
	const drop: Drop = (dragged, onto) => {
		const chosen = entities.chosen.value;
		void tools.parent(chosen.includes(dragged) ? chosen : [dragged], onto);
	};

	return (
		<section class="pane entity-list" aria-label="Entities">
			<div class="pane-head">
				<h2>{rulesListed ? 'Rules' : 'Entities'}</h2>
				<span class="faint">
					{formatNumber(
						rulesListed ? isRule.size : (worlds.here.value?.entityCount ?? all.length) - isRule.size,
					)}
				</span>
				<span class="grow" />
				<button
					type="button"
					class="button quiet small"
					aria-pressed={rulesListed}
					title={rulesListed ? 'Show the entities' : 'Show the rules of the world'}
					onClick={() => {
						rules.isListed.value = !rulesListed;
					}}
				>
					<Icon name="rule" small />
					Rules
				</button>
			</div>
			<div class="find">
				<span class="field">
					<Icon name="search" small />
					<input
						data-search
						type="search"
						placeholder={rulesListed ? 'Words of a rule' : 'Name, tag, team, component'}
						aria-label={rulesListed ? 'Search rules' : 'Search entities'}
						value={search}
						onInput={(event) => {
							entities.search.value = event.currentTarget.value;
						}}
						onKeyDown={(event) => {
							if (event.key === 'Escape' && search !== '') {
								entities.search.value = '';
								event.stopPropagation();
							} else if (event.key === 'Enter') {
								const first = rows.findIndex((row) => row.kind === 'entity');
								if (first >= 0) go(first);
							}
						}}
					/>
					<kbd>/</kbd>
				</span>
				{!rulesListed && groups.some((group) => group.team !== null) && (
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
				)}
			</div>
			{rulesListed ? (
				<RuleList />
			) : (
				<>
					<RowList
						count={rows.length}
						class="tree"
						handle={rowsHandle}
						attributes={
							// A tree must have items.
							rows.length === 0
								? {}
								: {
										role: 'tree',
										'aria-label': 'Entities',
										'aria-multiselectable': true,
										tabIndex: 0,
										onKeyDown: walk,
										'aria-activedescendant': rows[at] === undefined ? undefined : rowId(rows[at]),
									}
						}
						empty={
							<p class="empty">
								{!entities.known.value
									? 'Waiting for the world.'
									: list.length === 0
										? 'Nothing here yet. Drag something from below into the picture.'
										: 'No entity matches. Clear the search.'}
							</p>
						}
						rows={(first, end) =>
							rows.slice(first, end).map((row, offset) => {
								const index = first + offset;
								return (
									<Row
										key={rowId(row)}
										row={row}
										search={search}
										selected={row.kind === 'entity' && selectedIds.has(row.entity.id)}
										walked={index === at}
										renaming={row.kind === 'entity' && row.entity.id === renaming}
										rename={setRenaming}
										press={(event) => press(row, index, event)}
										drop={drop}
									/>
								);
							})
						}
					/>
					<Library />
				</>
			)}
		</section>
	);
}

interface RowProps {
	readonly row: TreeRow;
	readonly search: string;
	readonly selected: boolean;
	/** The keyboard is on it. */
	readonly walked: boolean;
	/** Its name is being edited. */
	readonly renaming: boolean;
	/** Begins to edit the name of an entity, or ends it. */
	readonly rename: (id: number | null) => void;
	readonly press: (event: MouseEvent) => void;
	readonly drop: Drop;
}

/** Something was dragged from a row onto another; null: onto a group. */
type Drop = (dragged: Entity, onto: Entity | null) => void;

/** A press that moves less than this (CSS pixels) is a click. */
const CLICK_PX = 4;

const DROP_MARK = 'drop-target';

/** Lets a row be dragged onto others. Answers what its element listens to. */
function useRowDrag(entity: Entity | null, drop: Drop) {
	const { entities } = usePanels();
	const from = useRef<readonly [number, number] | null>(null);
	const target = useRef<Element | null>(null);
	const mark = (now: Element | null) => {
		target.current?.classList.remove(DROP_MARK);
		now?.classList.add(DROP_MARK);
		target.current = now;
	};
	const end = () => {
		from.current = null;
		mark(null);
	};
	if (entity === null) return {};
	return {
		onPointerDown(event: PointerEvent) {
			if (event.button === 0 && event.target instanceof Element && event.target.closest('input') === null)
				from.current = [event.clientX, event.clientY];
		},
		onPointerMove(event: PointerEvent) {
			if (from.current === null) return;
			const [x, y] = from.current;
			if (target.current === null && Math.hypot(event.clientX - x, event.clientY - y) < CLICK_PX) return;
			(event.currentTarget as Element).setPointerCapture(event.pointerId);
			const under = document.elementFromPoint(event.clientX, event.clientY)?.closest('.tree-row') ?? null;
			mark(under === event.currentTarget ? null : under);
		},
		onPointerUp() {
			const row = target.current;
			end();
			if (row === null) return;
			const id = /^entity-(\d+)$/.exec(row.id)?.[1];
			const onto = id === undefined ? null : entities.list.value.find((one) => one.id === Number(id));
			if (onto !== undefined) drop(entity, onto);
		},
		onPointerCancel: end,
	};
}

function Row({ row, search, selected, walked, renaming, rename, press, drop }: RowProps) {
	const dragging = useRowDrag(row.kind === 'entity' ? row.entity : null, drop);
	const mark = walked ? ' walked' : '';
	if (row.kind === 'group') {
		return (
			// Keys are heard by the tree, which holds the focus.
			// biome-ignore lint/a11y/useKeyWithClickEvents: see above
			// biome-ignore lint/a11y/useFocusableInteractive: see above
			<div
				id={rowId(row)}
				class={`tree-row group${mark}`}
				role="treeitem"
				aria-level={1}
				aria-expanded={row.open}
				onClick={press}
			>
				<Icon name={row.open ? 'down' : 'right'} small />
				<span class="caps">{row.group.name}</span>
				<em>{formatNumber(row.group.entities.length)}</em>
			</div>
		);
	}
	const { entity } = row;
	const parts = splitHits(entityName(entity), search);
	return (
		// biome-ignore lint/a11y/useKeyWithClickEvents: keys are heard by the tree, which holds the focus
		// biome-ignore lint/a11y/useFocusableInteractive: the same
		<div
			id={rowId(row)}
			class={`tree-row${entity.dead ? ' fallen' : ''}${mark}`}
			role="treeitem"
			aria-level={row.depth + 2}
			style={row.depth === 0 ? undefined : { paddingLeft: `${28 + Math.min(row.depth, MAX_INDENT) * 16}px` }}
			{...dragging}
			aria-selected={selected}
			aria-posinset={row.position}
			aria-setsize={row.of}
			onClick={press}
			onDblClick={() => rename(entity.id)}
		>
			<span class={teamClass(entity.team)}>
				<Icon name={iconOf(entity)} small />
			</span>
			{renaming ? (
				<NameEditor
					entity={entity}
					end={(byKey) => {
						rename(null);
						if (byKey) document.getElementById(rowId(row))?.closest<HTMLElement>('[role=tree]')?.focus();
					}}
				/>
			) : (
				<b title="Rename (double click, or F2)">
					{parts[0]}
					{parts.length > 1 && <mark>{parts[1]}</mark>}
					{parts[2]}
				</b>
			)}
			{entity.tags && entity.tags.length > 0 && <span class="tags cut">{entity.tags.join(', ')}</span>}
			<em>
				{entity.dead && <span class="only-said">dead </span>}
				{entity.id}
			</em>
		</div>
	);
}
