/**
 * Changes of components by a section of the inspector.
 * Owns: applying a change to all selected entities, if the section is shown for several.
 */

import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Entity } from '../entities/entity.ts';
import type { Refusal } from '../state/ask.ts';
import { usePanels } from '../state/panels.ts';

/** Entities of the inner sections; null for a single entity. */
export const Together = createContext<readonly Entity[] | null>(null);

type Change = (components: Readonly<Record<string, unknown>>) => Promise<Refusal | null>;

/** Returns a function that changes or removes components. It resolves to the refusal, or to null. */
export function useChange(entity: Entity): Change {
	const { entities, tools } = usePanels();
	const all = useContext(Together);
	if (all === null) return (components) => entities.edits.change(entity, components);
	return (components) => tools.actions.change(all.map((member) => [member, components] as const));
}
