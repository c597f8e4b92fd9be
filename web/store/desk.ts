/** Desk of an engine without a relay, which runs no errands. */

import { ApiError } from '../../shared/contract/errors.ts';
import type { Desk } from '../../shared/transport/errand.ts';

export const NO_DESK: Desk = {
	ask: (errand) =>
		Promise.reject(
			errand === 'login'
				? new ApiError('no_auth', 'This engine has no sign-in.')
				: new ApiError('no_relay', 'This engine runs without the server that this call needs.'),
		),
};
