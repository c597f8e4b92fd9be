/**
 * A terrain: its size, its height at a place, and the brush.
 * Owns: the initial fields of the brush.
 */

import { Terrain } from '../../../../shared/components/terrain.ts';
import type { Entity } from '../../entities/entity.ts';
import { useReading } from '../../forms/use-reading.ts';
import { ReadOnly } from '../component-form.tsx';
import { ComponentSection } from '../component-section.tsx';
import { EntityForm } from '../entity-call.tsx';
import type { Section } from './section.ts';

function TerrainSection({ entity }: { readonly entity: Entity }) {
	if (entity.terrain === undefined) return null;
	return (
		<ComponentSection name="Terrain">
			<Sizes entity={entity} />
			<EntityForm
				entity={entity}
				route="POST /terrain/edit"
				label="Brush"
				first={['op', 'x', 'z', 'radius', 'amount', 'layer']}
			/>
			<EntityForm entity={entity} route="POST /terrain/height" label="Read heights" />
		</ComponentSection>
	);
}

/** Sizes from GET /terrain/list, with the lowest and the highest point. */
function Sizes({ entity }: { readonly entity: Entity }) {
	const { value } = useReading('/terrain/list');
	const all = Array.isArray(value?.terrains) ? (value.terrains as readonly Record<string, unknown>[]) : [];
	const {
		entity_id: _,
		entity_generation: __,
		position: ___,
		...sizes
	} = all.find(({ entity_id }) => entity_id === entity.id) ?? {};
	return <ReadOnly read={sizes} />;
}

export const terrain: Section = {
	shows: [Terrain],
	View: TerrainSection,
};
