/**
 * The signature: a state digest as 16 rays round a ring.
 * Owns: how digits become rays and groups. Never: draws.
 */

/** One ray in a box of 2 by 2 centred on 0: from the ring outwards, y growing downwards. */
export interface Ray {
	readonly digit: number;
	readonly x1: number;
	readonly y1: number;
	readonly x2: number;
	readonly y2: number;
}

const INNER = 0.36;
const SHORTEST = 0.06;

/** 16 rays clockwise from the top, length = digit; empty when `digest` is not 16 hexadecimal digits. */
export function signatureRays(digest: string): readonly Ray[] {
	if (!/^[0-9a-f]{16}$/i.test(digest)) return [];
	return [...digest].map((char, index) => {
		const digit = Number.parseInt(char, 16);
		const angle = (index / 16) * Math.PI * 2;
		const outer = INNER + SHORTEST + (digit / 15) * (1 - INNER - SHORTEST);
		const [x, y] = [Math.sin(angle), -Math.cos(angle)];
		return { digit, x1: x * INNER, y1: y * INNER, x2: x * outer, y2: y * outer };
	});
}

/** Four groups of four: `7ad1 103c 937f 47c6`. */
export function groupDigest(digest: string): string {
	return digest.match(/.{1,4}/g)?.join(' ') ?? '';
}
