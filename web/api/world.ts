/** Handlers of the tag World. */

import { Owner } from '../../shared/components/owner.ts';
import { VERSION } from '../../shared/contract/api-documents.ts';
import type { EntityHandle } from '../../shared/contract/component.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import * as routes from '../../shared/routes/world.ts';
import { filterOf } from '../sim/assertions/condition.ts';
import { canonicalJson } from '../sim/core/canonical-json.ts';
import { cloneWithout } from '../sim/core/clone.ts';
import { futureDigest } from '../sim/core/digest.ts';
import { eachEntity, entityAt } from '../sim/core/entities.ts';
import { pendingEvents } from '../sim/core/events.ts';
import type { WorldPart } from '../sim/core/part.ts';
import type { SlicedWork } from '../sim/core/sliced-work.ts';
import { despawn, get, type World } from '../sim/core/world.ts';
import { createWorld } from '../sim/create-world.ts';
import { declaredEnvironment } from '../sim/environment/environment.ts';
import { canSee, countArchetypes, entityReader } from '../sim/observe/read-out.ts';
import { Physics } from '../sim/physics/physics.part.ts';
import { ConditionLook } from '../sim/rules/conditions/evaluate-condition.ts';
import { changeEntity } from '../sim/spawn/change-entity.ts';
import { spawnEntity } from '../sim/spawn/spawn-entity.ts';
import { filterWarnings } from '../sim/warnings/condition-warnings.ts';
import { nameWorld, worldName } from '../sim/world-name/world-name.ts';
import type { Context, Host } from './context.ts';
import { withEntities } from './entity-list.ts';
import { handler } from './handler.ts';
import { journalStatusOf } from './journal-works.ts';
import { memoryOf } from './memory.ts';
import { withMeshWarnings } from './mesh-files.ts';
import { requireNamedEntity } from './named-entity.ts';
import {
	findEarlierWorld,
	needsEarlierWorld,
	type ObserveBody,
	observePart,
	selectsPart,
} from './observe-part.ts';
import type { RawAnswer } from './raw-answer.ts';
import { readInSlices } from './read-on-copy.ts';
import { warningsField } from './warnings-field.ts';
import { stampOf } from './world-stamp.ts';

/**
 * Throws `not_owner` if the entity belongs to another agent. The check is only for callers without a session, which name their
 * agent themselves. `ownership-check.ts` checks the rights of other callers.
 */
function requireOwner(
	{ world, principal }: Context,
	{ id }: EntityHandle,
	agent: number | null | undefined,
): void {
	if (principal.agent !== undefined) return;
	const owner = get(world, id, Owner)?.agent;
	if (owner !== undefined && owner !== agent)
		throw new ApiError('not_owner', `Entity ${id} belongs to agent ${owner}.`, {
			fix: `Send "agent_id": ${owner}.`,
		});
}

/** Returns the result of heavy mode so far; null in any other mode. */
function verifyView({ verifier }: Host) {
	if (verifier === null) return null;
	const { every, ticks, firstKnown } = verifier;
	if (firstKnown === null) return { every, ticks, diverged: null };
	const { id: world, tick, message } = firstKnown;
	return { every, ticks, diverged: { world, tick, message } };
}

/**
 * Returns a copy of a world without its entities. The physics library's world is dropped too, because without the entities it could not
 * be saved or forked correctly.
 */
function withoutEntities(world: World): World {
	const copy = cloneWithout(world, Physics as WorldPart);
	const all: number[] = [];
	eachEntity(copy, (id) => all.push(id));
	for (const id of all) despawn(copy, id);
	return copy;
}

/** Returns a new world with the profile and assets of another. */
export function createEmptyWorld({ profile, assets }: World, seed: number): World {
	return createWorld({ profile, seed, assets });
}

/** Returns the names of the parts in which an emptied world differs from a new one. */
function namesOfKeptParts(world: World): string[] {
	const settings = [...world.resources.values()].flatMap(({ resource, value }) => {
		const initial = resource.initial(world.profile) ?? null;
		return resource.scope === 'derived' || canonicalJson(value) === canonicalJson(initial)
			? []
			: [resource.name];
	});
	return [
		...(world.tick > 0 ? ['tick'] : []),
		...(world.entities.used > 0 ? ['slots'] : []),
		...(pendingEvents(world).length > 0 ? ['events'] : []),
		...settings.sort(),
	];
}

/** Returns the requested part of a world. `earlier`: an earlier state to compare it with. */
function* writePart(
	world: World,
	viewer: EntityHandle | undefined,
	body: ObserveBody,
	earlier: Uint8Array | null,
): SlicedWork<RawAnswer> {
	const filter = body.filter == null ? undefined : filterOf(body.filter);
	const memberIds = filter && new Set(new ConditionLook(world).members(filter));
	const ids: number[] = [];
	eachEntity(world, (id) => {
		if (viewer !== undefined && !canSee(world, viewer.id, id)) return;
		if (memberIds?.has(id) !== false) ids.push(id);
	});
	const head = {
		...stampOf(world),
		entity_count: world.entities.count,
		...(memberIds && { matched: memberIds.size }),
		...(filter && warningsField(filterWarnings(world, filter, 'filter'))),
	};
	return yield* observePart(world, ids, body, head, earlier);
}

/** Returns all entities that the caller sees and that match the filter, in slices. */
function* writeWhole(
	world: World,
	viewer: EntityHandle | undefined,
	body: ObserveBody,
): SlicedWork<RawAnswer> {
	const answer = { ...stampOf(world), entity_count: world.entities.count };
	if (body.filter == null) return yield* withEntities(answer, world, viewer);
	const filter = filterOf(body.filter);
	const memberIds = new Set(new ConditionLook(world).members(filter));
	const warnings = filterWarnings(world, filter, 'filter');
	return yield* withEntities(
		{ ...answer, matched: memberIds.size, ...warningsField(warnings) },
		world,
		viewer,
		memberIds,
	);
}

export const handlers = [
	handler(routes.getStatus, ({ world, entry, host }) => ({
		engine: 'Orrery',
		version: VERSION,
		profile: world.profile,
		runs_in: host.runsIn,
		world_name: worldName(world),
		entity_count: world.entities.count,
		archetype_count: countArchetypes(world),
		...stampOf(world),
		playing: entry.playing,
		environment: declaredEnvironment(world)?.name ?? null,
		...host.worlds.haltOf(entry),
		seed: world.seed,
		memory: memoryOf(host),
		journal: journalStatusOf(host),
		verify: verifyView(host),
		last_world: host.lastWorld === null ? null : { ...host.lastWorld },
		help: 'GET /schema?form=compact lists every route; GET /schema?form=compact&path=/spawn describes one; GET /schema?q=WORDS searches. Agents with MCP: /mcp of the server.',
	})),

	handler(routes.getHealth, ({ host }) => ({
		status: 'ready' as const,
		version: VERSION,
		tick: host.worlds.main.world.tick,
	})),

	handler(routes.observe, ({ host, entry, world }, { query, body }) => {
		const viewer = query.viewer == null ? undefined : entityAt(world, query.viewer);
		if (!selectsPart(body)) return readInSlices(host, world, (copy) => writeWhole(copy, viewer, body));
		const part = (earlier: Uint8Array | null) =>
			readInSlices(host, entry.world, (copy) => writePart(copy, viewer, body, earlier));
		return needsEarlierWorld(body) ? findEarlierWorld(host, entry, body).then(part) : part(null);
	}),

	handler(routes.getEntity, ({ world }, { params, query }) => {
		const { id } = entityAt(world, params.id, query.generation);
		return entityReader(world)(id);
	}),

	handler(routes.patchComponents, (context, { params, body }) => {
		const { host, world } = context;
		const entity = requireNamedEntity(world, { ...body, entity_id: params.id });
		requireOwner(context, entity, body.agent_id);
		const warnings = changeEntity(world, entity, body);
		return withMeshWarnings(host, [body.mesh], warningsField(warnings));
	}),

	handler(routes.spawn, ({ host, world }, { body }) => {
		const { handle, warnings } = spawnEntity(world, body);
		const { id, generation } = handle;
		const entityFields = { id, generation, entity_id: id, entity_generation: generation };
		return withMeshWarnings(host, [body.mesh], { ...entityFields, ...warningsField(warnings) });
	}),

	handler(routes.despawn, (context, { body }) => {
		const { world } = context;
		const entity = requireNamedEntity(world, body);
		requireOwner(context, entity, body.agent_id);
		despawn(world, entity.id);
		return { message: `Entity ${entity.id} was removed.` };
	}),

	handler(routes.renameWorld, ({ world }, { body }) => {
		nameWorld(world, body.name);
		return { world_name: worldName(world) };
	}),

	handler(routes.reset, ({ host, entry }, { body }) => {
		const { fresh } = body;
		if (!fresh && body.seed != null)
			throw new ApiError('seed_needs_fresh', 'The seed can be changed only together with "fresh": true.');
		const despawnedCount = entry.world.entities.count;
		const next = fresh
			? createEmptyWorld(entry.world, body.seed ?? entry.world.seed)
			: withoutEntities(entry.world);
		host.worlds.replace(entry, next);
		const { world } = entry;
		return {
			message: fresh
				? `The world was reset with seed ${world.seed}.`
				: `Removed ${despawnedCount} entities at tick ${world.tick}.`,
			despawned: despawnedCount,
			kept: namesOfKeptParts(world),
			seed: world.seed,
			...stampOf(world),
		};
	}),

	handler(routes.getDigest, ({ world, entry }, { query }) => ({
		world: entry.id,
		...stampOf(world),
		seed: world.seed,
		...(query.future ? { future_digest: futureDigest(world) } : {}),
	})),
];
