/**
 * Components without a section of their own, each as the form that its declaration makes.
 * Owns: nothing of any of them.
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
