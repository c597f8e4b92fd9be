/** Handlers of the tag World. */

import { Owner } from '../../shared/components/owner.ts';
import type { Handle } from '../../shared/contract/component.ts';
import { VERSION } from '../../shared/contract/documents.ts';
import { Fault } from '../../shared/contract/errors.ts';
import * as routes from '../../shared/routes/world.ts';
import { futureDigest } from '../sim/core/digest.ts';
import { eachEntity, entityAt } from '../sim/core/entities.ts';
import { despawn, get, type World } from '../sim/core/world.ts';
import { archetypeCount, entityReader } from '../sim/observe/read-out.ts';
import { changeEntity } from '../sim/spawn/change-entity.ts';
import { spawnEntity } from '../sim/spawn/spawn-entity.ts';
import { withEntities } from './entity-list.ts';
import { handler } from './handler.ts';
import { memoryOf } from './memory.ts';
import { momentOf } from './moment.ts';
import { warned } from './warned.ts';

function requireOwner(world: World, { id }: Handle, agent: number | null | undefined): void {
	const owner = get(world, id, Owner)?.agent;
	if (owner !== undefined && owner !== agent)
		throw new Fault('not_owner', `Entity ${id} belongs to agent ${owner}.`, {
			fix: `Send "agent_id": ${owner}.`,
		});
}

export const handlers = [
	handler(routes.getStatus, ({ world, held, host }) => ({
		engine: 'Orrery',
		version: VERSION,
		profile: world.profile,
		entity_count: world.entities.count,
		archetype_count: archetypeCount(world),
		...momentOf(world),
		playing: held.playing,
		...(held.halted === undefined ? {} : { halted: held.halted }),
		seed: world.seed,
		memory: memoryOf(host),
		last_world: host.lastWorld === null ? null : { ...host.lastWorld },
		help: 'GET /schema?brief=true lists every route; GET /schema?path=/spawn tells all about one.',
	})),

	handler(routes.observe, ({ world }, { query }) => {
		const viewer = query.viewer == null ? undefined : entityAt(world, query.viewer);
		return withEntities({ ...momentOf(world), entity_count: world.entities.count }, world, viewer);
	}),

	handler(routes.getEntity, ({ world }, { params, query }) => {
		const { id } = entityAt(world, params.id, query.generation);
		return entityReader(world)(id);
	}),

	handler(routes.patchComponents, ({ world }, { params, body }) => {
		const entity = entityAt(world, params.id, body.generation);
		requireOwner(world, entity, body.agent_id);
		return { ...warned(changeEntity(world, entity, body)) };
	}),

	handler(routes.spawn, ({ world }, { body }) => {
		const { handle, warnings } = spawnEntity(world, body);
		return {
			...handle,
			entity_id: handle.id,
			entity_generation: handle.generation,
			...warned(warnings),
		};
	}),

	handler(routes.despawn, ({ world }, { body }) => {
		const entity = entityAt(world, body.entity_id, body.entity_generation);
		requireOwner(world, entity, body.agent_id);
		despawn(world, entity.id);
		return {};
	}),

	handler(routes.reset, ({ world }) => {
		const all: number[] = [];
		eachEntity(world, (id) => all.push(id));
		for (const id of all) despawn(world, id);
		return {
			message: `Removed ${all.length} entities at tick ${world.tick}.`,
			despawned: all.length,
			...momentOf(world),
		};
	}),

	handler(routes.getDigest, ({ world, held }, { query }) => ({
		world: held.id,
		...momentOf(world),
		seed: world.seed,
		...(query.future ? { future_digest: futureDigest(world) } : {}),
	})),
];
