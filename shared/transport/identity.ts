/** Names of worlds: what X-Orrery-World says. Owns: making one. */

/** Another one each time: 16 characters that are safe in headers and URLs. */
export function newIdentity(): string {
	const digits = '0123456789abcdefghjkmnpqrstvwxyz';
	return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => digits[byte & 31]).join('');
}
