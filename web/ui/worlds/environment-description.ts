/**
 * Description of the game that a world is.
 * Owns: asking for it only if the world declares one. A browser notes each refused request as an error.
 */

import type { PanelServices } from '../services.ts';
import { ask } from '../state/ask.ts';

/** Returns the description of a world's environment; null without one. */
export async function environmentDescription(
	services: Pick<PanelServices, 'call'>,
	world: string,
): Promise<string | null> {
	const about = { world, on: 'panels' } as const;
	const status = await ask(services, 'GET', '/', about);
	if (!status.ok || status.body.environment === null) return null;
	const answer = await ask(services, 'GET', '/environment', about);
	return (answer.ok && answer.body.environment.description) || null;
}
