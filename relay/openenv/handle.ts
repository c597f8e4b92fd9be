/**
 * Handles of episodes: texts that name a checkpoint and contain the rest of the episode's data.
 * Owns: their form, and the names of forks. The fork `oe-KEY-ATTEMPT-NONCE` is played. The fork
 * `.oe-KEY-ATTEMPT-NONCE-STEP` is a checkpoint, which lists of forks omit.
 */

import { episodeHandle, type EpisodeHandle as Handle } from '../../shared/documents/openenv.ts';
import { OpenEnvError } from './requests.ts';

const PREFIX = 'orrery1.';

export const playedFork = ({ key, attempt, nonce }: Pick<Handle, 'key' | 'attempt' | 'nonce'>): string =>
	`oe-${key}-${attempt}-${nonce}`;

export const checkpointFork = (handle: Pick<Handle, 'key' | 'attempt' | 'nonce' | 'step_count'>): string =>
	`.${playedFork(handle)}-${handle.step_count}`;

/** Returns key, attempt and step from the name of a fork; undefined for other forks. The step is undefined in a played fork. */
export function partsOf(
	fork: string,
): { readonly key: string; readonly attempt: number; readonly step: number | undefined } | undefined {
	const [, key, attempt, step] = /^\.?oe-([0-9a-f]{12})-(\d+)-[0-9a-f]{8}(?:-(\d+))?$/.exec(fork) ?? [];
	if (key === undefined) return undefined;
	return { key, attempt: Number(attempt), step: step === undefined ? undefined : Number(step) };
}

export const handleText = (handle: Handle): string =>
	PREFIX + Buffer.from(JSON.stringify(handle)).toString('base64url');

/** Reads a handle. Throws `VALIDATION_ERROR`. */
export function readHandle(text: string): Handle {
	try {
		if (!text.startsWith(PREFIX)) throw new Error('form');
		return episodeHandle.parse(JSON.parse(Buffer.from(text.slice(PREFIX.length), 'base64url').toString()));
	} catch {
		throw new OpenEnvError(
			'VALIDATION_ERROR',
			'The text is not a handle of an episode.',
			'Send `handle` of a state unchanged.',
		);
	}
}
