/**
 * The decal of an entity.
 * Owns: the defaults of a new one.
 */

import { Decal } from '../../../../shared/components/decal.ts';
import { ComponentForm } from '../component-form.tsx';
import type { Section } from './section.ts';

export const decal: Section = {
	shows: [Decal],
	add: { label: 'Decal', first: {} },
	View: ({ entity }) => <ComponentForm entity={entity} of="decal" />,
};
