/**
 * Edits of an entity, one call each.
 * Owns: what is sent. The world is read again after each.
 */

import type { PanelServices } from '../services.ts';
import { type AskOutcome, ask, type Refusal } from '../state/ask.ts';
import type { WorldsState } from '../worlds/worlds-state.ts';
import type { Entity } from './entity.ts';

/** All of its methods resolve to null if the edit was carried out. */
export class EntityEdits {
	readonly #services: PanelServices;
	readonly #worlds: WorldsState;
	readonly #refresh: () => void;

	constructor(services: PanelServices, worlds: WorldsState, refresh: () => void) {
		this.#services = services;
		this.#worlds = worlds;
		this.#refresh = refresh;
	}

	/** Changes components, or takes them away. */
	change(entity: Entity, components: Readonly<Record<string, unknown>>): Promise<Refusal | null> {
		const owner = entity.agent_id === undefined ? {} : { agent_id: entity.agent_id };
		const body = { generation: entity.generation, ...owner, ...components };
		const input = { params: { id: entity.id }, world: this.#world, body };
		return this.#finish(ask(this.#services, 'POST', '/entities/{id}/components', input));
	}

	damage({ id, generation }: Entity, amount: number): Promise<Refusal | null> {
		const body = { entity_id: id, generation, amount };
		return this.#finish(ask(this.#services, 'POST', '/entity/damage', { world: this.#world, body }));
	}

	heal({ id, generation }: Entity, amount: number): Promise<Refusal | null> {
		const body = { entity_id: id, generation, amount };
		return this.#finish(ask(this.#services, 'POST', '/entity/heal', { world: this.#world, body }));
	}

	tag(
		{ id, generation }: Entity,
		labels: { readonly add?: string[]; readonly remove?: string[] },
	): Promise<Refusal | null> {
		const body = { entity_id: id, generation, ...labels };
		return this.#finish(ask(this.#services, 'POST', '/tag', { world: this.#world, body }));
	}

	get #world(): string {
		return this.#worlds.selected.value;
	}

	/** Takes a call that was made. A function that made it, generic over all paths, takes the compiler half of its time. */
	async #finish(edit: Promise<AskOutcome<unknown>>): Promise<Refusal | null> {
		const outcome = await edit;
		this.#refresh();
		return outcome.ok ? null : outcome.refusal;
	}
}
