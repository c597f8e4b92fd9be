/**
 * Listener: sounds are heard from the position of its entity.
 * Owns: the defaults of a new one.
 */

import { Listener } from '../../../../shared/components/listener.ts';
import { ComponentForm } from '../component-form.tsx';
import type { Section } from './section.ts';

export const listener: Section = {
	shows: [Listener],
	add: { label: 'Listener', first: true },
	View: ({ entity }) => <ComponentForm entity={entity} of="listener" closed />,
};
