/** Naming the place in a document at which something is wrong. */

import { Fault } from '../../../shared/contract/errors.ts';

/** Runs `work`; a refusal of it names the place in the document. */
export function within<T>(path: string, work: () => T): T {
	try {
		return work();
	} catch (error) {
		if (!(error instanceof Fault)) throw error;
		const { path: inner = '' } = error;
		const joint = inner === '' || inner.startsWith('[') ? '' : '.';
		const full = inner.startsWith(path) ? inner : `${path}${joint}${inner}`;
		const message = error.message.startsWith(path) ? error.message : `${path}: ${error.message}`;
		throw new Fault(error.code, message, { fix: error.fix, path: full });
	}
}
