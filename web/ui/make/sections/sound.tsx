/**
 * The sound of an entity.
 * Owns: stopping it, and playing another one.
 */

import { Sound } from '../../../../shared/components/sound.ts';
import { ComponentForm } from '../component-form.tsx';
import { EntityForm, EntityPress } from '../entity-call.tsx';
import type { Section } from './section.ts';

export const sound: Section = {
	shows: [Sound],
	add: { label: 'Sound', route: 'POST /audio/play', first: ['path', 'volume', 'loop', 'bus'] },
	View: ({ entity }) => (
		<ComponentForm
			entity={entity}
			of="sound"
			// The start is also read, but cannot be set.
			from={({ called, started: _, ...rest }) => ({ ...rest, name: called })}
		>
			<EntityPress entity={entity} route="POST /audio/stop" label="Stop" />
			<EntityForm
				entity={entity}
				route="POST /audio/play"
				label="Play another"
				first={['path', 'volume', 'loop', 'bus']}
			/>
		</ComponentForm>
	),
};
