/**
 * The manifest: the planned features of a game, and the assertions that must pass before each is done.
 * Owns: the words for the status of a feature.
 */

import * as z from 'zod';
import { text } from '../contract/values.ts';

/** The status of a feature; `inprogress` is accepted for `in_progress`. */
export const STATUSES = ['planned', 'in_progress', 'complete', 'verified'] as const;
export const featureStatus = z
	.preprocess((value) => {
		const status = typeof value === 'string' ? value.trim().toLowerCase() : value;
		return status === 'inprogress' ? 'in_progress' : status;
	}, z.enum(STATUSES))
	.describe('Status of the feature; inprogress is accepted for in_progress');

/** Names of assertions. */
export const assertionNames = z.array(text('Name of an assertion')).max(1000);

/** The manifest as callers send it and as it is stored. */
export const manifestDocument = z
	.strictObject({
		name: text('Name of the game'),
		genre: text('Genre'),
		description: text('Description', 5000),
		features: z
			.array(
				z.strictObject({
					name: text('Name of the feature', 200).min(1),
					description: text('Description', 5000),
					status: featureStatus,
					assertions: assertionNames.describe('Assertions that must pass before it is done'),
				}),
			)
			.max(1000),
	})
	.describe('Planned features of a game, and the assertions that define when each is done')
	.meta({ id: 'Manifest' });

export type ManifestDocument = z.output<typeof manifestDocument>;
