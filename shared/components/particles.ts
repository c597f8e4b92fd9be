/** An emitter of particles. The state does not depend on it, so no digest includes it. */

import * as z from 'zod';
import { component, json } from '../contract/component.ts';
import { optional } from '../contract/values.ts';
import {
	DEFAULT_EMITTER,
	type Emitter,
	type EmitterRun,
	emitterDocument,
	emitterOfDocument,
	emitterRun,
	emitterSchema,
} from '../media/particles.ts';

const NEVER_STARTED: EmitterRun = { seed: 0, since: null, until: null, bursts: [], burst_count: 0 };

const particlesDocument = z
	.strictObject(emitterDocument)
	.describe('An emitter of particles. Fields left out are those of the preset, or the defaults')
	.meta({ id: 'Particles' });

export const Particles = component({
	name: 'particles',
	title: 'Particles',
	scope: 'view',
	summary: 'An emitter of particles, and its start',
	fields: {
		emitter: json<Emitter>(emitterSchema, DEFAULT_EMITTER, 'Settings of the emitter'),
		run: json<EmitterRun>(emitterRun, NEVER_STARTED, 'Its start and stop, bursts and seed'),
	},
	spawn: {
		fields: { particles: optional(particlesDocument) },
		row: ({ particles }) => (particles == null ? null : { emitter: emitterOfDocument(particles) }),
		describe: (row) => {
			if (row === undefined) return { particles: undefined };
			const { emitter, run } = row;
			const isEmitting = run.since !== null && run.until === null;
			return { particles: { ...emitter, ...(isEmitting ? {} : { start: false }) } };
		},
	},
});
