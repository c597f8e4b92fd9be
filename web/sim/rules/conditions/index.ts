/** Behaviour of each kind of condition. The types ensure that none is missing and none is left over. */

import {
	type ConditionName,
	conditionKind,
	type InnerCondition,
} from '../../../../shared/verbs/conditions/index.ts';
import { alive } from './alive.ts';
import { all } from './all.ts';
import { allRenderableHaveTransform } from './all-renderable-have-transform.ts';
import { allTeamsHaveSpawnPoints } from './all-teams-have-spawn-points.ts';
import { and } from './and.ts';
import { any } from './any.ts';
import { arrived } from './arrived.ts';
import type { ConditionBehaviour, HappeningBehaviour, Predicate, Statement } from './condition.ts';
import { dead } from './dead.ts';
import { death } from './death.ts';
import { digest } from './digest.ts';
import { distance } from './distance.ts';
import { elapsed } from './elapsed.ts';
import { enter } from './enter.ts';
import { entity } from './entity.ts';
import { entityBudget } from './entity-budget.ts';
import { entityCount } from './entity-count.ts';
import { entityExists } from './entity-exists.ts';
import { event } from './event.ts';
import { everyEntity } from './everybody.ts';
import { field } from './field.ts';
import { fieldCheck } from './field-check.ts';
import { gamePhase } from './game-phase.ts';
import { hasComponent } from './has-component.ts';
import { hasEffect } from './has-effect.ts';
import { hasItem } from './has-item.ts';
import { healthBelow } from './health-below.ts';
import { leave } from './leave.ts';
import { name } from './name.ts';
import { noOverlap } from './no-overlap.ts';
import { noZeroHealthAlive } from './no-zero-health-alive.ts';
import { noneAreDead } from './none-are-dead.ts';
import { not } from './not.ts';
import { phase } from './phase.ts';
import { quantified } from './quantified.ts';
import { role } from './role.ts';
import { score } from './score.ts';
import { tag } from './tag.ts';
import { team } from './team.ts';
import { text } from './text.ts';
import { tick } from './tick.ts';
import { timer } from './timer.ts';
import { winner } from './winner.ts';

export const BEHAVIOURS: { readonly [N in ConditionName]: ConditionBehaviour<N> } = {
	all,
	all_renderable_have_transform: allRenderableHaveTransform,
	all_teams_have_spawn_points: allTeamsHaveSpawnPoints,
	alive,
	and,
	any,
	arrived,
	dead,
	death,
	digest,
	distance,
	elapsed,
	enter,
	entity,
	entity_budget: entityBudget,
	entity_count: entityCount,
	entity_exists: entityExists,
	event,
	everybody: everyEntity,
	field,
	field_check: fieldCheck,
	has_component: hasComponent,
	has_effect: hasEffect,
	has_item: hasItem,
	health_below: healthBelow,
	leave,
	name,
	no_overlap: noOverlap,
	no_zero_health_alive: noZeroHealthAlive,
	none_are_dead: noneAreDead,
	not,
	phase,
	quantified,
	role,
	score,
	tag,
	team,
	text,
	tick,
	timer,
	winner,
	game_phase: gamePhase,
};

/** Behaviour of a kind of condition, seen without its kind. */
export type AnyBehaviour = Partial<
	Predicate<InnerCondition> & Statement<InnerCondition> & HappeningBehaviour<InnerCondition>
>;

export const behaviourOf = (condition: InnerCondition): AnyBehaviour =>
	BEHAVIOURS[conditionKind(condition).name as ConditionName] as AnyBehaviour;
