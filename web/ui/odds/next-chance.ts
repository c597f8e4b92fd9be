/**
 * The next tick with a random draw.
 * Owns: finding it on a copy of the world, so that the world itself can stop right before it.
 */

import type { PanelServices } from '../services.ts';
import { ask, type Refusal } from '../state/ask.ts';

/** Number of ticks in the first search. Each further search doubles the ticks that were run. */
const FIRST_TICKS = 60;
const MAX_TICKS = 600;

/** Result of a search: the position of the first draw. */
interface ChanceLook {
	/** Ticks from now until right before the first draw; null if none of the ticks draws. */
	readonly until: number | null;
	/** Number of searched ticks. */
	readonly ticks: number;
}

/** Returns the number of ticks for the next search, after `ticks` ticks without a draw. */
export const lookAfter = (ticks: number): number => Math.min(MAX_TICKS, Math.max(FIRST_TICKS, ticks));

/** Runs `ticks` ticks on a copy of a world, and returns the position of the first draw. The world is not changed. */
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
