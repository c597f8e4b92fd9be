/**
 * Type of a section of the inspector, which shows one or several components.
 * Owns: the declaration of a section.
 */

import type { ComponentChildren } from 'preact';
import { type Component, readoutKey } from '../../../../shared/contract/component.ts';
import type { Entity } from '../../entities/entity.ts';
import type { RouteName } from '../../forms/declarations.ts';

type Beginning =
	| { readonly label: string; readonly first: unknown }
	| { readonly label: string; readonly route: RouteName; readonly first?: readonly string[] };

export interface Section {
	/** Components of the section, the main one first. The section is hidden for an entity without any of them. */
	readonly shows: readonly Component[];
	/**
	 * Adds the main component, if a person can add it: the label, and the initial value (m, HP), or the call that adds it with
	 * the fields of its form.
	 */
	readonly add?: Beginning;
	/** True if it can be shown for several entities. All its changes must be changes of components, which apply to each. */
	readonly together?: true;
	readonly View: (props: { readonly entity: Entity }) => ComponentChildren;
}

/** Returns the keys of a section's components in an entity of the API. */
export function keysOf({ shows }: Section): readonly string[] {
	return shows.flatMap((component) => readoutKey(component) ?? []);
}
