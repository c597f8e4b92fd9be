/**
 * One-time tokens, which distinguish pages that this relay served from any other page.
 * Owns: issuing and redeeming tokens. Never: writes a token anywhere except into the page.
 */

import { randomBytes } from 'node:crypto';

/** Maximum number of unused tokens. Beyond it the oldest is dropped. */
const MAX_UNUSED = 256;
/** Milliseconds in which a page must connect. */
const LIFETIME_MS = 10 * 60 * 1000;

export class Tokens {
	/** Unused tokens in order of issue. `expiresAt`: milliseconds on the steady clock. */
	readonly #unused = new Map<string, { readonly expiresAt: number; readonly keeper: boolean }>();

	/**
	 * Returns a new token, valid for one socket within ten minutes. `keeper`: for the page of the relay's own browser.
	 */
	issue(keeper: boolean): string {
		const token = randomToken();
		this.#unused.set(token, { expiresAt: performance.now() + LIFETIME_MS, keeper });
		if (this.#unused.size > MAX_UNUSED) {
			const oldest = this.#unused.keys().next();
			if (!oldest.done) this.#unused.delete(oldest.value);
		}
		return token;
	}

	/** Redeems a token. Returns undefined if it was not issued, was redeemed before, or has expired. */
	redeem(token: string): { readonly keeper: boolean } | undefined {
		const issued = this.#unused.get(token);
		this.#unused.delete(token);
		return issued !== undefined && performance.now() < issued.expiresAt ? issued : undefined;
	}
}

/** Returns 192 random bits as 32 characters that are safe in HTML and URLs. */
export function randomToken(): string {
	return randomBytes(24).toString('base64url');
}
