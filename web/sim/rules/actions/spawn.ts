/** The action `spawn`. Owns: the positions and the document of the spawned entities. */

import { LocalTransform } from '../../../../shared/components/local-transform.ts';
import { ApiError, Refusal } from '../../../../shared/contract/errors.ts';
import type { SpawnDocument } from '../../../../shared/documents/spawn.ts';
import { RuleSpawn } from '../../../../shared/events/rule-spawn.ts';
import type { ActionOf } from '../../../../shared/verbs/actions/index.ts';
import { emit } from '../../core/events.ts';
import { spend } from '../../core/tick-budget.ts';
import { has, type World } from '../../core/world.ts';
import { globalPosition } from '../../space/global-position.ts';
import { trySpawn } from '../../spawn/spawn-entity.ts';
import { trySpawnWarnings } from '../../spawn/try-spawning.ts';
import { findTemplate, overlayFields, requireTemplate } from '../../templates/templates.ts';
import type { Occurrence } from '../conditions/occurrence.ts';
import { resolveTarget } from '../targets/index.ts';
import { type ActionBehaviour, fail } from './action.ts';

type SpawnAction = ActionOf<'spawn'>;
type Position = readonly [number, number, number];

export const spawn: ActionBehaviour<'spawn'> = {
	act: (world, action, _, occurrence, { owner }) => {
		for (const origin of originsOf(world, action, occurrence)) spawnSeveral(world, action, origin, owner);
	},
	check: (action) => {
		const refuse = (field: string, reason: string): never => {
			throw new Refusal(reason, undefined, field);
		};
		if (action.mesh == null && action.template == null) refuse('mesh', 'spawn needs "mesh" or "template"');
		if (action.position == null && action.at == null) refuse('position', 'spawn needs "position" or "at"');
		const refuseBoth = (field: 'speed' | 'waypoints', synonym: 'combat_speed' | 'ai_patrol') => {
			if (action[field] != null && action[synonym] != null)
				refuse(field, `"${field}" and "${synonym}" mean the same; send only one of them`);
		};
		refuseBoth('speed', 'combat_speed');
		refuseBoth('waypoints', 'ai_patrol');
	},
	effectsOfSpawned: (world, { effects, template: name }) =>
		effects ?? (name == null ? null : (findTemplate(world, name)?.effects ?? null)),
	warn: (world, action) => spawnWarnings(world, action).map((warning) => `: ${warning}`),
};

/** Returns the origins of the spawn position: the positions of the entities that `at` names, or else the world's origin. */
function originsOf(world: World, { at }: SpawnAction, occurrence: Occurrence): Position[] {
	if (at == null) return [[0, 0, 0]];
	return resolveTarget(world, at, occurrence)
		.filter(({ id }) => has(world, id, LocalTransform))
		.map(({ id }) => globalPosition(world, id));
}

/** Returns the document of the spawned entities, without their position; null if the template is gone. */
function spawnedDocument(world: World, action: SpawnAction): SpawnDocument | null {
	const { action: _, template: name, at: __, count: ___, speed, waypoints, ...fields } = action;
	const base = name == null ? {} : findTemplate(world, name);
	if (base === undefined) return null;
	const document = overlayFields(base, fields);
	const isPatrol = document.combat !== true && waypoints != null && waypoints.length > 0;
	return overlayFields(document, { combat_speed: speed, ...(isPatrol ? { ai_patrol: waypoints } : {}) });
}

/** Spawns `count` entities 1 m apart along z, centred on the position. Reports each refused spawn. */
function spawnSeveral(
	world: World,
	action: SpawnAction,
	[x, y, z]: Position,
	owner: number | undefined,
): void {
	const document = spawnedDocument(world, action);
	if (document === null) {
		spend(world, 'actions');
		fail(world, action, null, 'unknown_template');
		return;
	}
	const copies = action.count ?? 1;
	const [dx, dy, dz] = document.position ?? [0, 0, 0];
	for (let i = 0; i < copies; i++) {
		spend(world, 'actions');
		const position: [number, number, number] = [x + dx, y + dy, z + dz + i - (copies - 1) / 2];
		const result = trySpawn(world, { ...document, position }, owner);
		if (result instanceof ApiError) {
			fail(world, action, null, result.code);
			continue;
		}
		const { mesh = null, color = null } = document;
		emit(world, RuleSpawn, { entity: result.handle, mesh, color });
	}
}

/** Returns the warnings that spawning now would give. */
const spawnWarnings = (world: World, action: SpawnAction): readonly string[] =>
	trySpawnWarnings(
		world,
		(copy) => {
			if (action.template != null) requireTemplate(copy, action.template);
			return spawnedDocument(copy, action) ?? {};
		},
		(message) => `currently this spawns nothing: ${message}`,
	);
