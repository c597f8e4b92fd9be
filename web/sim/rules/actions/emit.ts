/** The action `emit`. */

import { Signal } from '../../../../shared/events/signal.ts';
import { emit as send } from '../../core/events.ts';
import { EVENT_BYTES } from '../../core/tick-budget.ts';
import { valueBytes } from '../../core/value-bytes.ts';
import { resolveTarget } from '../targets/index.ts';
import type { ActionBehaviour } from './action.ts';

export const emit: ActionBehaviour<'emit'> = {
	act: (world, { name, data, about }, _, occurrence) => {
		if (about == null) send(world, Signal, { name, data });
		else
			for (const entity of resolveTarget(world, about, occurrence))
				send(world, Signal, { name, data, entity, source: occurrence.source });
	},
	maximum: ({ data }) => ({ sent: Math.ceil(valueBytes(data) / EVENT_BYTES) }),
};
