/**
 * The shape with which an entity collides.
 * Owns: its sizes, and a like size when the shape changes.
 */

import { FieldRow } from '../controls/field-row.tsx';
import { NumberField } from '../controls/number-field.tsx';
import type { Collider, Entity } from '../entity.ts';
import { usePanels } from '../state/panels.ts';
import { Choice } from './choice.tsx';
import { ComponentSection } from './component-section.tsx';

const SHAPES = [
	['Aabb', 'box (Aabb)'],
	['Sphere', 'ball (Sphere)'],
	['Capsule', 'capsule'],
] as const;
const NAMES = { Aabb: 'box', Sphere: 'ball', Capsule: 'capsule' } as const;

const MIN = 0.001;
const MAX = 10_000;

/** A collider of another shape that is about as large. Metres. */
function reshape(collider: Collider, shape: string): Collider {
	const size = collider.shape === 'Aabb' ? Math.max(collider.hx, collider.hy, collider.hz) : collider.radius;
	if (shape === 'Aabb') return { shape: 'Aabb', hx: size, hy: size, hz: size };
	if (shape === 'Sphere') return { shape: 'Sphere', radius: size };
	return { shape: 'Capsule', radius: size, half_height: size };
}

export function ColliderSection({ entity }: { readonly entity: Entity }) {
	const { entities } = usePanels();
	const collider = entity.collider;
	if (collider === undefined) return null;
	const change = (next: Collider) => entities.change(entity, { collider: next });
	const sizes = Object.entries(collider).filter(
		(entry): entry is [string, number] => typeof entry[1] === 'number',
	);
	return (
		<ComponentSection
			name="Collider"
			summary={NAMES[collider.shape]}
			remove={() => entities.change(entity, { remove: ['collider'] })}
		>
			<Choice
				name="shape"
				value={collider.shape}
				options={SHAPES}
				commit={(shape) => change(reshape(collider, shape))}
			/>
			{sizes.map(([key, size]) => (
				<FieldRow key={key} name={key.replace('_', ' ').replace(/^h([xyz])$/, 'half $1')}>
					<NumberField
						name={`collider ${key}`}
						value={size}
						unit="m"
						min={MIN}
						max={MAX}
						commit={(number) => change({ ...collider, [key]: number } as Collider)}
					/>
				</FieldRow>
			))}
		</ComponentSection>
	);
}
