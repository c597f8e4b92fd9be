/**
 * Making main another world, in one call.
 * Owns: that the world that was there is kept as a fork, unless it is empty or a game that was only played.
 */

import type { Body } from '../../../shared/contract/route.ts';
import type { RouteAt } from '../../../shared/routes/index.ts';
import type { PanelServices } from '../services.ts';
import { ask, type Refusal } from '../state/ask.ts';
import { freeForkName, readForks } from '../worlds/fork-list.ts';

export type Requests = Body<RouteAt<'POST', '/batch'>>['requests'];

export const scenarioRequest = (document: unknown): Requests[number] => ({
	path: '/scenario',
	body: document,
});

/** Fills main with what these calls make. `isKept` says whether main as it is becomes a fork. Null if it was done. */
export async function replaceMain(
	services: PanelServices,
	filling: Requests,
	isKept: () => Promise<boolean>,
): Promise<Refusal | null> {
	// The scene is about a world as it starts: what another one tuned, its sky and its plants do not hold in it.
	const requests: Requests = [{ path: '/reset', body: { fresh: true } }, ...filling];
	// The panels' own copies of main and its forks may be half a second old.
	const main = await ask(services, 'GET', '/', { on: 'panels' });
	const listed = await ask(services, 'GET', '/fork/list', { on: 'panels' });
	if (!main.ok) return main.refusal;
	if (!listed.ok) return listed.refusal;
	const isEmpty = main.body.tick === 0 && main.body.entity_count === 0;
	if (!isEmpty && (await isKept())) {
		const usedNames = new Set(readForks(listed.body).map(({ id }) => id));
		requests.unshift({ path: '/fork', body: { fork_id: freeForkName(usedNames, 'was-main') } });
	}
	// A world that runs would continue running as the scene, before a person is there to play it.
	if (main.body.playing) await ask(services, 'POST', '/pause');
	const outcome = await ask(services, 'POST', '/batch', { body: { requests, atomic: true } });
	if (outcome.ok) return null;
	if (main.body.playing) await ask(services, 'POST', '/play');
	return outcome.refusal;
}
