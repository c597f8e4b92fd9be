/** The conformance suite through the in-process transport. */

import type { Engine } from '../../../web/host/engine.ts';
import { startEngine } from '../../support/engine.ts';
import { times } from '../../support/property.ts';
import { describeConformance } from './conformance.ts';

describeConformance('in process', async () => {
	let engine: Engine = (await startEngine()).engine;
	return {
		handle: (request) => engine.handle(request),
		async reset() {
			engine.close();
			engine = (await startEngine()).engine;
		},
		refusalsPerLook: 20,
		maxBodies: times(4),
		has: { view: false, files: true },
		async close() {
			engine.close();
		},
	};
});
