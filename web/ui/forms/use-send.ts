/**
 * Hook for calls of a person in the selected world.
 * Owns: adding the world to the path.
 */

import { type AskOutcome, askRaw, inWorld } from '../state/ask.ts';
import { usePanels } from '../state/panels.ts';
import type { RouteName } from './declarations.ts';

export type Send = (route: RouteName, body?: Readonly<Record<string, unknown>>) => Promise<AskOutcome>;

export function useSend(): Send {
	const { services, worlds } = usePanels();
	return (route, body) => {
		const [method = 'POST', path = '/'] = route.split(' ', 2);
		return askRaw(services, method, inWorld(path, worlds.selected.value), body);
	};
}
