/**
 * Adds a component that an entity has not.
 * Owns: the buttons. What each begins with stands with its section.
 */

import { useState } from 'preact/hooks';
import { FieldError } from '../controls/field-error.tsx';
import { Icon } from '../drawn/icon.tsx';
import type { Entity } from '../entities/entity.ts';
import { usePanels } from '../state/panels.ts';
import { sections } from './sections/index.ts';
import { keysOf } from './sections/section.ts';

export function AddComponent({ entity }: { readonly entity: Entity }) {
	const { entities } = usePanels();
	const [error, setError] = useState<string | null>(null);
	const missing = sections.flatMap((section) => {
		const [key] = keysOf(section);
		return section.add === undefined || entity[key!] !== undefined ? [] : [{ key: key!, ...section.add }];
	});
	if (missing.length === 0) return null;
	return (
		<div class="add-component">
			<span class="caps">Add</span>
			<div class="chips">
				{missing.map(({ key, label, first }) => (
					<button
						key={key}
						type="button"
						class="chip"
						onClick={() =>
							void entities
								.change(entity, { [key]: first })
								.then((refusal) => setError(refusal && `${refusal.sentence} ${refusal.fix}`))
						}
					>
						<Icon name="plus" small />
						{label}
					</button>
				))}
			</div>
			{error !== null && <FieldError sentence={error} />}
		</div>
	);
}
