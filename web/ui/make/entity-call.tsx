/**
 * Calls about the selected entity: its handle goes along by itself.
 * Owns: the handle. Never: knows what a call does.
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

/** A form that is filled in and sent. */
export function EntityForm({
	entity,
	first,
	...rest
}: EntityCallProps & { readonly first?: readonly string[] }) {
	return (
		<details class="more">
			<summary>{rest.label}</summary>
			<ActionForm {...rest} first={first} given={handleOf(entity)} />
		</details>
	);
}

/** A button that needs nothing else. */
export function EntityPress({ entity, ...rest }: EntityCallProps) {
	return <Press kind="press" {...rest} given={handleOf(entity)} />;
}
