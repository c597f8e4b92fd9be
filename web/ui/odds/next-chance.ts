/**
 * The next tick that leaves something to chance.
 * Owns: finding it on a copy of the world, so that the world itself stops right before it.
 */

import type { PanelServices } from '../services.ts';
import { ask, type Refusal } from '../state/ask.ts';

/** Ticks that are looked through at first; each further look takes twice as many. */
const FIRST_TICKS = 60;
const MAX_TICKS = 600;

/** The answer of a step on a copy: where its first draw is. */
interface ChanceLook {
	/** Ticks from now until right before the first draw; null: none of these ticks draws. */
	readonly until: number | null;
	readonly ticks: number;
}

/** Ticks to look through after this many have been. */
export const lookAfter = (ticks: number): number => Math.min(MAX_TICKS, Math.max(FIRST_TICKS, ticks));

/** Makes `ticks` ticks on a copy of a world, and tells where its first draw is. The world is untouched. */
export async function lookForChance(
	services: PanelServices,
	world: string,
	ticks: number,
): Promise<ChanceLook | Refusal> {
	const step = { path: '/step', body: { ticks, trace: 'draws' }, answer: ['trace', 'start_tick'] };
	const outcome = await ask(services, 'POST', '/batch', {
		world,
		body: { dry_run: true, requests: [step] },
		on: 'panels',
	});
	if (!outcome.ok) return outcome.refusal;
	const [result] = outcome.body.results;
	const refused = outcome.body.warnings?.[0];
	if (refused !== undefined || !Array.isArray(result?.body))
		return { sentence: refused ?? 'The ticks could not be tried.', fix: '' };
	const [trace, start] = result.body as [{ readonly tick: number }[] | null, number];
	const first = trace?.[0];
	return { until: first === undefined ? null : first.tick - start, ticks };
}
