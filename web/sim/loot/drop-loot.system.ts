/** System that drops loot: one entry of the loot table for each death. */

import { Gold } from '../../../shared/components/gold.ts';
import { Loot, type LootEntry } from '../../../shared/components/loot.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import { fraction, parseFraction } from '../../../shared/contract/fraction.ts';
import { type SpawnDocument, spawnDocument } from '../../../shared/documents/spawn.ts';
import { Death } from '../../../shared/events/death.ts';
import { PLACE_READ, ROOM_READ, SHARE_READ, type VerbAccess } from '../../../shared/verbs/access.ts';
import { type ChanceOutcome, type ChanceSource, decide } from '../core/chance.ts';
import { slotOf } from '../core/entities.ts';
import { countPending, drain } from '../core/events.ts';
import type { System } from '../core/system.ts';
import { maxEvents, type TickMaximum } from '../core/tick-maximum.ts';
import { add, count, each, has, read, versionOf, type World } from '../core/world.ts';
import { giveItems } from '../economy/inventory.ts';
import { looksOfSpawn } from '../effects/effect.ts';
import { ownerAt } from '../owners/shares.ts';
import { globalPosition } from '../space/global-position.ts';
import { trySpawn } from '../spawn/spawn-entity.ts';

export const LOOT: ChanceSource = { key: 0xffff0002, name: 'loot' };
const MAX_GOLD = 0x7fffffff;

export const dropLoot: System = {
	name: 'drop-loot',
	needs: [Loot],
	access: {
		reads: [
			'gold.amount',
			'decal',
			'inventory',
			'items',
			'loot',
			'particles',
			'terrain',
			'tuning',
			'water',
			...PLACE_READ,
			...ROOM_READ,
			...SHARE_READ,
		],
		writes: ['entities', 'gold.amount', 'inventory'],
		drains: ['death'],
	},
	chance: {
		source: LOOT,
		changes,
		version: (world) => versionOf(world, Loot, 'table'),
		irrelevantNames: ['decal', 'particles', 'terrain', 'water'],
		decidesFirst: true,
	},
	maximum(world, before) {
		if (count(world, Loot) === 0) return {};
		const drops =
			Math.min(count(world, Loot), maxEvents(world, 'death', before)) + countPending(world, 'death');
		const { effects, searched, looks } = heaviestDrop(world);
		return { actions: drops, spawned: drops, searched: drops * searched, effects: drops * effects, looks };
	},
	run,
};

/** Returns the names that the existing tables may change. */
function changes(world: World): VerbAccess {
	const tables = read(world, Loot, 'table');
	const writes = new Set<string>();
	each(world, [Loot], (slot) => {
		for (const { gold, item, spawn } of tables[slot]!) {
			if (gold != null) writes.add('gold.amount');
			if (item != null) writes.add('inventory');
			if (spawn != null) writes.add('entities');
		}
	});
	return { writes: [...writes] };
}

/** Outcomes by table. Tables are never changed in place. */
const outcomesByTable = new WeakMap<readonly LootEntry[], readonly ChanceOutcome[]>();

function outcomesOf(table: readonly LootEntry[]): readonly ChanceOutcome[] {
	let outcomes = outcomesByTable.get(table);
	if (outcomes === undefined) {
		outcomes = table.map(({ label, weight }) => ({ label, weight: parseFraction(weight) ?? fraction(0n) }));
		outcomesByTable.set(table, outcomes);
	}
	return outcomes;
}

/** Returns the maximum number of effects of a spawned drop, and the maximum cost of applying them. */
function heaviestDrop(world: World): Pick<TickMaximum, 'effects' | 'searched' | 'looks'> {
	const tables = read(world, Loot, 'table');
	const heaviest = { effects: 0, searched: 0, looks: 0 };
	each(world, [Loot], (slot) => {
		for (const { spawn } of tables[slot]!) {
			const effects = spawn == null ? null : parsedSpawn(spawn)?.effects;
			if (effects == null) continue;
			const { searched, looks } = looksOfSpawn(effects);
			heaviest.effects = Math.max(heaviest.effects, effects.length);
			heaviest.searched = Math.max(heaviest.searched, searched);
			heaviest.looks = Math.max(heaviest.looks, looks);
		}
	});
	return heaviest;
}

function run(world: World): void {
	const drops: (readonly [number, LootEntry, EntityHandle | null])[] = [];
	for (const { entity, killer } of drain(world, Death, 'drop-loot')) {
		const slot = slotOf(world, entity);
		if (slot < 0 || !has(world, slot, Loot)) continue;
		const table = read(world, Loot, 'table')[slot]!;
		const outcomes = outcomesOf(table);
		if (!outcomes.some(({ weight }) => weight.num > 0n)) continue;
		drops.push([slot, table[decide(world, LOOT, slot, outcomes)]!, killer]);
	}
	for (const [slot, entry, killer] of drops) applyDrop(world, slot, entry, killer);
}

function applyDrop(
	world: World,
	slot: number,
	{ gold, item, spawn }: LootEntry,
	killer: EntityHandle | null,
): void {
	const receiver = slotOf(world, killer);
	if (gold != null && receiver >= 0 && has(world, receiver, Gold)) {
		const amount = Math.min(MAX_GOLD, read(world, Gold, 'amount')[receiver]! + gold);
		add(world, receiver, Gold, { amount });
	}
	if (item != null && killer !== null && receiver >= 0) giveItems(world, killer, item.item_id, item.count);
	if (spawn == null) return;
	const owner = ownerAt(world, slot) ?? (receiver < 0 ? undefined : ownerAt(world, receiver));
	spawnDrop(world, globalPosition(world, slot), spawn, owner);
}

/** Spawns an entity of an owner at a position, unless the world, the share of the owner, or the position is full. */
function spawnDrop(
	world: World,
	[x, y, z]: readonly [number, number, number],
	stored: Readonly<Record<string, unknown>>,
	owner: number | undefined,
): void {
	const document = parsedSpawn(stored);
	if (document === null) return;
	const [dx, dy, dz] = document.position ?? [0, 0, 0];
	trySpawn(world, { ...document, position: [x + dx, y + dy, z + dz] }, owner);
}

const parsedByRecord = new WeakMap<object, SpawnDocument | null>();

/**
 * Returns the spawn document of a stored record; null if the record is not a valid document.
 */
function parsedSpawn(stored: Readonly<Record<string, unknown>>): SpawnDocument | null {
	let document = parsedByRecord.get(stored);
	if (document === undefined) {
		document = spawnDocument.safeParse(stored).data ?? null;
		parsedByRecord.set(stored, document);
	}
	return document;
}
