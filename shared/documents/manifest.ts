/**
 * The manifest: what a game is to be, feature by feature, and the assertions that say when each is done.
 * Owns: the words for how far a feature is.
 */

import * as z from 'zod';
import { text } from '../contract/values.ts';

/** Words for how far a feature is; `inprogress` is taken for `in_progress`. */
export const STATUSES = ['planned', 'in_progress', 'complete', 'verified'] as const;
export const featureStatus = z
	.preprocess((value) => {
		const low = typeof value === 'string' ? value.trim().toLowerCase() : value;
		return low === 'inprogress' ? 'in_progress' : low;
	}, z.enum(STATUSES))
	.describe('How far it is; inprogress is taken for in_progress');

/** Names of assertions. */
export const assertionNames = z.array(text('Name of an assertion')).max(1000);

/** The manifest as callers send it and as it is kept. */
export const manifestDocument = z
	.strictObject({
		name: text('Name of the game'),
		genre: text('Genre'),
		description: text('What it is', 5000),
		features: z
			.array(
				z.strictObject({
					name: text('Name of the feature', 200).min(1),
					description: text('What it is', 5000),
					status: featureStatus,
					assertions: assertionNames.describe('Assertions that define when it is done'),
				}),
			)
			.max(1000),
	})
	.describe('What the game is to be, and the assertions that say when it is done')
	.meta({ id: 'Manifest' });

export type ManifestDocument = z.output<typeof manifestDocument>;
