/** Answer whose bytes are written by the handler itself. */

import type { WireResponse } from '../../shared/contract/wire.ts';

export class RawAnswer {
	readonly response: WireResponse;

	constructor(response: WireResponse) {
		this.response = response;
	}
}
