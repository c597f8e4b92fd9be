/** Errors with a path in a document. */

import { ApiError } from '../../../shared/contract/errors.ts';

/** Runs `work`. An `ApiError` that it throws gets the path in the document. */
export function atPath<T>(path: string, work: () => T): T {
	try {
		return work();
	} catch (error) {
		if (!(error instanceof ApiError)) throw error;
		const { path: innerPath = '' } = error;
		const separator = innerPath === '' || innerPath.startsWith('[') ? '' : '.';
		const fullPath = innerPath.startsWith(path) ? innerPath : `${path}${separator}${innerPath}`;
		const message = error.message.startsWith(path) ? error.message : `${path}: ${error.message}`;
		throw new ApiError(error.code, message, { fix: error.fix, path: fullPath });
	}
}
