/** Relay services of an engine without a relay. They refuse every request. */

import { ApiError } from '../../shared/contract/errors.ts';
import type { RelayServices } from '../../shared/transport/errand.ts';

export const NO_RELAY_SERVICES: RelayServices = {
	ask: (errand) =>
		Promise.reject(
			errand === 'login'
				? new ApiError('no_auth', 'This engine has no sign-in.')
				: new ApiError('no_relay', 'This engine runs without the server that this call needs.'),
		),
};
