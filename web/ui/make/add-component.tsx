/**
 * Adds a missing component to an entity.
 * Owns: the buttons. The section of a component has its initial value or its call.
 */

import { useState } from 'preact/hooks';
import { FieldError } from '../controls/field-error.tsx';
import { Icon } from '../drawn/icon.tsx';
import type { Entity } from '../entities/entity.ts';
import { ActionForm } from '../forms/action-form.tsx';
import { usePanels } from '../state/panels.ts';
import { handleOf } from './entity-call.tsx';
import { sections } from './sections/index.ts';
import { keysOf } from './sections/section.ts';

export function AddComponent({ entity }: { readonly entity: Entity }) {
	const { entities } = usePanels();
	const [error, setError] = useState<string | null>(null);
	const [asking, setAsking] = useState<string | null>(null);
	const missing = sections.flatMap((section) => {
		const [key] = keysOf(section);
		return section.add === undefined || entity[key!] !== undefined ? [] : [{ key: key!, add: section.add }];
	});
	if (missing.length === 0) return null;
	const asked = missing.find(({ key }) => key === asking)?.add;
	return (
		<div class="add-component">
			<span class="caps">Add</span>
			<div class="chips">
				{missing.map(({ key, add }) => (
					<button
						key={key}
						type="button"
						class="chip"
						aria-expanded={'route' in add ? key === asking : undefined}
						onClick={() => {
							setError(null);
							if ('route' in add) return setAsking(key === asking ? null : key);
							setAsking(null);
							void entities.edits
								.change(entity, { [key]: add.first })
								.then((refusal) => setError(refusal && `${refusal.sentence} ${refusal.fix}`));
						}}
					>
						<Icon name="plus" small />
						{add.label}
					</button>
				))}
			</div>
			{asked !== undefined && 'route' in asked && (
				<ActionForm
					key={asking}
					route={asked.route}
					label={`Add ${asked.label.toLowerCase()}`}
					firstFields={asked.first}
					fixedValues={handleOf(entity)}
					done={() => setAsking(null)}
				/>
			)}
			{error !== null && <FieldError sentence={error} />}
		</div>
	);
}
