/** Tries work that may be refused. Owns: the distinction of a refusal from any other error. */

import { ApiError } from '../../../shared/contract/errors.ts';

/** Runs `work`. Returns its refusal, or null if it succeeds. Other errors are thrown. */
export function refusalOf(work: () => void): ApiError | null {
	try {
		work();
		return null;
	} catch (error) {
		if (error instanceof ApiError) return error;
		throw error;
	}
}
