/** Asking whether something is refused. Owns: the distinction of a refusal from any other error. */

import { ApiError } from '../../../shared/contract/errors.ts';

/** Returns the refusal of what it tries, or null if it succeeds. */
export function refusalOf(work: () => void): ApiError | null {
	try {
		work();
		return null;
	} catch (error) {
		if (error instanceof ApiError) return error;
		throw error;
	}
}
