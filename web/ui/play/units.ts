/**
 * The units of a game, from the list of entities.
 * Owns: the conditions for units, heroes and played units, and the names of units.
 */

import { type Entity, entityName, MESH_NAMES } from '../entities/entity.ts';

/** An ability in an entity of the API. */
export interface ShownAbility {
	readonly slot: string;
	readonly name: string;
	readonly cooldown: number;
	readonly mana_cost: number;
	/** First tick on which it can be cast. */
	readonly ready_at: number;
	/** Effect of casting it, as it was declared. */
	readonly effect?: unknown;
}

/** Returns true for an entity with a place, and a team or health. */
export const isUnit = (entity: Entity): boolean =>
	entity.transform !== undefined && (entity.team !== undefined || entity.health !== undefined);

export const isPlayed = (entity: Entity): boolean => entity.player === true;

/** Returns true for a hero or a played entity, with a place. */
export const isHero = (entity: Entity): boolean =>
	entity.transform !== undefined && (entity.role === 'Hero' || isPlayed(entity));

/**
 * Returns the entities that a person can take over: heroes, or else Kinematic units of a team.
 */
export function candidates(entities: readonly Entity[]): readonly Entity[] {
	const free = entities.filter(({ agent_id }) => agent_id === undefined);
	const heroes = free.filter(isHero);
	// Entities that the scene marks as played come first.
	if (heroes.length > 0) return heroes.sort((a, b) => Number(isPlayed(b)) - Number(isPlayed(a)));
	return free.filter(
		(entity) => isUnit(entity) && entity.team !== undefined && entity.physics_body === 'Kinematic',
	);
}

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/** Returns the shown name. If heroes among `others` have the same name, a unique tag replaces it. */
export function unitName(entity: Entity, others: Iterable<Entity> = []): string {
	const name = ownName(entity);
	if (!isHero(entity)) return name;
	const alike = [...others].filter(
		(candidate) => candidate.id !== entity.id && isHero(candidate) && ownName(candidate) === name,
	);
	const tag =
		alike.length > 0 && entity.tags?.find((word) => !alike.some(({ tags }) => tags?.includes(word)));
	return tag ? capital(tag) : name;
}

/** Returns the name of an entity, or else of its hero, or else of its looks. */
function ownName(entity: Entity): string {
	if (entity.name !== undefined) return entity.name;
	if (typeof entity.hero === 'string' && entity.hero !== '') return entity.hero;
	const mesh = entity.mesh;
	// A tag is a better name than a plain shape.
	if (mesh === undefined || MESH_NAMES[mesh] !== undefined)
		return capital(entity.tags?.[0] ?? entityName(entity));
	const file = mesh.split('/').at(-1)!;
	return capital(file.replace(/\.[^.]*$/, '').replaceAll(/[_-]/g, ' '));
}

export const levelOf = (entity: Entity): number | null =>
	typeof entity.level === 'number' ? entity.level : null;

export const goldOf = (entity: Entity): number | null =>
	typeof entity.gold === 'number' ? entity.gold : null;

/** Returns a value of the form `[current, maximum]`; null for other values. */
export function gauge(value: unknown): readonly [current: number, max: number] | null {
	return Array.isArray(value) && typeof value[0] === 'number' && typeof value[1] === 'number'
		? [value[0], value[1]]
		: null;
}

export const abilitiesOf = (entity: Entity): readonly ShownAbility[] =>
	Array.isArray(entity.abilities) ? (entity.abilities as readonly ShownAbility[]) : [];

/** State of an ability on a tick. */
export interface DialState {
	readonly kind: 'ready' | 'cooling' | 'no mana';
	/** Remaining seconds and remaining share of the cooldown. */
	readonly seconds: number;
	readonly left: number;
}

export function dialState(ability: ShownAbility, tick: number, mana: number | null): DialState {
	const ticks = Math.max(0, ability.ready_at - tick);
	const whole = ability.cooldown * 60;
	if (ticks > 0)
		return { kind: 'cooling', seconds: ticks / 60, left: whole > 0 ? Math.min(1, ticks / whole) : 0 };
	const short = ability.mana_cost > 0 && (mana === null || mana < ability.mana_cost);
	return { kind: short ? 'no mana' : 'ready', seconds: 0, left: 0 };
}

/** Item that a unit wears or carries, with its count. */
export interface Held {
	readonly item_id: number;
	readonly count: number;
	readonly worn: boolean;
}

/** Returns the items of a unit, worn ones before carried ones, each in the order of their places. */
export function heldBy({ equipment, inventory }: Entity): readonly Held[] {
	const worn = typeof equipment === 'object' && equipment !== null ? Object.values(equipment) : [];
	const carried = Array.isArray(inventory) ? (inventory as readonly Omit<Held, 'worn'>[]) : [];
	return [
		...worn.map((item_id: number) => ({ item_id, count: 1, worn: true })),
		...carried.map(({ item_id, count }) => ({ item_id, count, worn: false })),
	];
}

const groundDistance = (entity: Entity, other: Entity): number => {
	const [a, b] = [entity.transform!.position, other.transform!.position];
	return Math.hypot(a[0] - b[0], a[2] - b[2]);
};

/** Returns the living units of other sides, the nearest first. */
export function foesOf(hero: Entity, entities: readonly Entity[]): readonly Entity[] {
	if (hero.transform === undefined) return [];
	return entities
		.filter(
			(entity) =>
				isUnit(entity) &&
				entity.health !== undefined &&
				entity.dead !== true &&
				entity.team !== undefined &&
				entity.team !== hero.team,
		)
		.sort((a, b) => groundDistance(hero, a) - groundDistance(hero, b));
}

/** Returns true if an enemy is within the range of a unit's weapon. */
export function isInReach(hero: Entity, foe: Entity): boolean {
	const { range = 0 } = (hero.combat ?? {}) as { readonly range?: number };
	return groundDistance(hero, foe) <= range;
}
