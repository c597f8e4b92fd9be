/** Bytes as base64 (RFC 4648, with padding) and back. */

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Uint8Array(128).fill(64);
for (let i = 0; i < 64; i++) VALUES[DIGITS.charCodeAt(i)] = i;

export function toBase64(bytes: Uint8Array): string {
	const parts: string[] = [];
	for (let at = 0; at < bytes.length; at += 3) {
		const [a, b, c] = [bytes[at]!, bytes[at + 1], bytes[at + 2]];
		const word = (a << 16) | ((b ?? 0) << 8) | (c ?? 0);
		const third = b === undefined ? '=' : DIGITS[(word >> 6) & 63];
		const fourth = c === undefined ? '=' : DIGITS[word & 63];
		parts.push(`${DIGITS[word >> 18]}${DIGITS[(word >> 12) & 63]}${third}${fourth}`);
	}
	return parts.join('');
}

/** Throws a RangeError for a text that is not base64. */
export function fromBase64(text: string): Uint8Array {
	const end = text.endsWith('==') ? text.length - 2 : text.endsWith('=') ? text.length - 1 : text.length;
	if (text.length % 4 !== 0) throw new RangeError('base64 comes in groups of four digits');
	const bytes = new Uint8Array(Math.floor((end * 3) / 4));
	let at = 0;
	for (let i = 0; i < end; i += 4) {
		let word = 0;
		for (let j = 0; j < 4; j++) {
			const value = i + j < end ? (VALUES[text.charCodeAt(i + j)] ?? 64) : 0;
			if (value === 64) throw new RangeError(`"${text[i + j]}" is no digit of base64`);
			word = (word << 6) | value;
		}
		if (at < bytes.length) bytes[at++] = word >> 16;
		if (at < bytes.length) bytes[at++] = (word >> 8) & 255;
		if (at < bytes.length) bytes[at++] = word & 255;
	}
	return bytes;
}
