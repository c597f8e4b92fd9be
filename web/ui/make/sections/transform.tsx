/**
 * Local pose of an entity: position, rotation in degrees, and scale.
 * Owns: converting between degrees and quaternions.
 */

import { GlobalTransform } from '../../../../shared/components/global-transform.ts';
import { LocalTransform } from '../../../../shared/components/local-transform.ts';
import { FieldRow } from '../../controls/field-row.tsx';
import { VectorField } from '../../controls/vector-field.tsx';
import type { Entity } from '../../entities/entity.ts';
import { formatNumber } from '../../numbers.ts';
import { usePanels } from '../../state/panels.ts';
import { ComponentSection } from '../component-section.tsx';
import { fromDegrees, toDegrees } from '../rotation.ts';
import type { Section } from './section.ts';

function TransformSection({ entity }: { readonly entity: Entity }) {
	const { entities } = usePanels();
	const pose = entity.local_transform ?? entity.transform;
	if (pose === undefined) return null;
	const world = entity.transform;
	const hasParent = entity.parent !== undefined && entity.parent !== null;
	const change = (part: Readonly<Record<string, unknown>>) =>
		entities.edits.change(entity, { transform: part });
	return (
		<ComponentSection name="Transform" summary="m, °">
			<VectorField
				name="position"
				value={pose.position}
				unit="m"
				commit={(position) => change({ position })}
			/>
			<VectorField
				name="rotation"
				value={toDegrees(pose.rotation)}
				unit="°"
				commit={(degrees) => change({ rotation: fromDegrees(degrees) })}
			/>
			<VectorField
				name="scale"
				value={pose.scale}
				// A negative scale would draw the shape inside out.
				min={0}
				max={10_000}
				commit={(scale) => change({ scale })}
			/>
			{hasParent && world !== undefined && (
				<FieldRow name="in the world">
					<span class="read-only">{world.position.map((part) => formatNumber(part)).join(', ')} m</span>
				</FieldRow>
			)}
		</ComponentSection>
	);
}

export const transform: Section = {
	shows: [GlobalTransform, LocalTransform],
	View: TransformSection,
};
