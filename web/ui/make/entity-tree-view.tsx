/**
 * The entities as a tree with keyboard navigation. Only visible rows are on the page.
 * Owns: the keys, selecting rows, and the edited name.
 */

import { useState } from 'preact/hooks';
import { rowForKey } from '../controls/row-keys.ts';
import { RowList } from '../controls/row-list.tsx';
import { usePanels } from '../state/panels.ts';
import { EntityTreeRow, rowId } from './entity-row.tsx';
import type { TreeRow } from './entity-tree.ts';
import type { Drop } from './row-drag.ts';
import type { EntityRows } from './use-entity-rows.ts';

/** Returns the action of a key in the tree; undefined for other keys. */
function moveFor(
	key: string,
	{ rows, at, handle, go, toggle }: EntityRows,
	select: (row: TreeRow) => void,
	rename: (id: number) => void,
): (() => void) | undefined {
	const row = rows[at];
	const to = rowForKey(key, at, rows.length, handle.current?.page() ?? 10);
	if (to !== undefined) return () => go(to);
	const moves: Record<string, () => void> = {
		ArrowLeft: () => {
			if (row?.kind === 'group') row.open && toggle(row.group.key);
			else go(rows.findLastIndex((other, i) => i < at && other.kind === 'group'));
		},
		ArrowRight: () => {
			if (row?.kind === 'group') row.open ? go(at + 1) : toggle(row.group.key);
		},
		F2: () => {
			if (row?.kind === 'entity') rename(row.entity.id);
		},
		Enter: () => {
			if (row !== undefined) select(row);
		},
	};
	return moves[key];
}

interface EntityTreeViewProps {
	readonly tree: EntityRows;
	/** True if the world has no entity. */
	readonly isEmpty: boolean;
}

export function EntityTreeView({ tree, isEmpty }: EntityTreeViewProps) {
	const { entities, tools } = usePanels();
	const { rows, at, handle, toggle, setCursor } = tree;
	const [renaming, setRenaming] = useState<number | null>(null);
	const selectedIds = new Set(entities.selectedIds.value);
	const select = (row: TreeRow): void => {
		if (row.kind === 'group') toggle(row.group.key);
		else entities.select(row.entity.id);
	};
	const walk = (event: KeyboardEvent): void => {
		if (event.ctrlKey || event.altKey || event.metaKey) return;
		const move = moveFor(event.key, tree, select, setRenaming);
		if (move === undefined) return;
		event.preventDefault();
		move();
	};
	const press = (row: TreeRow, index: number, event: MouseEvent): void => {
		if (row.kind === 'entity' && (event.ctrlKey || event.metaKey)) entities.toggle(row.entity.id);
		else if (row.kind === 'entity' && event.shiftKey) {
			const between = rows.slice(Math.min(at, index), Math.max(at, index) + 1);
			entities.selectAll(
				between.flatMap((treeRow) => (treeRow.kind === 'entity' ? [treeRow.entity.id] : [])),
			);
		} else select(row);
		setCursor(index);
	};
	/** Gives the dragged entity, and others selected with it, another parent. */
	const drop: Drop = (dragged, onto) => {
		const chosen = entities.chosen.value;
		void tools.actions.parent(chosen.includes(dragged) ? chosen : [dragged], onto);
	};
	const attributes = {
		role: 'tree',
		'aria-label': 'Entities',
		'aria-multiselectable': true,
		tabIndex: 0,
		onKeyDown: walk,
		'aria-activedescendant': rows[at] === undefined ? undefined : rowId(rows[at]),
	};
	return (
		<RowList
			count={rows.length}
			class="tree"
			handle={handle}
			// A tree must have items.
			attributes={rows.length === 0 ? {} : attributes}
			empty={
				<p class="empty">
					{!entities.known.value
						? 'Waiting for the world.'
						: isEmpty
							? 'Nothing here yet. Drag something from below into the picture.'
							: 'No entity matches. Clear the search.'}
				</p>
			}
			rows={(first, end) =>
				rows
					.slice(first, end)
					.map((row, offset) => (
						<EntityTreeRow
							key={rowId(row)}
							row={row}
							search={entities.search.value}
							selected={row.kind === 'entity' && selectedIds.has(row.entity.id)}
							walked={first + offset === at}
							renaming={row.kind === 'entity' && row.entity.id === renaming}
							rename={setRenaming}
							press={(event) => press(row, first + offset, event)}
							drop={drop}
						/>
					))
			}
		/>
	);
}
