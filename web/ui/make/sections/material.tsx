/**
 * Surface of an entity beyond its colour.
 * Owns: the defaults of a new one.
 */

import { Material } from '../../../../shared/components/material.ts';
import { ComponentForm } from '../component-form.tsx';
import type { Section } from './section.ts';

export const material: Section = {
	shows: [Material],
	together: true,
	add: { label: 'Material', first: { roughness: 0.5 } },
	View: ({ entity }) => <ComponentForm entity={entity} of="material" closed />,
};
