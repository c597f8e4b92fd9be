/**
 * The light of an entity.
 * Owns: the defaults of a new one.
 */

import { Light } from '../../../../shared/components/light.ts';
import { ComponentForm } from '../component-form.tsx';
import type { Section } from './section.ts';

export const light: Section = {
	shows: [Light],
	together: true,
	add: { label: 'Light', first: { kind: 'point' } },
	View: ({ entity }) => <ComponentForm entity={entity} of="light" />,
};
