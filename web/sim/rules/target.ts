/** Whom an action of a rule is about. */

import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Rule } from '../../../shared/components/rule.ts';
import type { Handle } from '../../../shared/contract/component.ts';
import type { Target } from '../../../shared/documents/rule.ts';
import { eachEntity, handleOf, isAlive, slotOf } from '../core/entities.ts';
import { get, has, type World } from '../core/world.ts';
import { type Filter, matches, parseFilter } from '../filters/filter.ts';
import { squaredDistance } from '../transform/facing.ts';
import type { Occurrence } from './condition.ts';

/**
 * The living entities that a target names, in id order; none when what it names is not there. A rule is a target
 * only by its id: nothing else that a rule does can meet rules.
 */
export function resolveTarget(world: World, target: Target, { subject, source }: Occurrence): Handle[] {
	if (target === 'this') return living(world, subject);
	if (target === 'source') return living(world, source);
	if ('entity' in target) return isAlive(world, target.entity) ? [handleOf(world, target.entity)] : [];
	if ('tag' in target) return matching(world, { type: 'tag', tag: target.tag });
	if ('team' in target) return matching(world, { type: 'team', team: target.team });
	if ('all' in target) return matching(world, parseFilter(target.all));
	return nearestTo(world, subject, parseFilter(target.nearest));
}

function living(world: World, handle: Handle | null): Handle[] {
	return handle !== null && slotOf(world, handle) >= 0 && !has(world, handle.id, Rule) ? [handle] : [];
}

function matching(world: World, filter: Filter): Handle[] {
	const found: Handle[] = [];
	eachEntity(world, (id) => {
		if (!has(world, id, Rule) && matches(world, id, filter)) found.push(handleOf(world, id));
	});
	return found;
}

/** The match nearest to an entity, itself excepted; the lowest id among equally near ones. */
function nearestTo(world: World, from: Handle | null, filter: Filter): Handle[] {
	const origin = from === null ? undefined : get(world, from.id, LocalTransform)?.position;
	if (from === null || origin === undefined) return [];
	let best: Handle | null = null;
	let bestDistance = Number.POSITIVE_INFINITY;
	for (const handle of matching(world, filter)) {
		const at = handle.id === from.id ? undefined : get(world, handle.id, LocalTransform)?.position;
		if (at === undefined) continue;
		const distance = squaredDistance(at, origin);
		if (distance < bestDistance) {
			best = handle;
			bestDistance = distance;
		}
	}
	return best === null ? [] : [best];
}
