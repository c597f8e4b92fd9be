/**
 * The latest tick of the selected world, beside what was foretold about it.
 * Owns: which rows of the prediction it may have taken. Never: asks the engine.
 */

import type { StepResult } from '../worlds/world-time.ts';
import type { Foretold, WorldStamp } from './foretell.ts';
import { drawnRows, type Sampled } from './odds.ts';

/** The latest tick that was seen to be completed. */
export interface LastStepSeen extends WorldStamp {
	/** Prediction of the tick. */
	readonly foretold: Foretold | null;
	/** The step of this page that made it. */
	readonly made: StepResult | null;
}

/** The latest tick, if it was made one at a time or by a step of this page. */
export interface LastStep {
	readonly world: string;
	/** Ticks completed after it. */
	readonly tick: number;
	readonly digest: string;
	/** Prediction of the tick; null if it was not requested. */
	readonly foretold: Foretold | null;
	/** Sampled outcomes; null if the step was not made by this page. */
	readonly sampled: Sampled | null;
	/** Rows of `foretold` that it may have taken: one, unless several lead to the same state. */
	readonly drawn: readonly number[];
	/** True if it was drawn from exactly the predicted odds; null if the step was not made by this page. */
	readonly agrees: boolean | null;
}

/** Reads a tick that was seen; null if nothing can be reported about it. */
export function lastStepOf(step: LastStepSeen | null): LastStep | null {
	if (step === null) return null;
	const { world, tick, digest, made } = step;
	const agrees = made && step.foretold && made.oddsDigest === step.foretold.peek.distribution_digest;
	// The state was changed between the peek and the step: the peek does not count.
	const foretold = agrees === false ? null : step.foretold;
	const sampled = made?.sampled ?? null;
	const drawn = foretold === null ? [] : drawnRows(foretold.rows, digest, sampled);
	if (made === null && drawn.length === 0) return null;
	return { world, tick, digest: made?.digest ?? digest, foretold, sampled, drawn, agrees };
}

/** Returns true if a step left something to chance. */
export function hasDrawn(step: LastStep | null): step is LastStep {
	return step !== null && ((step.sampled?.length ?? 0) > 0 || (step.foretold?.rows.length ?? 0) > 1);
}
