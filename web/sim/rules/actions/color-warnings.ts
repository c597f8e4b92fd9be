/** Saying that a colour is none. */

import { parseColor } from '../../../../shared/components/color.ts';
import { colorWarning } from '../../spawn/spawn-entity.ts';

export const colorWarnings = (color: string): string[] =>
	parseColor(color) === null ? [`: ${colorWarning(color)}`] : [];
