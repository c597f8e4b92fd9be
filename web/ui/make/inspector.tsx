/**
 * The inspector: a section for each component of the selected entity, editable if the API can change it. Without a selection,
 * it shows the world.
 * Owns: the title, and showing every component once. Never: changes an entity without the API.
 */

import '../forms/forms.css';
import { useSignal } from '@preact/signals';
import { TeamMark, teamClass } from '../drawn/marks.tsx';
import { componentKeys, type Entity, teamName } from '../entities/entity.ts';
import { usePanels } from '../state/panels.ts';
import { AddComponent } from './add-component.tsx';
import { EntityHeading } from './entity-name.tsx';
import { OtherSections } from './other-sections.tsx';
import { NewRule, SelectedRule } from './rules/rule-editor.tsx';
import { sections } from './sections/index.ts';
import { keysOf } from './sections/section.ts';
import { SelectionButtons } from './selection-buttons.tsx';
import { Several } from './several.tsx';
import { UndoLine } from './undo-line.tsx';
import { WorldInspector } from './world/world-inspector.tsx';

export function Inspector() {
	const { entities, rules } = usePanels();
	const entity = entities.inspected.value;
	const rule = rules.selected.value;
	const draft = rules.draft.value;
	// The open sections of the world outlive the selection of an entity.
	const open = useSignal<ReadonlySet<string>>(new Set(['Sky']));
	const toggle = (name: string, now: boolean) => {
		const next = new Set(open.value);
		if (now) next.add(name);
		else next.delete(name);
		open.value = next;
	};
	return (
		<aside class="pane inspector" aria-label="Inspector">
			{draft !== null ? (
				<NewRule draft={draft} />
			) : rule !== null ? (
				<SelectedRule key={rule.id} rule={rule} />
			) : entities.chosen.value.length > 1 ? (
				<Several chosen={entities.chosen.value} />
			) : entities.selectedId.value === null ? (
				<WorldInspector open={open} toggle={toggle} />
			) : entity === null ? (
				<p class="empty">Loading entity {entities.selectedId.value}.</p>
			) : (
				// A new key for each entity discards drafts and errors.
				<Sections key={`${entity.id}.${entity.generation}`} entity={entity} />
			)}
			<UndoLine>
				{draft === null && rule === null && <SelectionButtons chosen={entities.chosen.value} />}
			</UndoLine>
		</aside>
	);
}

function Sections({ entity }: { readonly entity: Entity }) {
	// The heading shows the name.
	const own = new Set(['name', ...sections.flatMap(keysOf)]);
	const others = componentKeys(entity).filter((key) => !own.has(key));
	return (
		<>
			<header class="title">
				<EntityHeading entity={entity} />
				<div class="chips">
					{entity.team !== undefined && (
						<span class={`chip ${teamClass(entity.team)}`}>
							<TeamMark team={entity.team} />
							{teamName(entity.team)}
						</span>
					)}
					<span class="chip">
						id {entity.id}, gen {entity.generation}
					</span>
					{entity.role !== undefined && <span class="chip">{entity.role.toLowerCase()}</span>}
					{entity.dead && <span class="chip bad">dead</span>}
				</div>
			</header>
			<div class="scroll">
				{sections.map((section) => (
					<section.View key={keysOf(section)[0]} entity={entity} />
				))}
				<OtherSections entity={entity} keys={others} />
				<AddComponent entity={entity} />
			</div>
		</>
	);
}
