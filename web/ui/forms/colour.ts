/**
 * Colours between the engine's numbers and the browser's picker.
 * Owns: the way from linear light or sRGB shares to `#rrggbb` and back.
 */

/** Returns the share of sRGB of a share of linear light. */
const encoded = (light: number): number =>
	light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055;
const decoded = (share: number): number =>
	share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;

const byteOf = (share: number): number => Math.round(Math.min(1, Math.max(0, share)) * 255);
const rounded = (share: number): number => Math.round(share * 1e4) / 1e4;

/** `#rrggbb` of red, green and blue; light above white is shown as bright as can be. */
export function hexOf(parts: readonly number[], linear: boolean): string {
	const bytes = parts.slice(0, 3).map((part) => byteOf(linear ? encoded(part) : part));
	return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** Red, green and blue of `#rrggbb`, as shares with four digits. */
export function partsOf(hex: string, linear: boolean): readonly number[] {
	return [1, 3, 5].map((at) => {
		const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
		return rounded(linear ? decoded(share) : share);
	});
}

/** Reads `0.2, 0.4, 1`; null when these are not so many numbers. */
export function readParts(text: string, size: number): readonly number[] | null {
	const parts = text
		.split(/[\s,;]+/)
		.filter((part) => part !== '')
		.map(Number);
	return parts.length === size && parts.every(Number.isFinite) ? parts : null;
}
