/**
 * Adds a component that an entity has not.
 * Owns: what each component begins with.
 */

import { useState } from 'preact/hooks';
import { FieldFault } from '../controls/field-fault.tsx';
import { Icon } from '../drawn/icon.tsx';
import type { Entity } from '../entity.ts';
import { usePanels } from '../state/panels.ts';

/** What each begins with: sizes in m, health in HP. */
const FIRST: readonly (readonly [key: string, label: string, first: unknown])[] = [
	['mesh', 'Look', 'cube'],
	['physics_body', 'Physics body', 'Dynamic'],
	['collider', 'Collider', { shape: 'Aabb', hx: 0.5, hy: 0.5, hz: 0.5 }],
	['velocity', 'Velocity', { linear: [0, 0, 0], angular: [0, 0, 0] }],
	['health', 'Health', 100],
	['team', 'Team', 1],
];

export function AddComponent({ entity }: { readonly entity: Entity }) {
	const { entities } = usePanels();
	const [fault, setFault] = useState<string | null>(null);
	const missing = FIRST.filter(([key]) => entity[key] === undefined);
	if (missing.length === 0) return null;
	return (
		<div class="add-component">
			<span class="caps">Add</span>
			<div class="chips">
				{missing.map(([key, label, first]) => (
					<button
						key={key}
						type="button"
						class="chip"
						onClick={() =>
							void entities
								.change(entity, { [key]: first })
								.then((refusal) => setFault(refusal && `${refusal.sentence} ${refusal.fix}`))
						}
					>
						<Icon name="plus" small />
						{label}
					</button>
				))}
			</div>
			{fault !== null && <FieldFault sentence={fault} />}
		</div>
	);
}
