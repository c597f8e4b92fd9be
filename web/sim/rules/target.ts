/** Whom an action of a rule is about. */

import { Assertion } from '../../../shared/components/assertion.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Rule } from '../../../shared/components/rule.ts';
import type { Handle } from '../../../shared/contract/component.ts';
import type { Target } from '../../../shared/documents/target.ts';
import { handleOf, isAlive, slotOf } from '../core/entities.ts';
import { has, type World } from '../core/world.ts';
import { eachMatch, type Filter, parseFilter } from '../filters/filter.ts';
import { placeOf } from '../space/place.ts';
import { squaredDistance } from '../transform/facing.ts';
import type { Occurrence } from './condition.ts';

/**
 * The living entities that a target names, in id order; none when what it names is not there. A rule or an assertion
 * is a target only by its id: nothing else that a rule does can meet them.
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
	return handle !== null && slotOf(world, handle) >= 0 && !isAboutGame(world, handle.id) ? [handle] : [];
}

/** Whether an entity says something about the game instead of being in it. */
function isAboutGame(world: World, id: number): boolean {
	return has(world, id, Rule) || has(world, id, Assertion);
}

function matching(world: World, filter: Filter): Handle[] {
	const found: Handle[] = [];
	eachMatch(world, filter, [], (id) => {
		if (!isAboutGame(world, id)) found.push(handleOf(world, id));
	});
	return found;
}

/** The match nearest to an entity, itself excepted; the lowest id among equally near ones. */
function nearestTo(world: World, from: Handle | null, filter: Filter): Handle[] {
	if (from === null || !has(world, from.id, LocalTransform)) return [];
	const origin = placeOf(world, from.id);
	let best: Handle | null = null;
	let bestDistance = Number.POSITIVE_INFINITY;
	for (const handle of matching(world, filter)) {
		if (handle.id === from.id || !has(world, handle.id, LocalTransform)) continue;
		const distance = squaredDistance(placeOf(world, handle.id), origin);
		if (distance < bestDistance) {
			best = handle;
			bestDistance = distance;
		}
	}
	return best === null ? [] : [best];
}
