/** Changing the components of an entity that lives: the body of POST /entities/{id}/components. */

import type * as z from 'zod';
import { Collider } from '../../../shared/components/collider.ts';
import { components } from '../../../shared/components/index.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { PhysicsBody } from '../../../shared/components/physics-body.ts';
import { Role } from '../../../shared/components/role.ts';
import { Team } from '../../../shared/components/team.ts';
import { Velocity } from '../../../shared/components/velocity.ts';
import { type Handle, readoutKey } from '../../../shared/contract/component.ts';
import type { patchComponents } from '../../../shared/routes/world.ts';
import { liveWithHealth } from '../combat/damage.ts';
import { entityAt } from '../core/entities.ts';
import { add, get, has, remove, type World } from '../core/world.ts';
import { requireRoom } from '../physics/crowding.ts';
import { forgetBonus, resolveStats } from '../stats/resolve-stats.ts';
import { setParent } from '../transform/hierarchy.ts';
import { roleOf, setBody, setCollider, setColor, setHealth, setMesh, unit } from './spawn-entity.ts';

type Change = z.output<NonNullable<typeof patchComponents.body>>;

/** Applies a change, or throws before anything has changed; what was replaced or did nothing is answered. */
export function changeEntity(world: World, entity: Handle, change: Change): string[] {
	const { id } = entity;
	const warnings: string[] = [];
	const parent = change.parent == null ? null : entityAt(world, change.parent);
	requireRoomAfter(world, id, change);
	if (parent !== null) setParent(world, entity, parent);
	if (change.transform != null) {
		const { position, rotation, scale } = change.transform;
		add(world, id, LocalTransform, {
			...(position != null ? { position } : {}),
			...(rotation != null ? { rotation: unit(rotation) } : {}),
			...(scale != null ? { scale } : {}),
		});
	}
	if (change.mesh != null) setMesh(world, id, change.mesh, warnings);
	if (change.color != null) setColor(world, id, change.color, warnings);
	if (change.velocity != null) add(world, id, Velocity, change.velocity);
	if (change.collider != null) setCollider(world, id, change.collider);
	if (change.physics_body != null) setBody(world, id, change.physics_body);
	if (change.health != null) {
		setHealth(world, id, change.health);
		forgetBonus(world, id, 'health');
		resolveStats(world, id);
		liveWithHealth(world, id);
	}
	if (change.team != null) add(world, id, Team, { team: change.team });
	if (change.role != null) add(world, id, Role, { role: roleOf(change.role) });
	for (const key of change.remove ?? []) {
		const component = components.find((known) => (readoutKey(known) ?? known.name) === key);
		if (component === undefined || !has(world, id, component)) warnings.push(`it had no ${key} to remove`);
		else remove(world, id, component);
	}
	return warnings;
}

function requireRoomAfter(world: World, id: number, change: Change): void {
	const kind = change.physics_body ?? get(world, id, PhysicsBody)?.kind;
	const collides = change.collider != null || has(world, id, Collider);
	const arrives =
		change.transform?.position != null || change.physics_body != null || change.collider != null;
	if (!arrives || kind !== 'Dynamic' || !collides) return;
	requireRoom(world, change.transform?.position ?? get(world, id, LocalTransform)?.position ?? [0, 0, 0]);
}
