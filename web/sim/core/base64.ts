/** Bytes as base64 (RFC 4648, with padding) and back. */

const DIGITS = new TextEncoder().encode('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
const PAD = 0x3d;
const NO_DIGIT = 64;
const VALUES = new Uint8Array(128).fill(NO_DIGIT);
DIGITS.forEach((digit, value) => {
	VALUES[digit] = value;
});

export function toBase64(bytes: Uint8Array): string {
	const digits = new Uint8Array(Math.ceil(bytes.length / 3) * 4);
	let end = 0;
	for (let i = 0; i < bytes.length; i += 3) {
		const word = (bytes[i]! << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
		digits[end++] = DIGITS[word >> 18]!;
		digits[end++] = DIGITS[(word >> 12) & 63]!;
		digits[end++] = i + 1 < bytes.length ? DIGITS[(word >> 6) & 63]! : PAD;
		digits[end++] = i + 2 < bytes.length ? DIGITS[word & 63]! : PAD;
	}
	return new TextDecoder().decode(digits);
}

/** Returns the bytes of a base64 text. Throws a RangeError if it is not base64. */
export function fromBase64(text: string): Uint8Array {
	const end = text.endsWith('==') ? text.length - 2 : text.endsWith('=') ? text.length - 1 : text.length;
	if (text.length % 4 !== 0) throw new RangeError('the length of base64 text must be a multiple of four');
	const bytes = new Uint8Array(Math.floor((end * 3) / 4));
	let length = 0;
	for (let i = 0; i < end; i += 4) {
		let word = 0;
		for (let j = 0; j < 4; j++) {
			const value = i + j < end ? (VALUES[text.charCodeAt(i + j)] ?? NO_DIGIT) : 0;
			if (value === NO_DIGIT) throw new RangeError(`"${text[i + j]}" is not a base64 digit`);
			word = (word << 6) | value;
		}
		if (length < bytes.length) bytes[length++] = word >> 16;
		if (length < bytes.length) bytes[length++] = (word >> 8) & 255;
		if (length < bytes.length) bytes[length++] = word & 255;
	}
	return bytes;
}
