/**
 * The water of an entity.
 * Owns: the defaults of new water.
 */

import { Water } from '../../../../shared/components/water.ts';
import { ComponentForm } from '../component-form.tsx';
import type { Section } from './section.ts';

export const water: Section = {
	shows: [Water],
	add: { label: 'Water', first: { size: [10, 10] } },
	View: ({ entity }) => <ComponentForm entity={entity} of="water" />,
};
