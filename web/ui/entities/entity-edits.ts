/**
 * Edits of an entity, one call each. The world is read again after each edit.
 * Owns: the bodies of the calls.
 */

import type { Body } from '../../../shared/contract/route.ts';
import type { PathOf, RouteAt } from '../../../shared/routes/index.ts';
import type { CallInput } from '../../../shared/transport/client.ts';
import type { PanelServices } from '../services.ts';
import { ask, type Refusal } from '../state/ask.ts';
import type { WorldsState } from '../worlds/worlds-state.ts';
import type { Entity } from './entity.ts';

/** Each method resolves to null if the edit succeeded, or else to the refusal. */
export class EntityEdits {
	readonly #services: PanelServices;
	readonly #worlds: WorldsState;
	readonly #refresh: () => void;

	constructor(services: PanelServices, worlds: WorldsState, refresh: () => void) {
		this.#services = services;
		this.#worlds = worlds;
		this.#refresh = refresh;
	}

	/** Changes components. The value null removes one. */
	change(entity: Entity, components: Readonly<Record<string, unknown>>): Promise<Refusal | null> {
		const owner = entity.agent_id === undefined ? {} : { agent_id: entity.agent_id };
		const body = { generation: entity.generation, ...owner, ...components };
		return this.#send('/entities/{id}/components', body, { id: entity.id });
	}

	damage({ id, generation }: Entity, amount: number): Promise<Refusal | null> {
		return this.#send('/entity/damage', { entity_id: id, generation, amount });
	}

	heal({ id, generation }: Entity, amount: number): Promise<Refusal | null> {
		return this.#send('/entity/heal', { entity_id: id, generation, amount });
	}

	tag(
		{ id, generation }: Entity,
		labels: { readonly add?: string[]; readonly remove?: string[] },
	): Promise<Refusal | null> {
		return this.#send('/tag', { entity_id: id, generation, ...labels });
	}

	async #send<P extends PathOf<'POST'>>(
		path: P,
		body: Body<RouteAt<'POST', P>>,
		params: CallInput<RouteAt<'POST', P>>['params'] = {},
	): Promise<Refusal | null> {
		const world = this.#worlds.selected.value;
		const outcome = await ask(this.#services, 'POST', path, { params, world, body });
		this.#refresh();
		return outcome.ok ? null : outcome.refusal;
	}
}
