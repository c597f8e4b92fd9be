/**
 * Prediction of a world's next tick.
 * Owns: the calls that read it, and the state that it describes.
 */

import type { ShownRule } from '../make/rules/rules-state.ts';
import type { PanelServices } from '../services.ts';
import { ask, type Refusal } from '../state/ask.ts';
import { type OddsRow, oddsRows, type Peek } from './odds.ts';

/** State of a world that an observation or a prediction describes. */
export interface WorldStamp {
	readonly world: string;
	readonly tick: number;
	readonly digest: string;
}

/** Prediction of a tick. */
export interface Foretold {
	readonly world: string;
	readonly peek: Peek;
	/** The likeliest branch first. */
	readonly rows: readonly OddsRow[];
	/** Rules by id, at the time of the prediction. */
	readonly rules: ReadonlyMap<number, ShownRule>;
	/** Requested maximum number of branches. */
	readonly limit: number;
	/** Duration of the call (ms). */
	readonly ms: number;
}

/** Returns true if a prediction describes this state. */
export function isForetoldOf({ world, peek }: Foretold, stamp: WorldStamp): boolean {
	return world === stamp.world && peek.tick === stamp.tick && peek.state_digest === stamp.digest;
}

/** Peeks at a world, and reads its rules if the next tick has draws. */
export async function foretell(
	services: PanelServices,
	world: string,
	limit: number,
): Promise<Foretold | Refusal> {
	const startTime = performance.now();
	const outcome = await ask(services, 'POST', '/peek', {
		world,
		body: { max_branches: limit },
		on: 'panels',
	});
	const ms = performance.now() - startTime;
	if (!outcome.ok) return outcome.refusal;
	const peek = outcome.body;
	const rules = new Map<number, ShownRule>();
	if (peek.factors.length > 0) {
		const listed = await ask(services, 'GET', '/rule/list', { world, on: 'panels' });
		if (!listed.ok) return listed.refusal;
		for (const rule of listed.body.rules) rules.set(rule.id, rule);
	}
	return { world, peek, rows: oddsRows(peek), rules, limit, ms };
}
