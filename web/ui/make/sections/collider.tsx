/**
 * The collider of an entity.
 * Owns: its sizes, and keeping a similar size when the shape changes.
 */

import { Collider as ColliderComponent } from '../../../../shared/components/collider.ts';
import { documentOf, isPointShape, SHAPES, shapeByName } from '../../../../shared/media/collider-shapes.ts';
import { Choice } from '../../controls/choice.tsx';
import { FieldRow } from '../../controls/field-row.tsx';
import { NumberField } from '../../controls/number-field.tsx';
import type { Collider, Entity } from '../../entities/entity.ts';
import { ComponentSection } from '../component-section.tsx';
import { useChange } from '../use-change.ts';
import type { Section } from './section.ts';

/** Returns the available shapes: those with sizes, and the current one, which may have points. */
const choicesOf = ({ shape }: Collider) =>
	SHAPES.filter(({ name }) => !isPointShape(shapeByName(name)) || name === shape).map(
		({ name, label }) => [name, name.toLowerCase() === label ? label : `${label} (${name})`] as const,
	);

const MIN = 0.001;
const MAX = 10_000;

/** Returns a collider of another shape with a similar size. */
function reshape(collider: Collider, shape: string): Collider {
	const sizes = Object.values(collider).filter((value): value is number => typeof value === 'number');
	const size = 'radius' in collider ? collider.radius : Math.max(...sizes, sizes.length === 0 ? 0.5 : MIN);
	return documentOf(shape as Collider['shape'], [size, size, size]) as Collider;
}

function ColliderSection({ entity }: { readonly entity: Entity }) {
	const send = useChange(entity);
	const collider = entity.collider;
	if (collider === undefined) return null;
	const change = (next: Collider) => send({ collider: next });
	const sizes = Object.entries(collider).filter(
		(entry): entry is [string, number] => typeof entry[1] === 'number',
	);
	return (
		<ComponentSection
			name="Collider"
			closed
			summary={shapeByName(collider.shape).label}
			remove={() => send({ remove: ['collider'] })}
		>
			<Choice
				name="shape"
				value={collider.shape}
				options={choicesOf(collider)}
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

export const collider: Section = {
	shows: [ColliderComponent],
	together: true,
	add: { label: 'Collider', first: { shape: 'Aabb', hx: 0.5, hy: 0.5, hz: 0.5 } },
	View: ColliderSection,
};
