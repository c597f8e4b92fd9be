/** An answer that is not JSON: the handler made its bytes itself. */

import type { WireResponse } from '../../shared/contract/wire.ts';

export class RawAnswer {
	readonly response: WireResponse;

	constructor(response: WireResponse) {
		this.response = response;
	}
}
