/** Warnings about values that are not colours. */

import { colorWarning } from '../../../../shared/components/color.ts';
import { parseColor } from '../../../../shared/media/palette.ts';

export const colorWarnings = (color: string): string[] =>
	parseColor(color) === null ? [`: ${colorWarning(color)}`] : [];
