/**
 * The signature: a state digest as 16 rays around a ring.
 * Owns: converting digits to rays and groups. Never: draws.
 */

/** One ray in a box of 2 by 2, centred on 0. It goes from the ring outwards; y grows downwards. */
export interface Ray {
	readonly digit: number;
	readonly x1: number;
	readonly y1: number;
	readonly x2: number;
	readonly y2: number;
}

const RING_RADIUS = 0.36;
const MIN_LENGTH = 0.06;

/** Returns 16 rays, clockwise from the top. The digit sets the length. Empty if `digest` is not 16 hexadecimal digits. */
export function signatureRays(digest: string): readonly Ray[] {
	if (!/^[0-9a-f]{16}$/i.test(digest)) return [];
	return [...digest].map((char, index) => {
		const digit = Number.parseInt(char, 16);
		const angle = (index / 16) * Math.PI * 2;
		const outer = RING_RADIUS + MIN_LENGTH + (digit / 15) * (1 - RING_RADIUS - MIN_LENGTH);
		const [x, y] = [Math.sin(angle), -Math.cos(angle)];
		return { digit, x1: x * RING_RADIUS, y1: y * RING_RADIUS, x2: x * outer, y2: y * outer };
	});
}

/** Returns a digest in four groups of four: `7ad1 103c 937f 47c6`. */
export function groupDigest(digest: string): string {
	return digest.match(/.{1,4}/g)?.join(' ') ?? '';
}
