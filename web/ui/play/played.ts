/**
 * The entity that this page plays. The world has the set of played entities, and this page stores which of them is its own.
 * Owns: taking over and releasing an entity, and the stored name of it.
 */

import type { Entity } from '../entities/entity.ts';
import type { PanelServices } from '../services.ts';
import { ask, type Refusal } from '../state/ask.ts';
import { isPlayed } from './units.ts';

const KEY = 'orrery.played';

/** Name of the entity, for a browser that stores nothing for the page. It lasts until a reload. */
let name: string | null = null;

function remember(next: string | null): void {
	name = next;
	try {
		if (next === null) sessionStorage.removeItem(KEY);
		else sessionStorage.setItem(KEY, next);
	} catch (error) {
		console.warn(
			'A reload forgets the unit that you play, because this browser blocks session storage for the page.',
			error,
		);
	}
}

function remembered(): string | null {
	try {
		return sessionStorage.getItem(KEY);
	} catch {
		return name;
	}
}

const playedKey = (world: string, { id, generation }: Pick<Entity, 'id' | 'generation'>): string =>
	`${world} ${id}.${generation}`;

/** Returns the entity that this page plays, or null. */
export function playedHere(world: string, entities: readonly Entity[]): Entity | null {
	const known = remembered();
	return entities.find((entity) => isPlayed(entity) && playedKey(world, entity) === known) ?? null;
}

/** Takes over an entity: it obeys keys, and no longer fights or walks by itself. Returns null on success. */
export async function takeOver(
	services: Pick<PanelServices, 'call'>,
	world: string,
	{ id, generation }: Pick<Entity, 'id' | 'generation'>,
): Promise<Refusal | null> {
	const requests = [
		{ path: `/entities/${id}/components`, body: { generation, player: true } },
		// Stops a walking entity.
		{ path: '/input/press', body: { action: 'stop', entity_id: id, entity_generation: generation } },
	];
	const outcome = await ask(services, 'POST', '/batch', { world, body: { requests, atomic: true } });
	if (!outcome.ok) return outcome.refusal;
	remember(playedKey(world, { id, generation }));
	return null;
}

/** Releases an entity: it fights and walks by itself again. Returns null on success. */
export async function letGo(
	services: Pick<PanelServices, 'call'>,
	world: string,
	{ id, generation }: Pick<Entity, 'id' | 'generation'>,
): Promise<Refusal | null> {
	remember(null);
	const body = { generation, remove: ['player'] };
	const outcome = await ask(services, 'POST', '/entities/{id}/components', { params: { id }, world, body });
	return outcome.ok ? null : outcome.refusal;
}
