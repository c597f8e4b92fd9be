/**
 * The exact chance of a condition that a person typed.
 * Owns: asking /peek, and the shown part of its answer.
 */

import type { Answer } from '../../../shared/contract/route.ts';
import type { peek } from '../../../shared/routes/simulation.ts';
import type { PanelServices } from '../services.ts';
import { ask, type Refusal } from '../state/ask.ts';
import type { Choice, Fraction } from './odds.ts';

/** `within`: on any of the ticks; `after`: after the last one. */
export type When = 'within' | 'after';

export interface OddsQuestion {
	readonly text: string;
	readonly ticks: number;
	readonly when: When;
}

type Peek = Answer<typeof peek>;

export interface AnsweredQuestion {
	readonly question: OddsQuestion;
	/** Ticks completed at the time of the question. */
	readonly tick: number;
	readonly digest: string;
	/** The condition as the engine understood it. */
	readonly reading: string;
	readonly probability: Fraction;
	/** Rounded probability; null if only a lower and an upper bound are known. */
	readonly p: number | null;
	readonly atMost: Fraction | null;
	/** Probability that the condition first holds on a tick, for `within`. */
	readonly byTick: NonNullable<Peek['until']>['by_tick'];
	/** Draws on one way to the condition; null if there is none. */
	readonly way: readonly { readonly tick: number; readonly choices: readonly Choice[] }[] | null;
	readonly warnings: readonly string[];
}

/** Asks for the chance of a condition, from the current state of a world. */
export async function askChance(
	services: PanelServices,
	world: string,
	question: OddsQuestion,
): Promise<AnsweredQuestion | Refusal> {
	const { text, ticks, when } = question;
	const body = {
		ticks,
		limit: 0,
		merge: 'observable',
		...(when === 'within' ? { until: text } : { condition: text }),
	} as const;
	const outcome = await ask(services, 'POST', '/peek', { world, body, on: 'panels' });
	if (!outcome.ok) return outcome.refusal;
	const { until, condition, tick, state_digest, warnings = [] } = outcome.body;
	const answer = until ?? condition;
	if (answer === undefined) return { sentence: 'The engine gave no chance of it.', fix: '' };
	return {
		question,
		tick,
		digest: state_digest,
		reading: answer.reading,
		probability: answer.probability,
		p: answer.p,
		atMost: answer.at_most ?? null,
		byTick: until?.by_tick ?? [],
		way: answer.yes?.draws ?? null,
		warnings,
	};
}
