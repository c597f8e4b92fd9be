/**
 * Entity that this page plays. The world knows which entities are played; this page remembers which of them is its own.
 * Owns: taking an entity over and releasing it, and what this tab remembers of it.
 */

import type { Entity } from '../entities/entity.ts';
import type { PanelServices } from '../services.ts';
import { ask, type Refusal } from '../state/ask.ts';
import { isPlayed } from './units.ts';

const KEY = 'orrery.played';

/** Name of the entity if the browser stores nothing for the page: it lasts until the page is loaded again. */
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

/** Returns the entity that is played from here, or null. */
export function playedHere(world: string, entities: readonly Entity[]): Entity | null {
	const known = remembered();
	return entities.find((entity) => isPlayed(entity) && playedKey(world, entity) === known) ?? null;
}

/** Takes an entity over: it no longer fights or walks by itself, and obeys the keys. Returns null on success. */
export async function takeOver(
	services: Pick<PanelServices, 'call'>,
	world: string,
	{ id, generation }: Pick<Entity, 'id' | 'generation'>,
): Promise<Refusal | null> {
	const requests = [
		{ path: `/entities/${id}/components`, body: { generation, player: true } },
		// An entity that was on its way stops.
		{ path: '/input/press', body: { action: 'stop', entity_id: id, entity_generation: generation } },
	];
	const outcome = await ask(services, 'POST', '/batch', { world, body: { requests, atomic: true } });
	if (!outcome.ok) return outcome.refusal;
	remember(playedKey(world, { id, generation }));
	return null;
}

/** Lets go: it fights and walks by itself again. */
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
