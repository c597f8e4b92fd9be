/**
 * Colours of the HUD in pictures, and the anchor of an element.
 * Owns: the values that the page and captured pictures share.
 */

import { parseColor } from '../media/palette.ts';
import type { Anchor } from './hud.ts';

/** Colours of the page's dark theme. Captured pictures always use this theme. */
export const HUD_INKS: ReadonlyMap<string, string> = new Map([
	['red', '#f48f95'],
	['orange', '#f88b66'],
	['gold', '#f0d39a'],
	['yellow', '#f2c25c'],
	['green', '#5fbca6'],
	['cyan', '#6fb2f7'],
	['blue', '#6fb2f7'],
	['magenta', '#f6cad8'],
	['white', '#f0eadc'],
	['silver', '#bdb9ad'],
	['gray', '#9a9a97'],
	['black', '#0c111a'],
]);

/** Colours of the plates under texts and bars. */
export const HUD_PLATES = { dark: 'rgb(14 20 30 / 0.9)', light: '#f0eadc', edge: '#2b384b' };

/** Returns the CSS form of a colour; white if it is invalid. */
export function hudInk(color: string): string {
	const stored = parseColor(color) ?? 'white';
	const paletteColor = HUD_INKS.get(stored);
	if (paletteColor !== undefined) return paletteColor;
	return `rgb(${stored
		.split(',')
		.map((part) => Math.round(Number(part) * 255))
		.join(' ')})`;
}

/** Returns the shares of an element's size that lie left of and above its anchor. */
export function anchorShares(anchor: Anchor): readonly [across: number, down: number] {
	const share = (first: string, last: string) =>
		anchor.includes(first) ? 0 : anchor.includes(last) ? 1 : 0.5;
	return [share('left', 'right'), share('top', 'bottom')];
}
