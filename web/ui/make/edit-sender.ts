/**
 * Sends each edit of Make as one call.
 * Owns: combining several requests in one atomic batch, and showing refusals.
 */

import type { EntitiesState } from '../entities/entities-state.ts';
import type { PanelServices } from '../services.ts';
import { askRaw, inWorld, type Refusal } from '../state/ask.ts';
import type { Navigation } from '../state/navigation.ts';
import type { WorldsState } from '../worlds/worlds-state.ts';
import type { Request } from './edits.ts';

export class EditSender {
	readonly #services: PanelServices;
	readonly #navigation: Navigation;
	readonly #worlds: WorldsState;
	readonly #entities: EntitiesState;

	constructor(services: PanelServices, navigation: Navigation, worlds: WorldsState, entities: EntitiesState) {
		this.#services = services;
		this.#navigation = navigation;
		this.#worlds = worlds;
		this.#entities = entities;
	}

	/** Sends one request, or several as a batch. Resolves to their answers, or to null after a refusal. */
	async send(what: string, requests: readonly Request[]): Promise<readonly unknown[] | null> {
		const [only] = requests;
		if (only === undefined) return null;
		const isSingle = requests.length === 1;
		const outcome = isSingle
			? await this.#ask(only.method ?? 'POST', only.path, only.body)
			: await this.#batch(requests);
		if (!outcome.ok) {
			this.#navigation.refuse(what, outcome.refusal);
			return null;
		}
		if (isSingle) return [outcome.body];
		return (outcome.body.results as readonly { readonly body: unknown }[]).map(({ body }) => body);
	}

	/** Sends requests as a batch, without showing a refusal. Resolves to the refusal, or to null. */
	async tryAll(requests: readonly Request[]): Promise<Refusal | null> {
		const outcome = await this.#batch(requests);
		return outcome.ok ? null : outcome.refusal;
	}

	#batch(requests: readonly Request[]) {
		return this.#ask('POST', '/batch', { requests, atomic: true });
	}

	async #ask(method: string, path: string, body: unknown) {
		const where = inWorld(path, this.#worlds.selected.value);
		const outcome = await askRaw(this.#services, method, where, body);
		this.#entities.refresh();
		return outcome;
	}
}
