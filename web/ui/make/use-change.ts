/**
 * The change of components that a section of the inspector makes.
 * Owns: that it is made to all selected entities while the section is shown for all of them.
 */

import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Entity } from '../entities/entity.ts';
import type { Refusal } from '../state/ask.ts';
import { usePanels } from '../state/panels.ts';

/** Entities that the sections below are shown for together; null: for one alone. */
export const Together = createContext<readonly Entity[] | null>(null);

type Change = (components: Readonly<Record<string, unknown>>) => Promise<Refusal | null>;

/** Returns what changes components of an entity, or takes them away. It resolves to null when it was carried out. */
export function useChange(entity: Entity): Change {
	const { entities, tools } = usePanels();
	const all = useContext(Together);
	if (all === null) return (components) => entities.edits.change(entity, components);
	return (components) => tools.actions.change(all.map((one) => [one, components] as const));
}
