/** Saying that a colour is none. */

import { colorWarning, parseColor } from '../../../../shared/components/color.ts';

export const colorWarnings = (color: string): string[] =>
	parseColor(color) === null ? [`: ${colorWarning(color)}`] : [];
