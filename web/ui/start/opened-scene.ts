/**
 * The scene of main, so that it can be played again.
 * Owns: recognizing it after a reload, by the title of main or by the name of its declared game.
 */

import cards from 'virtual:scenes';
import type { Panels } from '../state/panels.ts';
import { MAIN } from '../worlds/fork-list.ts';

/** Returns the name of the scene of a world; null for other worlds and for forks. */
export function openedScene(
	{ scenes, ownWorlds }: Pick<Panels, 'scenes' | 'ownWorlds'>,
	world: string,
): string | null {
	if (world !== MAIN) return null;
	const titles = [scenes.title.value, ownWorlds.facts.value.get(MAIN)?.scene];
	return scenes.opened.value ?? cards.find(({ title }) => titles.includes(title))?.name ?? null;
}

/** Returns the title of a scene. */
export const sceneTitle = (name: string): string => cards.find((card) => card.name === name)?.title ?? name;
