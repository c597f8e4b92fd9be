/**
 * The conformance suite through the relay, on an engine in headless Chromium.
 * Owns: the number of calls: to this door, all bodies are alike. `conformance-worker.test.ts` has the other door of the page.
 */

import { afterAll, beforeAll } from 'vitest';
import { describeConformance } from '../transport/conformance.ts';
import { type Stage, startStage } from './stage.ts';

/** The checks behind the door are the same as in process, where all values are tried. */
const MAX_CALLS = 4;
let stage: Stage;

beforeAll(async () => {
	stage = await startStage();
});

afterAll(() => stage?.close());

describeConformance(
	'through the relay',
	async () => ({
		handle: stage.handle,
		reset: (needs) => stage.fresh(needs === 'view'),
		refusalsPerLook: 20,
		maxBodies: MAX_CALLS,
		maxCalls: MAX_CALLS,
		has: { view: true, files: true },
		async close() {},
	}),
	{ isFar: true },
);
