/**
 * The inspector: a section for each component of the selected entity, editable where the API can edit it.
 * Owns: which sections there are and their order. Never: changes an entity by another way than the API.
 */

import type { ComponentChildren } from 'preact';
import { Icon } from '../drawn/icon.tsx';
import { TeamMark, teamClass } from '../drawn/marks.tsx';
import { componentKeys, type Entity, entityName, teamName } from '../entity.ts';
import { usePanels } from '../state/panels.ts';
import { AddComponent } from './add-component.tsx';
import { BodySection } from './body-section.tsx';
import { ColliderSection } from './collider-section.tsx';
import { HealthSection } from './health-section.tsx';
import { LookSection } from './look-section.tsx';
import { OtherSections } from './other-sections.tsx';
import { SideSection } from './side-section.tsx';
import { TagSection } from './tag-section.tsx';
import { TransformSection } from './transform-section.tsx';
import { VelocitySection } from './velocity-section.tsx';

interface Section {
	readonly View: (props: { readonly entity: Entity }) => ComponentChildren;
	/** What it shows, as the API reads it out. */
	readonly shows: readonly string[];
}

/** Sections of their own, in order; the rest is shown as it comes. */
const SECTIONS: readonly Section[] = [
	{ View: TransformSection, shows: ['transform', 'local_transform'] },
	{ View: LookSection, shows: ['mesh', 'color'] },
	{ View: VelocitySection, shows: ['velocity'] },
	{ View: BodySection, shows: ['physics_body'] },
	{ View: ColliderSection, shows: ['collider'] },
	{ View: HealthSection, shows: ['health', 'dead'] },
	{ View: SideSection, shows: ['team', 'role'] },
	{ View: TagSection, shows: ['tags'] },
];

export function Inspector() {
	const { entities } = usePanels();
	const entity = entities.inspected.value;
	return (
		<aside class="pane inspector" aria-label="Inspector">
			{entity === null ? (
				<p class="empty">
					{entities.selectedId.value === null
						? 'Nothing is selected. Click an entity in the picture or in the list.'
						: `Reading entity ${entities.selectedId.value}.`}
				</p>
			) : (
				// Another entity is another form: drafts and faults do not carry over.
				<Sections key={`${entity.id}.${entity.generation}`} entity={entity} />
			)}
		</aside>
	);
}

function Sections({ entity }: { readonly entity: Entity }) {
	const { entities, services } = usePanels();
	const others = componentKeys(entity).filter((key) => !SECTIONS.some(({ shows }) => shows.includes(key)));
	return (
		<>
			<header class="title">
				<h2>{entityName(entity)}</h2>
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
					{entity.dead && <span class="chip bad">fallen</span>}
				</div>
			</header>
			<div class="scroll">
				{SECTIONS.map(({ View, shows }) => (
					<View key={shows[0]} entity={entity} />
				))}
				<OtherSections entity={entity} keys={others} />
				<AddComponent entity={entity} />
			</div>
			<footer>
				<button
					type="button"
					class="button quiet"
					title="Turn the camera to it (F)"
					onClick={() => services.view.value?.focus(entity.id)}
				>
					<Icon name="look" />
					Frame
				</button>
				<span class="grow" />
				<button
					type="button"
					class="button quiet"
					title="Remove it (Delete)"
					onClick={() => void entities.despawn(entity)}
				>
					<Icon name="bin" />
					Despawn
				</button>
			</footer>
		</>
	);
}
