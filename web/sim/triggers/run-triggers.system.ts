/** System that applies trigger zones to the entities whose origin is inside them. Colliders and scale do not count. */

import { Dead } from '../../../shared/components/dead.ts';
import { Health } from '../../../shared/components/health.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { PhysicsBody } from '../../../shared/components/physics-body.ts';
import { Team } from '../../../shared/components/team.ts';
import { ANY_TEAM, TriggerZone } from '../../../shared/components/trigger-zone.ts';
import { Velocity } from '../../../shared/components/velocity.ts';
import { ZoneEffect } from '../../../shared/components/zone-effect.ts';
import { wordIndex } from '../../../shared/contract/component.ts';
import {
	PLACE_READ,
	ROOM_READ,
	STATS_READ,
	STATS_WRITTEN,
	TELEPORT_READ,
} from '../../../shared/verbs/access.ts';
import { heal, sendDamage } from '../combat/damage.ts';
import { hasBit } from '../core/bits.ts';
import { handleOf } from '../core/entities.ts';
import { amountInTick } from '../core/flow.ts';
import type { System } from '../core/system.ts';
import { spend } from '../core/tick-budget.ts';
import { maxWithComponent } from '../core/tick-maximum.ts';
import { count, each, get, has, presence, read, type World, write } from '../core/world.ts';
import { applyEffect, looksOfEffect } from '../effects/effect.ts';
import { teleport } from '../physics/teleport.ts';
import { globalPositions } from '../space/global-position.ts';
import { buildGrid, eachIn, type PointGrid } from '../space/grid.ts';

const STATIC = wordIndex(PhysicsBody, 'kind', 'Static');

export const runTriggers: System = {
	name: 'run-triggers',
	needs: [TriggerZone],
	access: {
		reads: ['health', 'physics_body.kind', 'trigger_zone', 'velocity', 'zone_effect'],
		writes: ['trigger_zone.spent'],
		queries: [
			{ with: ['physics_body'], reads: ROOM_READ },
			{ with: ['parent'], reads: PLACE_READ },
			{ with: ['trigger_zone'], reads: [...PLACE_READ] },
			{
				with: ['health'],
				reads: ['dead', 'team.team', ...PLACE_READ, ...TELEPORT_READ, ...STATS_READ],
				writes: ['effects', ...STATS_WRITTEN, 'local_transform.position'],
			},
			{
				with: ['physics_body', 'velocity'],
				reads: ['team.team', ...PLACE_READ, ...TELEPORT_READ],
				writes: ['local_transform.position'],
			},
		],
		emits: ['damage'],
	},
	maximum(world, before) {
		const zones = count(world, TriggerZone);
		if (zones === 0) return {};
		const visits =
			zones * (maxWithComponent(world, Health, before) + maxWithComponent(world, PhysicsBody, before));
		const effects = read(world, ZoneEffect, 'effect');
		let looks = 0;
		each(world, [ZoneEffect], (slot) => {
			looks += looksOfEffect(effects[slot]!);
		});
		if (looks === 0) return { searched: visits, sent: visits };
		return { searched: visits * (1 + before.looks + looks), sent: visits, effects: visits, looks };
	},
	run,
};

function run(world: World): void {
	const positions = globalPositions(world).slice();
	const visitors = gridOfVisitors(world, positions);
	each(world, [TriggerZone, LocalTransform], (slot) => runZone(world, slot, positions, visitors));
}

/** Returns a grid of the entities on which zones can act: living ones with health, and moving bodies. */
function gridOfVisitors(world: World, positions: Float32Array): PointGrid {
	const zones = presence(world, TriggerZone);
	const dead = presence(world, Dead);
	const kind = read(world, PhysicsBody, 'kind');
	const visitorSlots = new Set<number>();
	each(world, [Health, LocalTransform], (slot) => {
		if (!hasBit(dead, slot) && !hasBit(zones, slot)) visitorSlots.add(slot);
	});
	each(world, [PhysicsBody, Velocity, LocalTransform], (slot) => {
		if (kind[slot] !== STATIC && !hasBit(zones, slot)) visitorSlots.add(slot);
	});
	const slots = [...visitorSlots].sort((a, b) => a - b);
	return buildGrid(slots, slots.length, positions);
}

function isLiving(world: World, slot: number): boolean {
	return has(world, slot, Health) && !has(world, slot, Dead);
}

/** Applies one zone to its visitors. `positions`: global positions (m), three per slot. */
function runZone(world: World, slot: number, positions: Float32Array, visitors: PointGrid): void {
	const zone = get(world, slot, TriggerZone)!;
	if (zone.spent !== 0) return;
	const inside = visitorsInside(world, slot, zone.half, positions, visitors, (visitor) => {
		if (zone.team !== ANY_TEAM && get(world, visitor, Team)?.team !== zone.team) return false;
		return zone.action === 'teleport' || isLiving(world, visitor);
	});
	if (inside.length === 0) return;
	const amount = zone.per === 'second' ? amountInTick(zone.amount, world.tick) : zone.amount;
	const effect = zone.action === 'effect' ? get(world, slot, ZoneEffect)?.effect : undefined;
	for (const visitor of inside) {
		const handle = handleOf(world, visitor);
		if (zone.action === 'damage') {
			if (amount > 0) sendDamage(world, handle, amount, handleOf(world, slot), zone.category);
		} else if (zone.action === 'heal') heal(world, handle, amount);
		else if (zone.action === 'teleport') teleport(world, handle, zone.destination);
		else if (effect !== undefined) applyEffect(world, handle, effect, handleOf(world, slot));
	}
	if (zone.once !== 0) write(world, TriggerZone, 'spent')[slot] = 1;
}

/** Returns the accepted visitors strictly inside the box of a zone, in slot order. `half`: half extents of the box (m). */
function visitorsInside(
	world: World,
	slot: number,
	half: readonly [number, number, number],
	positions: Float32Array,
	visitors: PointGrid,
	isAccepted: (visitor: number) => boolean,
): number[] {
	const [hx, hy, hz] = half;
	const [x, y, z] = [positions[slot * 3]!, positions[slot * 3 + 1]!, positions[slot * 3 + 2]!];
	const inside: number[] = [];
	let checkedCount = 0;
	eachIn(visitors, x - hx, z - hz, x + hx, z + hz, (entry) => {
		checkedCount++;
		const visitor = visitors.slots[entry]!;
		const dx = Math.abs(visitors.x[entry]! - x);
		const dy = Math.abs(visitors.y[entry]! - y);
		const dz = Math.abs(visitors.z[entry]! - z);
		if (dx < hx && dy < hy && dz < hz && visitor !== slot && isAccepted(visitor)) inside.push(visitor);
	});
	spend(world, 'searched', checkedCount);
	return inside.sort((a, b) => a - b);
}
