/** The action `spawn`. Owns: where it happens, and what it makes. */

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
import { findTemplate, overlay, template } from '../../templates/templates.ts';
import type { Occurrence } from '../conditions/occurrence.ts';
import { resolveTarget } from '../targets/index.ts';
import { type ActionBehaviour, fail } from './action.ts';

type Spawning = ActionOf<'spawn'>;
type Position = readonly [number, number, number];

export const spawn: ActionBehaviour<'spawn'> = {
	act: (world, action, _, occurrence, { owner }) => {
		for (const position of placesOf(world, action, occurrence)) spawnSeveral(world, action, position, owner);
	},
	check: (action) => {
		const refuse = (field: string, reason: string): never => {
			throw new Refusal(reason, undefined, field);
		};
		if (action.mesh == null && action.template == null) refuse('mesh', 'spawn needs "mesh" or "template"');
		if (action.position == null && action.at == null) refuse('position', 'spawn needs "position" or "at"');
		const twice = (one: 'speed' | 'waypoints', other: 'combat_speed' | 'ai_patrol') => {
			if (action[one] != null && action[other] != null)
				refuse(one, `"${one}" and "${other}" mean the same; send only one of them`);
		};
		twice('speed', 'combat_speed');
		twice('waypoints', 'ai_patrol');
	},
	effectsOfSpawned: (world, { effects, template: name }) =>
		effects ?? (name == null ? null : (findTemplate(world, name)?.effects ?? null)),
	warn: (world, action) => spawnWarnings(world, action).map((warning) => `: ${warning}`),
};

/** Returns the origins of a spawn's position: the world's origin, or each entity that it is to happen at. */
function placesOf(world: World, { at }: Spawning, occurrence: Occurrence): Position[] {
	if (at == null) return [[0, 0, 0]];
	return resolveTarget(world, at, occurrence)
		.filter(({ id }) => has(world, id, LocalTransform))
		.map(({ id }) => globalPosition(world, id));
}

/** Returns the document of a spawn, without its place; null if its template is gone. */
function spawnedDocument(world: World, action: Spawning): SpawnDocument | null {
	const { action: _, template: name, at: __, count: ___, speed, waypoints, ...fields } = action;
	const base = name == null ? {} : findTemplate(world, name);
	if (base === undefined) return null;
	const document = overlay(base, fields);
	const walks = document.combat !== true && waypoints != null && waypoints.length > 0;
	return overlay(document, { combat_speed: speed, ...(walks ? { ai_patrol: waypoints } : {}) });
}

/** Spawns `count` entities 1 m apart along z, centred on the place. Reports each that is refused. */
function spawnSeveral(world: World, action: Spawning, [x, y, z]: Position, owner: number | undefined): void {
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
		const spawned = trySpawn(world, { ...document, position }, owner);
		if (spawned instanceof ApiError) {
			fail(world, action, null, spawned.code);
			continue;
		}
		const { mesh = null, color = null } = document;
		emit(world, RuleSpawn, { entity: spawned.handle, mesh, color });
	}
}

/** Returns the warnings that spawning now would give. */
const spawnWarnings = (world: World, action: Spawning): readonly string[] =>
	trySpawnWarnings(
		world,
		(copy) => {
			if (action.template != null) template(copy, action.template);
			return spawnedDocument(copy, action) ?? {};
		},
		(message) => `currently this spawns nothing: ${message}`,
	);
