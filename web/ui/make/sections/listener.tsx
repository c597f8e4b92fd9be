/**
 * Whether sounds are heard from where an entity is.
 * Owns: what a new one begins with.
 */

import { Listener } from '../../../../shared/components/listener.ts';
import { ComponentForm } from '../component-form.tsx';
import type { Section } from './section.ts';

export const listener: Section = {
	shows: [Listener],
	add: { label: 'Listener', first: true },
	View: ({ entity }) => <ComponentForm entity={entity} of="listener" closed />,
};
