/** Codes of the causes that the routes /why/... report. */

export const FIRE_CAUSES = [
	'disabled',
	'fired_once',
	'no_entity_passes',
	'part_fails',
	'not_happened',
	'no_common_entity',
	'already_held',
	'just_created',
	'fires',
	'no_effect',
] as const;

export const REACH_CAUSES = [
	'is_dead',
	'no_position',
	'is_child',
	'is_static',
	'no_navmesh',
	'goal_outside_mesh',
	'goal_blocked',
	'start_off_mesh',
	'too_narrow',
	'way_blocked',
	'no_way',
	'cannot_move',
	'no_speed',
	'too_far',
	'stopped_short',
	'no_path',
	'reaches',
] as const;

export const VISIBLE_CAUSES = [
	'unseen_by_viewer',
	'no_position',
	'no_mesh',
	'no_size',
	'parent_without_size',
	'transparent',
	'behind_camera',
	'too_near',
	'too_far',
	'outside_view',
	'too_small',
	'hidden_by',
	'hidden_by_terrain',
	'visible',
] as const;

export const DEAD_CAUSES = [
	'damage',
	'damage_by_call',
	'health_lost',
	'removed',
	'unknown',
	'alive',
] as const;
