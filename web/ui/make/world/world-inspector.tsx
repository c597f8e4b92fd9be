/**
 * The inspector of the world, while no entity is selected: sky, fog, camera, sound, ground and other global settings.
 * Owns: the open sections, and disabling them with a reason while the world cannot be changed.
 */

import type { ReadonlySignal } from '@preact/signals';
import { Icon } from '../../drawn/icon.tsx';
import { ShareButtons } from '../../files/share-buttons.tsx';
import { showsWorld } from '../../services.ts';
import { type Panels, usePanels } from '../../state/panels.ts';
import { PartView } from './part-view.tsx';
import { worldSections } from './sections.ts';

/** Returns the reason why this page currently cannot change the world; null if it can. */
function whyNot({ services, worlds }: Panels): string | null {
	if (services.failure.value !== null) return 'The engine has stopped.';
	if (services.arriving.value !== null) return 'The world is moving to this page.';
	if (!showsWorld(services.holding.value)) return 'Another page runs the world.';
	if (worlds.selectedInfo.value === null) return 'Waiting for the world.';
	return null;
}

export function WorldInspector({
	open,
	toggle,
}: {
	readonly open: ReadonlySignal<ReadonlySet<string>>;
	readonly toggle: (name: string, open: boolean) => void;
}) {
	const panels = usePanels();
	const reason = whyNot(panels);
	const world = panels.worlds.selected.value;
	return (
		<>
			<header class="title">
				<h2>World</h2>
				<p class="soft">
					Of {world === 'main' ? 'main' : `the fork ${world}`}. Select an entity for its own settings.
				</p>
				<ShareButtons />
				{reason !== null && <p class="warn">{reason} Changes are not possible.</p>}
			</header>
			<fieldset class="scroll world-sections" disabled={reason !== null} title={reason ?? undefined}>
				<legend class="only-said">World</legend>
				{worldSections.map(({ name, parts }) => (
					<details
						key={name}
						class="section"
						open={open.value.has(name)}
						onToggle={(event) => toggle(name, event.currentTarget.open)}
					>
						<summary class="row">
							<Icon name="right" small />
							<h3>{name}</h3>
						</summary>
						{/* A new key for each world discards drafts. */}
						{open.value.has(name) && (
							<div class="form" key={world}>
								{parts.map((part, index) => (
									// The parts of a section never change, so the index is the key.
									<PartView key={index} part={part} about={name} />
								))}
							</div>
						)}
					</details>
				))}
			</fieldset>
		</>
	);
}
