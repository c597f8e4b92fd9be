/**
 * Colours as texts: a name, or the parts of a colour.
 * Never: imports the schema library, so that the page loads less code.
 */

/** Named colours as sRGB bytes. */
export const PALETTE: Readonly<Record<string, readonly [number, number, number]>> = {
	red: [214, 69, 56],
	blue: [59, 130, 214],
	green: [86, 153, 84],
	gold: [210, 166, 80],
	silver: [188, 194, 201],
	gray: [128, 132, 138],
	white: [242, 238, 228],
	black: [32, 35, 41],
	yellow: [236, 200, 74],
	cyan: [76, 188, 201],
	magenta: [196, 82, 168],
	orange: [232, 128, 52],
};

/** Returns the sRGB bytes of a stored colour: a palette name, or `r,g,b` with parts from 0 to 1. */
export function colorBytes(color: string): readonly [number, number, number] {
	const paletteColor = PALETTE[color];
	if (paletteColor !== undefined) return paletteColor;
	const [r = 1, g = 1, b = 1] = color.split(',').map(Number);
	return [Math.round(r * 255), Math.round(g * 255), Math.round(b * 255)];
}

/**
 * Returns the stored form of a colour: a palette name in lower case, or `r,g,b` with each part clamped to 0..1. Null
 * if it is neither.
 */
export function parseColor(color: string): string | null {
	const name = color.trim().toLowerCase();
	if (Object.hasOwn(PALETTE, name)) return name;
	const parts = name.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
	if (parts.length !== 3 || !parts.every(Number.isFinite)) return null;
	return parts.map((part) => Math.min(1, Math.max(0, part))).join(',');
}
