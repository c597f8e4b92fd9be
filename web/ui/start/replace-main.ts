/**
 * Creating a world in one call, in main or beside it.
 * Owns: keeping the old main as a fork, unless it is empty.
 */

import type { Body } from '../../../shared/contract/route.ts';
import type { RouteAt } from '../../../shared/routes/index.ts';
import type { PanelServices } from '../services.ts';
import { type AskOutcome, ask, inWorld } from '../state/ask.ts';
import { forkStem, freeForkName, readForks, type WorldInfo } from '../worlds/fork-list.ts';
import { freeTitle, titleIn } from '../worlds/world-title.ts';

export type Requests = Body<RouteAt<'POST', '/batch'>>['requests'];

export const scenarioRequest = (document: unknown): Requests[number] => ({
	path: '/scenario',
	body: document,
});

/** Returns the name of the scenario among these calls; empty without one. */
export function scenarioName(filling: Requests): string {
	const document = filling.find(({ path }) => path === '/scenario')?.body as
		| { readonly name?: string }
		| undefined;
	return document?.name ?? '';
}

/** Resets tuning, sky and plants of the old world. */
const FRESH: Requests[number] = { path: '/reset', body: { fresh: true } };

const rename = (name: string): Requests[number] => ({ path: '/rename', body: { name } });

/** Returns calls that fill an empty world, and name it `title` unless they name it themselves. */
function fillRequests(filling: Requests, title: string, taken: ReadonlySet<string>): Requests {
	return [FRESH, ...filling, ...(scenarioName(filling) === '' ? [rename(freeTitle(taken, title))] : [])];
}

const titlesOf = (names: readonly string[]): ReadonlySet<string> =>
	new Set(names.flatMap((name) => titleIn(name) ?? []));

/** Reads main and the forks, because the panels' copies may be older. */
async function readWorlds(services: Pick<PanelServices, 'call'>) {
	const main = await ask(services, 'GET', '/', { on: 'panels' });
	if (!main.ok) return main;
	const listed = await ask(services, 'GET', '/fork/list', { on: 'panels' });
	if (!listed.ok) return listed;
	return { ok: true, main: main.body, forks: readForks(listed.body) } as const;
}

/** Returns a free id for a world with this title, without the number of the title. */
const freeId = (title: string, forks: readonly WorldInfo[], stem: string): string =>
	freeForkName(new Set(forks.map(({ id }) => id)), forkStem(title.replace(/ \d+$/, '')) || stem);

/** Calls that keep main as the fork `fork_id`, whose name tells it from what main becomes. */
function keeping(fork_id: string, name: string, forks: readonly WorldInfo[], next: string): Requests {
	const title = titleIn(name);
	const fork = { path: '/fork', body: { fork_id } };
	if (title !== null && title !== titleIn(next)) return [fork];
	const { path, body } = rename(
		freeTitle(titlesOf([next, ...forks.map(({ name: forkName }) => forkName)]), title ?? 'World'),
	);
	return [fork, { path: inWorld(path, fork_id), body }];
}

/**
 * Fills main with what these calls make. `title`: that of a world that they do not name. `isKept` decides if the old main, at
 * `tick`, becomes a fork. Resolves to the id of that fork; null without one.
 */
export async function replaceMain(
	services: PanelServices,
	filling: Requests,
	title: string,
	isKept: (tick: number) => Promise<boolean>,
): Promise<AskOutcome<{ readonly kept: string | null }>> {
	const worlds = await readWorlds(services);
	if (!worlds.ok) return worlds;
	const { main, forks } = worlds;
	const isEmpty = main.tick === 0 && main.entity_count === 0;
	const kept =
		!isEmpty && (await isKept(main.tick)) ? freeId(titleIn(main.world_name) ?? '', forks, 'was-main') : null;
	const taken = titlesOf([...(kept !== null ? [main.world_name] : []), ...forks.map(({ name }) => name)]);
	const requests = fillRequests(filling, title, taken);
	if (kept !== null) requests.unshift(...keeping(kept, main.world_name, forks, scenarioName(filling)));
	// A world that runs would go on running as the scene, before a person is there to play it.
	if (main.playing) await ask(services, 'POST', '/pause');
	const outcome = await ask(services, 'POST', '/batch', { body: { requests, atomic: true } });
	if (outcome.ok) return { ok: true, body: { kept } };
	if (main.playing) await ask(services, 'POST', '/play');
	return outcome;
}

/** Creates a fork with the world of these calls, without a change of main. Resolves to its id. */
export async function makeBeside(
	services: PanelServices,
	filling: Requests,
	title: string,
): Promise<AskOutcome<{ readonly id: string }>> {
	const worlds = await readWorlds(services);
	if (!worlds.ok) return worlds;
	const { main, forks } = worlds;
	const id = freeId(titleIn(scenarioName(filling)) ?? title, forks, 'world');
	const taken = titlesOf([main.world_name, ...forks.map(({ name }) => name)]);
	const own = titleIn(scenarioName(filling));
	// With the name of main, the fork would be taken for a try of it.
	const apart = own !== null && taken.has(own) ? [rename(freeTitle(taken, own))] : [];
	const made = [...fillRequests(filling, title, taken), ...apart].map(({ path, ...request }) => ({
		...request,
		path: inWorld(path, id),
	}));
	const requests = [{ path: '/fork', body: { fork_id: id } }, ...made];
	const outcome = await ask(services, 'POST', '/batch', { body: { requests, atomic: true } });
	return outcome.ok ? { ok: true, body: { id } } : outcome;
}
