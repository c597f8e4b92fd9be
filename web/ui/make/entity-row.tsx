/**
 * A row of the entity list: a team, or an entity.
 * Owns: its looks, and the place of its name editor. The tree has the focus and handles the keys.
 */

import { Icon, type IconName } from '../drawn/icon.tsx';
import { teamClass } from '../drawn/marks.tsx';
import { type Entity, entityName } from '../entities/entity.ts';
import { formatNumber } from '../numbers.ts';
import { usePanels } from '../state/panels.ts';
import { NameEditor } from './entity-name.tsx';
import { splitHits, type TreeRow } from './entity-tree.ts';
import { type Drop, useRowDrag } from './row-drag.ts';

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

/** Maximum number of indented levels. */
const MAX_INDENT = 6;

export const rowId = (row: TreeRow) =>
	row.kind === 'group' ? `group-${row.group.key}` : `entity-${row.entity.id}`;

type TreeGroupRow = Extract<TreeRow, { kind: 'group' }>;
type TreeEntityRow = Extract<TreeRow, { kind: 'entity' }>;

interface EntityTreeRowProps {
	readonly row: TreeRow;
	readonly search: string;
	readonly selected: boolean;
	/** True if the keyboard cursor is on the row. */
	readonly walked: boolean;
	/** True while its name is edited. */
	readonly renaming: boolean;
	/** Opens the name editor of an entity; with null, closes it. */
	readonly rename: (id: number | null) => void;
	readonly press: (event: MouseEvent) => void;
	readonly drop: Drop;
}

export function EntityTreeRow(props: EntityTreeRowProps) {
	const { row } = props;
	return row.kind === 'group' ? <GroupRow {...props} row={row} /> : <EntityRow {...props} row={row} />;
}

function GroupRow({ row, walked, press }: EntityTreeRowProps & { readonly row: TreeGroupRow }) {
	return (
		// biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the focus and handles the keys
		// biome-ignore lint/a11y/useFocusableInteractive: the same
		<div
			id={rowId(row)}
			class={`tree-row row group${walked ? ' walked' : ''}`}
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

function EntityRow(props: EntityTreeRowProps & { readonly row: TreeEntityRow }) {
	const { row, search, selected, walked, renaming, rename, press, drop } = props;
	const { entity } = row;
	const { entities } = usePanels();
	const dragging = useRowDrag(entity, drop);
	const parts = splitHits(entityName(entity), search);
	return (
		// biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the focus and handles the keys
		// biome-ignore lint/a11y/useFocusableInteractive: the same
		<div
			id={rowId(row)}
			class={`tree-row row${entity.dead ? ' fallen' : ''}${walked ? ' walked' : ''}`}
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
				<b class="cut" title="Rename (double click, or F2)">
					{parts[0]}
					{parts.length > 1 && <mark>{parts[1]}</mark>}
					{parts[2]}
				</b>
			)}
			{entity.tags && entity.tags.length > 0 && <span class="tags cut">{entity.tags.join(', ')}</span>}
			<em>
				{entity.dead && <span class="only-said">dead </span>}
				{entities.locks.has(entity) && (
					<span title="Locked">
						<Icon name="lock" small />
						<span class="only-said">locked </span>
					</span>
				)}
				{entity.id}
			</em>
		</div>
	);
}
