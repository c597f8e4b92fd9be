/**
 * The latest tick of the selected world, with its prediction.
 * Owns: finding the predicted rows that fit the tick. Never: asks the engine.
 */

import type { StepResult } from '../worlds/world-time.ts';
import type { Foretold, WorldStamp } from './foretell.ts';
import { drawnRows, type Sampled } from './odds.ts';

/** The latest completed tick that the page has seen. */
export interface LastStepSeen extends WorldStamp {
	/** Prediction of the tick. */
	readonly foretold: Foretold | null;
	/** Step of this page that ran the tick; null if another caller did. */
	readonly pageStep: StepResult | null;
}

/** The latest tick with its draws. */
export interface LastStep {
	readonly world: string;
	/** Ticks completed after it. */
	readonly tick: number;
	readonly digest: string;
	/** Prediction of the tick; null if it was not requested. */
	readonly foretold: Foretold | null;
	/** Sampled outcomes; null if the step was not made by this page. */
	readonly sampled: Sampled | null;
	/** Rows of `foretold` that fit the tick: one, unless several lead to the same state. */
	readonly drawn: readonly number[];
	/** True if the tick was drawn from exactly the predicted odds; null if that is unknown. */
	readonly agrees: boolean | null;
}

/** Compares a tick with its prediction. Null if neither draws nor a fitting row are known. */
export function lastStepOf(step: LastStepSeen | null): LastStep | null {
	if (step === null) return null;
	const { world, tick, digest, pageStep } = step;
	const agrees = pageStep && step.foretold && pageStep.oddsDigest === step.foretold.peek.distribution_digest;
	// A changed odds digest means that the state was changed between peek and step, so the prediction does not apply.
	const foretold = agrees === false ? null : step.foretold;
	const sampled = pageStep?.sampled ?? null;
	const drawn = foretold === null ? [] : drawnRows(foretold.rows, digest, sampled);
	if (pageStep === null && drawn.length === 0) return null;
	return { world, tick, digest: pageStep?.digest ?? digest, foretold, sampled, drawn, agrees };
}

/** Returns true if a step had a random draw. */
export function hasDrawn(step: LastStep | null): step is LastStep {
	return step !== null && ((step.sampled?.length ?? 0) > 0 || (step.foretold?.rows.length ?? 0) > 1);
}
