/**
 * The one-time tokens that tell the page this relay served from any other.
 * Owns: issuing and using them up. Never: writes one anywhere but into the page.
 */

import { randomBytes } from 'node:crypto';

/** Tokens that may be out at once; the oldest is dropped beyond that. */
const MOST = 256;
/** Milliseconds that a page may take until it connects. */
const LIFE = 10 * 60 * 1000;

export class Tokens {
	/** token -> when it ends, and whose it is. In order of issue. */
	readonly #out = new Map<string, { readonly ends: number; readonly keeper: boolean }>();

	/**
	 * Returns a new token, good for one socket within ten minutes. `keeper`: for the page of the relay's own browser.
	 */
	issue(keeper: boolean): string {
		const token = randomToken();
		this.#out.set(token, { ends: performance.now() + LIFE, keeper });
		if (this.#out.size > MOST) {
			const oldest = this.#out.keys().next();
			if (!oldest.done) this.#out.delete(oldest.value);
		}
		return token;
	}

	/** Returns the owner, once for each issued token; undefined for any other. */
	use(token: string): { readonly keeper: boolean } | undefined {
		const issued = this.#out.get(token);
		this.#out.delete(token);
		return issued !== undefined && performance.now() < issued.ends ? issued : undefined;
	}
}

/** 192 random bits as 32 characters that are safe in HTML and URLs. */
export function randomToken(): string {
	return randomBytes(24).toString('base64url');
}
