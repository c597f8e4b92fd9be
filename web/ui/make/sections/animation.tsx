/**
 * Animation of an entity's model.
 * Owns: its clips, its state machine and montages over it.
 */

import { Animation } from '../../../../shared/components/animation.ts';
import { ComponentForm } from '../component-form.tsx';
import { EntityForm, EntityPress } from '../entity-call.tsx';
import type { Section } from './section.ts';

export const animation: Section = {
	shows: [Animation],
	add: { label: 'Animation', route: 'POST /animation/play' },
	View: ({ entity }) => (
		<ComponentForm
			entity={entity}
			of="animation"
			closed
			// Progress is also read, but cannot be set.
			from={({ clip, speed, loop }) => ({ clip, speed, loop })}
		>
			<EntityPress entity={entity} route="POST /animation/stop" label="Stop" />
			<EntityForm entity={entity} route="POST /animation/play" label="Play a clip" />
			<EntityForm entity={entity} route="POST /animation/montage" label="Play a montage" />
			<EntityForm entity={entity} route="POST /animation/state-machine" label="Set a state machine" />
			<EntityForm entity={entity} route="POST /animation/parameter" label="Set a parameter" />
		</ComponentForm>
	),
};
