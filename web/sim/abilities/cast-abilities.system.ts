/** System that performs the queued casts: it takes the mana, starts the cooldown and applies the effect of the ability. */

import { Abilities, type QueuedCast } from '../../../shared/components/abilities.ts';
import { Mana } from '../../../shared/components/mana.ts';
import { Cast } from '../../../shared/events/cast.ts';
import { CastFailed } from '../../../shared/events/cast-failed.ts';
import {
	PLACE_READ,
	SHARE_READ,
	STATS_READ,
	STATS_WRITTEN,
	TELEPORT_READ,
} from '../../../shared/verbs/access.ts';
import { toTicks } from '../core/clock.ts';
import { isAlive, slotOf } from '../core/entities.ts';
import { emit } from '../core/events.ts';
import type { System } from '../core/system.ts';
import { each, has, read, versionOf, type World, write } from '../core/world.ts';
import { abilitiesOf, findCastRefusal } from './ability.ts';
import { maxOfCasts } from './casts-maximum.ts';
import { performEffect } from './perform.ts';

export const castAbilities: System = {
	name: 'cast-abilities',
	needs: [Abilities],
	access: {
		reads: [
			'abilities',
			'crowd_control',
			'dead',
			'local_transform',
			'mana',
			'team.team',
			...PLACE_READ,
			...TELEPORT_READ,
			...STATS_READ,
			...SHARE_READ,
		],
		writes: [
			'abilities',
			'crowd_control',
			'effects',
			'entities',
			'local_transform.position',
			...STATS_WRITTEN,
		],
		spawns: ['agent_id', 'global_transform', 'local_transform', 'projectile', 'spread'],
		emits: ['cast', 'cast_failed', 'damage'],
	},
	maximum: maxOfCasts,
	run,
};

function run(world: World): void {
	if (world.processedVersions.get('cast-abilities') === versionOf(world, Abilities, 'queued')) return;
	const casters: number[] = [];
	const queues = read(world, Abilities, 'queued');
	each(world, [Abilities], (slot) => {
		if (queues[slot]!.length > 0) casters.push(slot);
	});
	for (const slot of casters) {
		if (!isAlive(world, slot) || !has(world, slot, Abilities)) continue;
		const queued = read(world, Abilities, 'queued')[slot]!;
		write(world, Abilities, 'queued')[slot] = [];
		for (const queuedCast of queued) cast(world, slot, queuedCast);
	}
	world.processedVersions.set('cast-abilities', versionOf(world, Abilities, 'queued'));
}

function cast(world: World, id: number, { slot, target, point }: QueuedCast): void {
	const entity = { id, generation: world.entities.generations.data[id]! };
	const abilities = abilitiesOf(world, id);
	const ability = abilities.find((ability) => ability.slot === slot);
	if (ability === undefined) return;
	const refusal = findCastRefusal(world, id, ability);
	if (refusal !== null) {
		emit(world, CastFailed, { entity, slot, reason: refusal.code });
		return;
	}
	if (target !== null && slotOf(world, target) < 0) {
		emit(world, CastFailed, { entity, slot, reason: 'target_gone' });
		return;
	}
	if (has(world, id, Mana)) {
		const mana = write(world, Mana, 'current');
		mana[id] = mana[id]! - ability.mana_cost;
	}
	const ready_at = world.tick + toTicks(ability.cooldown);
	write(world, Abilities, 'abilities')[id] = abilities.map((candidate) =>
		candidate === ability ? { ...candidate, ready_at } : candidate,
	);
	emit(world, Cast, { entity, slot, ability: ability.name, aim: target });
	if (!performEffect(world, entity, ability.effect, { target, point }))
		emit(world, CastFailed, { entity, slot, reason: 'too_many_effects' });
}
