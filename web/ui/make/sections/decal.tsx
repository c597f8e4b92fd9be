/**
 * The decal of an entity.
 * Owns: what a new one begins with.
 */

import { Decal } from '../../../../shared/components/decal.ts';
import { ComponentForm } from '../component-form.tsx';
import type { Section } from './section.ts';

export const decal: Section = {
	shows: [Decal],
	add: { label: 'Decal', first: {} },
	View: ({ entity }) => <ComponentForm entity={entity} of="decal" />,
};
