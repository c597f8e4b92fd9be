/**
 * Components without a specific section, each as a form from its declaration.
 */

import type { Entity } from '../entities/entity.ts';
import { ComponentForm } from './component-form.tsx';

export function OtherSections({
	entity,
	keys,
}: {
	readonly entity: Entity;
	readonly keys: readonly string[];
}) {
	return (
		<>
			{keys.map((key) => (
				<ComponentForm key={key} entity={entity} of={key} closed />
			))}
		</>
	);
}
