/**
 * Everything that the panels know, in one value that components reach by context.
 * Owns: putting the parts of the state together, and their end.
 */

import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type ConsoleState, createConsole } from '../api/console-state.ts';
import { type Calls, createCalls } from '../calls/calls-state.ts';
import { createTheme, type ThemeState } from '../chrome/theme.ts';
import { createEntities, type Entities } from '../entities/entities-state.ts';
import { createOdds, type Odds } from '../odds/odds-state.ts';
import type { PanelServices } from '../services.ts';
import { createUndecodable, type Undecodable } from '../stage/undecodable.ts';
import { createScenes, type Scenes } from '../start/scenes-state.ts';
import { createWorlds, type Worlds } from '../worlds/worlds-state.ts';
import { createNavigation, type Navigation } from './navigation.ts';

export interface Panels {
	readonly services: PanelServices;
	readonly theme: ThemeState;
	readonly navigation: Navigation;
	readonly worlds: Worlds;
	readonly entities: Entities;
	readonly odds: Odds;
	readonly scenes: Scenes;
	readonly calls: Calls;
	readonly console: ConsoleState;
	readonly undecodable: Undecodable;
	/** The stage's canvas: made once, so that it outlives every change of view. */
	readonly canvas: HTMLCanvasElement;
	stop(): void;
}

export function createPanels(services: PanelServices): Panels {
	const theme = createTheme();
	const navigation = createNavigation();
	const worlds = createWorlds(services, navigation);
	const entities = createEntities(services, navigation, worlds);
	const odds = createOdds(services, navigation, worlds);
	const calls = createCalls(services);
	const undecodable = createUndecodable(services, navigation);
	const canvas = document.createElement('canvas');
	canvas.className = 'picture';
	canvas.tabIndex = 0;
	return {
		services,
		theme,
		navigation,
		worlds,
		entities,
		odds,
		scenes: createScenes(services, navigation, worlds),
		calls,
		console: createConsole(services, worlds),
		undecodable,
		canvas,
		stop() {
			for (const part of [odds, entities, worlds, calls, undecodable, navigation, theme]) part.stop();
		},
	};
}

export const PanelsContext = createContext<Panels | null>(null);

/** The state that this component lives in. Throws outside of `mountPanels`. */
export function usePanels(): Panels {
	const panels = useContext(PanelsContext);
	if (panels === null) throw new Error('A panel was drawn outside of mountPanels.');
	return panels;
}
