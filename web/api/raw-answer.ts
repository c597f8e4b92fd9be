/** An answer whose bytes the handler wrote itself. */

import type { WireResponse } from '../../shared/contract/wire.ts';

export class RawAnswer {
	readonly response: WireResponse;

	constructor(response: WireResponse) {
		this.response = response;
	}
}
