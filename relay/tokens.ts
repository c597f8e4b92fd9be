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
	/** token -> when it ends. In order of issue. */
	readonly #out = new Map<string, number>();

	/** A new token, good for one socket within ten minutes. */
	issue(): string {
		const token = randomToken();
		this.#out.set(token, performance.now() + LIFE);
		if (this.#out.size > MOST) {
			const oldest = this.#out.keys().next();
			if (!oldest.done) this.#out.delete(oldest.value);
		}
		return token;
	}

	/** True once for each issued token. */
	use(token: string): boolean {
		const ends = this.#out.get(token);
		this.#out.delete(token);
		return ends !== undefined && performance.now() < ends;
	}
}

/** 192 random bits as 32 characters that are safe in HTML and URLs. */
export function randomToken(): string {
	return randomBytes(24).toString('base64url');
}
