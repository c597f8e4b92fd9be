/** Random identities, such as those of worlds in X-Orrery-World. Owns: their form. */

/** Returns a new random identity: 16 characters that are safe in headers and URLs. */
export function newIdentity(): string {
	const digits = '0123456789abcdefghjkmnpqrstvwxyz';
	return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => digits[byte & 31]).join('');
}
