/**
 * Attacking without an enemy in reach: the unit walks to one, and attacks enemies on its way.
 * Owns: the choice of the enemy.
 */

import type { Entity } from '../entities/entity.ts';
import { askRaw, inWorld } from '../state/ask.ts';
import type { Play, PlayServices } from './play-state.ts';
import { foesOf, isInReach } from './units.ts';

/** Maximum number of enemies for which a path is computed. */
const MAX_FOES = 6;

/**
 * Returns the enemy with the shortest path. Without a navigation mesh, returns the nearest one; null if none is reachable.
 */
async function easiestFoe(
	{ services, worlds }: PlayServices,
	hero: Entity,
	foes: readonly Entity[],
): Promise<Entity | null> {
	const from = hero.transform!.position;
	const path = inWorld('/path/compute', worlds.selected.value);
	const ways = foes.slice(0, MAX_FOES).map(async (foe) => {
		const way = await askRaw(services, 'POST', path, { from, to: foe.transform!.position }, 'panels');
		const length = way.ok ? Number(way.body.length) : null;
		return { foe, length, hasNoMesh: !way.ok && way.refusal.code === 'no_navmesh' };
	});
	const found = await Promise.all(ways);
	if (found.some(({ hasNoMesh }) => hasNoMesh)) return foes[0] ?? null;
	const reachable = found.filter(({ length }) => length !== null);
	return reachable.sort((a, b) => a.length! - b.length!)[0]?.foe ?? null;
}

/** Sends the played unit to an enemy, if none is in reach. */
export async function walkToAttack(panels: PlayServices, play: Play): Promise<void> {
	const { services, worlds, navigation } = panels;
	const hero = play.mine.peek();
	if (hero === null) return;
	const foes = foesOf(hero, play.game.entities.peek());
	if (foes.length === 0) return play.tell('No enemy is left');
	if (isInReach(hero, foes[0]!)) return;
	const foe = await easiestFoe(panels, hero, foes);
	if (foe === null) return play.tell('No way leads to an enemy from here');
	services.view.peek()?.order({ target: foe.id, point: null });
	const outcome = await askRaw(services, 'POST', inWorld('/input/press', worlds.selected.value), {
		action: 'attack_move',
		entity_id: hero.id,
		entity_generation: hero.generation,
		point: foe.transform!.position,
	});
	if (!outcome.ok) navigation.refuse('Your input', outcome.refusal);
}
