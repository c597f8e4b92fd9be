/**
 * The physics body of an entity.
 * Owns: the choice between Dynamic, Static and Kinematic.
 */

import { useState } from 'preact/hooks';
import { PhysicsBody } from '../../../../shared/components/physics-body.ts';
import { FieldError } from '../../controls/field-error.tsx';
import type { BodyKind, Entity } from '../../entities/entity.ts';
import { ComponentSection } from '../component-section.tsx';
import { useChange } from '../use-change.ts';
import type { Section } from './section.ts';

const KINDS: readonly (readonly [BodyKind, string])[] = [
	['Dynamic', 'Falls and collides'],
	['Static', 'Never moves'],
	['Kinematic', 'Moves by its velocity; nothing stops it'],
];

function BodySection({ entity }: { readonly entity: Entity }) {
	const change = useChange(entity);
	const [error, setError] = useState<string | null>(null);
	const kind = entity.physics_body;
	if (kind === undefined) return null;
	return (
		<ComponentSection
			name="Physics body"
			summary={kind.toLowerCase()}
			remove={() => change({ remove: ['physics_body'] })}
		>
			<div class="segmented">
				{KINDS.map(([word, does]) => (
					<button
						key={word}
						type="button"
						aria-pressed={word === kind}
						title={does}
						onClick={() =>
							void change({ physics_body: word }).then((refusal) =>
								setError(refusal && `${refusal.sentence} ${refusal.fix}`),
							)
						}
					>
						{word}
					</button>
				))}
			</div>
			{error !== null && <FieldError sentence={error} />}
		</ComponentSection>
	);
}

export const body: Section = {
	shows: [PhysicsBody],
	together: true,
	add: { label: 'Physics body', first: 'Dynamic' },
	View: BodySection,
};
