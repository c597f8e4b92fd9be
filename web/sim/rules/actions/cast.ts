/** The action `cast`. A refused cast sends the event `cast_failed`, as it does for a call. */

import { Refusal } from '../../../../shared/contract/errors.ts';
import { CastFailed } from '../../../../shared/events/cast-failed.ts';
import { queueCast } from '../../abilities/ability.ts';
import { emit } from '../../core/events.ts';
import { resolveTarget } from '../targets/index.ts';
import { type ActionBehaviour, attempt } from './action.ts';

export const cast: ActionBehaviour<'cast'> = {
	act: (world, { slot, at, point }, caster, occurrence) => {
		const [target = null] = at == null ? [] : resolveTarget(world, at, occurrence);
		if (at != null && target === null) return;
		const refusal = attempt(() => queueCast(world, caster, slot, { target, point: point ?? null }));
		if (refusal !== null) emit(world, CastFailed, { entity: caster, slot, reason: refusal.code });
	},
	check: ({ at, point }) => {
		if (at != null && point != null)
			throw new Refusal('cast accepts "at" or "point", not both', undefined, 'point');
	},
};
