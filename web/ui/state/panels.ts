/**
 * State of all panels in one value, which components get from the context.
 * Owns: creating and stopping the parts of the state.
 */

import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type ConsoleState, createConsole } from '../api/console-state.ts';
import { type Calls, createCalls } from '../calls/calls-state.ts';
import { createTheme, type ThemeState } from '../chrome/theme.ts';
import type { PageViews } from '../chrome/views.ts';
import { EntitiesState } from '../entities/entities-state.ts';
import { entityLabel } from '../entities/entity.ts';
import { SharingState } from '../files/sharing-state.ts';
import { Compare } from '../forks/compare-state.ts';
import { callWords, type NameOf } from '../make/call-words.ts';
import { createRules, type Rules } from '../make/rules/rules-state.ts';
import { createTimeline, type Timeline } from '../make/timeline/timeline-state.ts';
import { Tools } from '../make/tools-state.ts';
import { OddsState } from '../odds/odds-state.ts';
import type { PanelServices } from '../services.ts';
import { createUndecodable, type UndecodableReports } from '../stage/undecodable.ts';
import { OwnWorlds } from '../start/own-worlds-state.ts';
import { Scenes } from '../start/scenes-state.ts';
import { pauseEndedMatches } from '../worlds/ended-match.ts';
import { WorldsState } from '../worlds/worlds-state.ts';
import { refusalIn } from './ask.ts';
import { createDoings, type Doings } from './doings.ts';
import { createNavigation, type Navigation } from './navigation.ts';

export interface Panels {
	readonly services: PanelServices;
	readonly theme: ThemeState;
	readonly navigation: Navigation;
	readonly worlds: WorldsState;
	readonly compare: Compare;
	readonly entities: EntitiesState;
	readonly rules: Rules;
	readonly timeline: Timeline;
	readonly tools: Tools;
	readonly doings: Doings;
	readonly odds: OddsState;
	readonly scenes: Scenes;
	readonly ownWorlds: OwnWorlds;
	readonly sharing: SharingState;
	readonly calls: Calls;
	readonly console: ConsoleState;
	readonly undecodable: UndecodableReports;
	/** Canvas of the stage. It is created once, so it survives every change of view. */
	readonly canvas: HTMLCanvasElement;
	stop(): void;
}

export function createPanels(baseServices: PanelServices, views: PageViews): Panels {
	const doings = createDoings();
	const services = { ...baseServices, call: recordCalls(baseServices.call, doings, (id) => nameOf(id)) };
	const theme = createTheme();
	const navigation = createNavigation(views);
	const canvas = document.createElement('canvas');
	canvas.className = 'picture';
	canvas.tabIndex = 0;
	const worlds = new WorldsState(services, navigation, doings);
	const compare = new Compare(services, navigation, worlds);
	const entities = new EntitiesState(services, navigation, worlds);
	const nameOf = (id: number): string => {
		const rule = rules.list.peek().find((candidate) => candidate.id === id);
		if (rule !== undefined) return rule.name ?? `rule ${id}`;
		const entity = entities.list.peek().find((entity) => entity.id === id);
		return entity === undefined ? `entity ${id}` : entityLabel(entity);
	};
	const timeline = createTimeline(services, navigation, worlds);
	const rules = createRules(services, navigation, worlds, entities);
	const tools = new Tools({ services, navigation, worlds, entities, rules, canvas });
	const odds = new OddsState(services, navigation, worlds);
	const scenes = new Scenes(services, navigation, worlds);
	const ownWorlds = new OwnWorlds(services, navigation, worlds);
	const sharing = new SharingState(services, navigation, worlds, scenes);
	const endedMatches = { stop: pauseEndedMatches(services, navigation, worlds) };
	const calls = createCalls(services);
	const undecodable = createUndecodable(services, navigation);
	return {
		services,
		theme,
		navigation,
		worlds,
		compare,
		entities,
		rules,
		timeline,
		tools,
		doings,
		odds,
		scenes,
		ownWorlds,
		sharing,
		calls,
		console: createConsole(services, worlds),
		undecodable,
		canvas,
		stop() {
			for (const part of [
				tools,
				timeline,
				rules,
				odds,
				entities,
				compare,
				ownWorlds,
				worlds,
				sharing,
				calls,
				undecodable,
				endedMatches,
				navigation,
				theme,
			])
				part.stop();
		},
	};
}

/** Calls of a person that undo skips. */
const NO_DOINGS = /^\/(undo|redo|observe|peek|fork|history)\b/;

/** Wraps `call`: records the description of each successful call of a person. */
function recordCalls(call: PanelServices['call'], doings: Doings, nameOf: NameOf): PanelServices['call'] {
	return async (method, path, body, on = 'you') => {
		const [bare = '', query = ''] = path.split('?');
		const isDoing = on === 'you' && method !== 'GET' && !NO_DOINGS.test(bare);
		// Described before it is sent, because a deleted entity has no name afterwards.
		const words = isDoing ? callWords(method, bare, body, nameOf) : '';
		const answer = await call(method, path, body, on);
		if (isDoing && refusalIn(answer.status, answer.body) === null)
			doings.record(new URLSearchParams(query).get('world') ?? 'main', `${method} ${bare}`, words);
		return answer;
	};
}

export const PanelsContext = createContext<Panels | null>(null);

/** Returns the state of the panels that contain this component. Throws outside of `mountPanels`. */
export function usePanels(): Panels {
	const panels = useContext(PanelsContext);
	if (panels === null) throw new Error('A panel was drawn outside of mountPanels.');
	return panels;
}
