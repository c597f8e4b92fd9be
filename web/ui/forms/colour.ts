/**
 * Conversion of colours between the engine's numbers and the browser's picker.
 * Owns: converting linear light or sRGB from 0 to 1 to `#rrggbb`, and back.
 */

/** Converts linear light to sRGB, both from 0 to 1. */
const toSrgb = (light: number): number =>
	light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055;
const toLinear = (share: number): number =>
	share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;

const byteOf = (share: number): number => Math.round(Math.min(1, Math.max(0, share)) * 255);
const round4 = (share: number): number => Math.round(share * 1e4) / 1e4;

/** Returns red, green and blue as `#rrggbb`. Values above 1 are clamped. */
export function hexOf(parts: readonly number[], linear: boolean): string {
	const bytes = parts.slice(0, 3).map((part) => byteOf(linear ? toSrgb(part) : part));
	return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** Returns red, green and blue of `#rrggbb`, from 0 to 1, with four decimals. */
export function partsOf(hex: string, linear: boolean): readonly number[] {
	return [1, 3, 5].map((at) => {
		const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
		return round4(linear ? toLinear(share) : share);
	});
}

/** Reads numbers such as `0.2, 0.4, 1`; null if there are not exactly `size` of them. */
export function readParts(text: string, size: number): readonly number[] | null {
	const parts = text
		.split(/[\s,;]+/)
		.filter((part) => part !== '')
		.map(Number);
	return parts.length === size && parts.every(Number.isFinite) ? parts : null;
}
