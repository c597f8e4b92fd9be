/**
 * A section of the inspector: the components that it shows, and how.
 * Owns: what each section declares of itself.
 */

import type { ComponentChildren } from 'preact';
import { type Component, readoutKey } from '../../../../shared/contract/component.ts';
import type { Entity } from '../../entities/entity.ts';
import type { RouteName } from '../../forms/declarations.ts';

type Beginning =
	| { readonly label: string; readonly first: unknown }
	| { readonly label: string; readonly route: RouteName; readonly first?: readonly string[] };

export interface Section {
	/** The one by which it is known first. A section shows nothing of an entity that has none of them. */
	readonly shows: readonly Component[];
	/**
	 * For the first of them, where people can add it: what it is called, and what it begins with (m, HP) or the call about an
	 * entity that makes it, with the fields that are asked for at once.
	 */
	readonly add?: Beginning;
	/** True if it can be shown for several entities: its changes are changes of components, and are made to all of them. */
	readonly together?: true;
	readonly View: (props: { readonly entity: Entity }) => ComponentChildren;
}

/** Returns the fields that a section shows, as the API reads them out. */
export function keysOf({ shows }: Section): readonly string[] {
	return shows.flatMap((component) => readoutKey(component) ?? []);
}
