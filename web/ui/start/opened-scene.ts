/**
 * The scene that main is, so that it can be played again.
 * Owns: recognising it after a reload: by the title of main, or by the game that main declares to be.
 */

import cards from 'virtual:scenes';
import type { Panels } from '../state/panels.ts';
import { MAIN } from '../worlds/fork-list.ts';

/** Name of the scene that a world is; null for a world of another kind, and for a fork. */
export function openedScene(
	{ scenes, ownWorlds }: Pick<Panels, 'scenes' | 'ownWorlds'>,
	world: string,
): string | null {
	if (world !== MAIN) return null;
	const titles = [scenes.title.value, ownWorlds.facts.value.get(MAIN)?.scene];
	return scenes.opened.value ?? cards.find(({ title }) => titles.includes(title))?.name ?? null;
}

/** Title of a scene, by its name. */
export const sceneTitle = (name: string): string => cards.find((card) => card.name === name)?.title ?? name;
