/**
 * Current rows of the entity list, and the row of the keyboard cursor.
 * Owns: the closed teams, the filter by team, and scrolling to a row.
 */

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { RowListHandle } from '../controls/row-list.tsx';
import type { Entity } from '../entities/entity.ts';
import { usePanels } from '../state/panels.ts';
import { type GroupKey, groupByTeam, matches, type TreeGroup, treeRows } from './entity-tree.ts';

export type EntityRows = ReturnType<typeof useEntityRows>;

/** Returns the groups with only the entities that match a search, without empty groups. */
function hitsIn(groups: readonly TreeGroup[], search: string): readonly TreeGroup[] {
	return groups
		.map((group) => ({ ...group, entities: group.entities.filter((entity) => matches(entity, search)) }))
		.filter((group) => group.entities.length > 0);
}

export function useEntityRows(list: readonly Entity[]) {
	const { entities } = usePanels();
	const search = entities.search.value;
	const selectedId = entities.selectedId.value;
	const [team, setTeam] = useState<number | null>(null);
	const [closed, setClosed] = useState<ReadonlySet<GroupKey>>(new Set());
	const [cursor, setCursor] = useState(0);
	const handle = useRef<RowListHandle>(null);
	const groups = useMemo(() => groupByTeam(list), [list]);
	const rows = useMemo(() => {
		const treeGroups = team === null ? groups : groups.filter((group) => group.team === team);
		return search.trim() === ''
			? treeRows(treeGroups, closed)
			: treeRows(hitsIn(treeGroups, search), new Set());
	}, [groups, search, closed, team]);
	const indexOfSelected = useMemo(
		() => rows.findIndex((row) => row.kind === 'entity' && row.entity.id === selectedId),
		[rows, selectedId],
	);
	// Scrolls to an entity that was selected in the picture or by a spawn.
	useEffect(() => {
		if (indexOfSelected >= 0) {
			setCursor(indexOfSelected);
			handle.current?.reveal(indexOfSelected);
		}
	}, [selectedId, indexOfSelected >= 0]);
	return {
		rows,
		groups,
		/** The only shown team; null for all. */
		team,
		setTeam,
		/** Handle of the list component. */
		handle,
		/** Index of the row with the keyboard cursor. */
		at: Math.min(cursor, rows.length - 1),
		setCursor,
		/** Closes a team, or opens it. */
		toggle(key: GroupKey): void {
			setClosed((old) => {
				const next = new Set(old);
				if (!next.delete(key)) next.add(key);
				return next;
			});
		},
		/** Goes to a row, and selects its entity. */
		go(index: number): void {
			const row = rows[index];
			if (row === undefined) return;
			setCursor(index);
			handle.current?.reveal(index);
			if (row.kind === 'entity') entities.select(row.entity.id);
		},
	};
}
