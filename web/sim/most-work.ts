/**
 * How much the next tick could do at most of what is counted.
 * Owns: a quick estimate that errs on the side of too much. It decides nothing: it says when it is worth keeping a way back.
 */

import { Abilities } from '../../shared/components/abilities.ts';
import { Backdoor } from '../../shared/components/backdoor.ts';
import { Bounty } from '../../shared/components/bounty.ts';
import { Building } from '../../shared/components/building.ts';
import { Combat } from '../../shared/components/combat.ts';
import { Grounded } from '../../shared/components/grounded.ts';
import { Health } from '../../shared/components/health.ts';
import { Level } from '../../shared/components/level.ts';
import { Loot } from '../../shared/components/loot.ts';
import { Path } from '../../shared/components/path.ts';
import { PhysicsBody } from '../../shared/components/physics-body.ts';
import { Projectile } from '../../shared/components/projectile.ts';
import { RespawnTimer } from '../../shared/components/respawn-timer.ts';
import { Role } from '../../shared/components/role.ts';
import { Rule } from '../../shared/components/rule.ts';
import { Script } from '../../shared/components/script.ts';
import { SpawnPoint } from '../../shared/components/spawn-point.ts';
import { Spread } from '../../shared/components/spread.ts';
import { Team } from '../../shared/components/team.ts';
import { TriggerZone } from '../../shared/components/trigger-zone.ts';
import { Velocity } from '../../shared/components/velocity.ts';
import { ViewFilter } from '../../shared/components/view-filter.ts';
import { ZoneEffect } from '../../shared/components/zone-effect.ts';
import { cellsOf } from '../../shared/documents/navmesh.ts';
import type { RuleDocument } from '../../shared/documents/rule.ts';
import { spawnsOf, targetsOf } from '../../shared/verbs/actions/index.ts';
import { aboutOf } from '../../shared/verbs/conditions/index.ts';
import { type Target, targetKind, targetParts } from '../../shared/verbs/targets/index.ts';
import { MOST_EFFORT, TO_ACT } from './abilities/perform.ts';
import { mostLooks } from './animation/animation.ts';
import { TOWER } from './combat/target-index.ts';
import { pending } from './core/events.ts';
import { MAX_ACTIONS, MAX_SEARCHED, MAX_SENT, MAX_SPAWNED } from './core/tick-budget.ts';
import { count, each, read, type World } from './core/world.ts';
import { heaviestLooks, looksOf } from './effects/effect.ts';
import { navmeshOf } from './navigation/settings.ts';
import { type Filter, parseFilter, sizeOf } from './rules/conditions/filter.ts';
import { firingOrder } from './rules/rule.ts';
import { MOST_DONE } from './scripts/script.ts';
import { sourcesOf } from './scripts/sources.ts';

/** What one firing does: as many things, and as many more for each entity there is. */
interface Firing {
	/** Whether it fires once a tick at most, for nobody in particular. */
	readonly once: boolean;
	readonly actions: number;
	readonly actionsEach: number;
	readonly spawns: number;
	readonly spawnsEach: number;
	/** With how many conditions it looks at all entities to find whom its actions are about. */
	readonly searches: number;
	/** How many status effects it puts on, and for each entity there is; and what they count for, one of each. */
	readonly effects: number;
	readonly effectsEach: number;
	readonly effectLooks: number;
	/** With how many conditions all entities are looked at to see whether it fires. */
	readonly looks: number;
}

const firings = new WeakMap<RuleDocument, Firing>();

/** Whether the next tick might be refused because it does too much. */
export function mayOverrun(world: World): boolean {
	// Of the engine's own draws an entity makes one of each kind.
	let [actions, spawned] = [count(world, Combat) + count(world, Loot) + count(world, Spread), 0];
	let searched = mostLooks(world) + mostLooksAround(world);
	let sent = actions + count(world, TriggerZone) * visitors(world);
	const scripts = count(world, Script) === 0 ? 0 : Object.keys(sourcesOf(world)).length;
	actions += scripts * MOST_DONE.actions;
	spawned += scripts * MOST_DONE.spawned;
	searched += scripts * MOST_DONE.searched;
	sent += scripts * MOST_DONE.sent;
	const effects = effectsOfZones(world);
	let heaviest = heaviestLooks(world) + effects.looks;
	searched += effects.zones * visitors(world) * heaviest;
	if (actions > MAX_ACTIONS || spawned > MAX_SPAWNED || searched > MAX_SEARCHED || sent > MAX_SENT)
		return true;
	if (count(world, Rule) === 0) return false;
	const documents = read(world, Rule, 'document');
	// A rule fires for entities, or for what happened.
	let subjects = world.entities.count + pending(world).length;
	for (const id of firingOrder(world)) {
		const firing = firingOf(documents[id] as RuleDocument);
		const times = firing.once ? 1 : subjects;
		const made = times * (firing.spawns + firing.spawnsEach * subjects);
		actions += times * (firing.actions + firing.actionsEach * subjects);
		searched += (times * firing.searches + firing.looks) * subjects;
		heaviest += firing.effectLooks;
		searched += times * (firing.effects + firing.effectsEach * subjects) * heaviest;
		spawned += made;
		subjects += made;
		sent = Math.max(sent, 2 * actions);
		if (actions > MAX_ACTIONS || spawned > MAX_SPAWNED || searched > MAX_SEARCHED || sent > MAX_SENT)
			return true;
	}
	return false;
}

const visitors = (world: World): number => count(world, Health) + count(world, PhysicsBody);

/** How many entities the systems look at that do so for each of others. */
function mostLooksAround(world: World): number {
	const { count: entities } = world.entities;
	let views = 0;
	const lists = read(world, ViewFilter, 'rules');
	each(world, [ViewFilter], (slot) => {
		views += Math.max(1, lists[slot]!.length);
	});
	return (
		views * entities +
		(count(world, TriggerZone) + count(world, Projectile)) * visitors(world) +
		towers(world) * count(world, Role) +
		count(world, Backdoor) * count(world, Role) +
		count(world, Bounty) * count(world, Level) +
		count(world, RespawnTimer) * count(world, SpawnPoint) +
		// Fighters find whom they look for among few, unless all are as far from all.
		(count(world, Combat) * count(world, Team)) / 4 +
		// Who walks keeps clear of those near it, who may be all.
		count(world, Path) * count(world, Velocity) +
		(count(world, Path) + count(world, Grounded)) * LINES * longestLine(world) +
		mayCast(world) * Math.min(MOST_EFFORT, 8 * TO_ACT * entities)
	);
}

/** Lines that are looked along for one who walks, at most as far as is known. */
const LINES = 8;

/** Cells that a line across the navigation mesh meets at most. */
function longestLine(world: World): number {
	const settings = navmeshOf(world);
	if (settings === null) return 0;
	const { width, height } = cellsOf(settings);
	return width + height;
}

/** Zones that put an effect on those inside, and what their effects count for together. */
function effectsOfZones(world: World): { readonly zones: number; readonly looks: number } {
	let [zones, looks] = [0, 0];
	if (count(world, ZoneEffect) === 0) return { zones, looks };
	const effects = read(world, ZoneEffect, 'effect');
	each(world, [ZoneEffect], (slot) => {
		zones++;
		looks += looksOf(effects[slot]!);
	});
	return { zones, looks };
}

/** Returns the number of entities that may cast on the coming tick: a rule or a script may make any cast. */
function mayCast(world: World): number {
	if (count(world, Rule) + count(world, Script) > 0) return count(world, Abilities);
	let found = 0;
	const queues = read(world, Abilities, 'queued');
	each(world, [Abilities], (slot) => {
		if (queues[slot]!.length > 0) found++;
	});
	return found;
}

/** Those that might be towers. */
function towers(world: World): number {
	let found = count(world, Building);
	const role = read(world, Role, 'role');
	each(world, [Role], (slot) => {
		if (role[slot] === TOWER) found++;
	});
	return found;
}

function firingOf(document: RuleDocument): Firing {
	let firing = firings.get(document);
	if (firing === undefined) {
		firing = estimate(document);
		firings.set(document, firing);
	}
	return firing;
}

function estimate({ when, filter, once, do: always, outcomes }: RuleDocument): Firing {
	const sum = {
		actions: 0,
		actionsEach: 0,
		spawns: 0,
		spawnsEach: 0,
		searches: 0,
		effects: 0,
		effectsEach: 0,
		effectLooks: 0,
	};
	for (const action of [...(always ?? []), ...(outcomes ?? []).flatMap((outcome) => outcome.do)]) {
		const spawns = spawnsOf(action);
		const copies = spawns ?? 1;
		const targets = targetsOf(action).map(({ target }) => target);
		const each = targets.some(isMany);
		for (const target of targets) sum.searches += searchOf(target);
		sum[each ? 'actionsEach' : 'actions'] += copies;
		if (action.action === 'apply_effect') {
			sum[each ? 'effectsEach' : 'effects'] += 1;
			sum.effectLooks += looksOf(action);
		}
		if (spawns !== null) sum[each ? 'spawnsEach' : 'spawns'] += copies;
	}
	const looks = aboutOf(when).subject ? sizeOf(when) + sizeOf(parseFilter(filter)) : 0;
	// A draw counts as an action does.
	return {
		...sum,
		actions: sum.actions + (outcomes === undefined ? 0 : 1),
		looks,
		once: once || !aboutOf(when).subject,
	};
}

const isMany = (target: Target): boolean => targetKind(target).names === 'many';

/** With how many conditions all entities are looked at to find whom it names. */
function searchOf(target: Target): number {
	const kind = targetKind(target);
	if (kind.names === undefined) return 0;
	return 'filter' in kind ? sizeOf(parseFilter(targetParts(target).value as Filter)) : 1;
}
