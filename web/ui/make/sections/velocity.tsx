/**
 * Linear and angular velocity of an entity.
 * Owns: both fields.
 */

import { Velocity } from '../../../../shared/components/velocity.ts';
import { VectorField } from '../../controls/vector-field.tsx';
import type { Entity } from '../../entities/entity.ts';
import { formatNumber } from '../../numbers.ts';
import { ComponentSection } from '../component-section.tsx';
import { useChange } from '../use-change.ts';
import type { Section } from './section.ts';

function VelocitySection({ entity }: { readonly entity: Entity }) {
	const change = useChange(entity);
	const velocity = entity.velocity;
	if (velocity === undefined) return null;
	const speed = Math.hypot(...velocity.linear);
	return (
		<ComponentSection
			name="Velocity"
			closed
			summary={`${formatNumber(speed, 2)} m/s`}
			remove={() => change({ remove: ['velocity'] })}
		>
			<VectorField
				name="linear"
				value={velocity.linear}
				unit="m/s"
				min={-10_000}
				max={10_000}
				commit={(linear) => change({ velocity: { ...velocity, linear } })}
			/>
			<VectorField
				name="angular"
				value={velocity.angular}
				unit="rad/s"
				min={-1000}
				max={1000}
				commit={(angular) => change({ velocity: { ...velocity, angular } })}
			/>
		</ComponentSection>
	);
}

export const velocity: Section = {
	shows: [Velocity],
	together: true,
	add: { label: 'Velocity', first: { linear: [0, 0, 0], angular: [0, 0, 0] } },
	View: VelocitySection,
};
