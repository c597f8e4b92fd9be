/**
 * Forms and buttons for calls about the selected entity, which include its handle.
 * Owns: the handle.
 */

import type { Entity } from '../entities/entity.ts';
import { ActionForm } from '../forms/action-form.tsx';
import type { RouteName } from '../forms/declarations.ts';
import { Press } from './world/part-view.tsx';

interface EntityCallProps {
	readonly entity: Entity;
	readonly route: RouteName;
	readonly label: string;
}

export const handleOf = ({ id, generation }: Entity) => ({ entity_id: id, entity_generation: generation });

/** A form for the body of a call. */
export function EntityForm({
	entity,
	first,
	...rest
}: EntityCallProps & { readonly first?: readonly string[] }) {
	return (
		<details class="more">
			<summary>{rest.label}</summary>
			<ActionForm {...rest} firstFields={first} fixedValues={handleOf(entity)} />
		</details>
	);
}

/** A button for a call without further fields. */
export function EntityPress({ entity, ...rest }: EntityCallProps) {
	return <Press kind="press" {...rest} given={handleOf(entity)} />;
}
