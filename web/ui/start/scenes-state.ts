/**
 * Opening the worlds that come with the program.
 * Owns: that the world that was there is kept, as a fork. Never: knows which scenes there are.
 */

import { type ReadonlySignal, signal } from '@preact/signals';
import type { PanelServices } from '../services.ts';
import { ask } from '../state/ask.ts';
import type { Navigation } from '../state/navigation.ts';
import { freeForkName, MAIN, readForks } from '../worlds/fork-list.ts';
import type { Worlds } from '../worlds/worlds-state.ts';

export interface Scenes {
	/** Name of the scene that is being opened, or null. */
	readonly opening: ReadonlySignal<string | null>;
	/** Makes main the world of a scene, and shows it. Main as it was stays as a fork, unless nothing is in it. */
	open(name: string): Promise<void>;
}

/** `fetchScene` gets the document of a scene; rejects when there is none. */
export function createScenes(
	services: PanelServices,
	places: Navigation,
	worlds: Worlds,
	fetchScene: (name: string) => Promise<unknown> = fetchDocument,
): Scenes {
	const opening = signal<string | null>(null);

	async function replaceMain(document: unknown): Promise<boolean> {
		// The scene is about a world as it starts: whatever another one tuned does not hold in it.
		const requests: object[] = [
			{ method: 'DELETE', path: '/tuning' },
			{ path: '/scenario', body: document },
		];
		// What the panels know of main and its forks may be half a second old.
		const main = await ask(services, 'GET', '/', undefined, 'panels');
		const listed = await ask(services, 'GET', '/fork/list', undefined, 'panels');
		if (main.ok && listed.ok && (main.body.tick !== 0 || main.body.entity_count !== 0)) {
			const taken = new Set(readForks(listed.body).map(({ id }) => id));
			requests.unshift({ path: '/fork', body: { fork_id: freeForkName(taken, 'was-main') } });
		}
		const failed = [main, listed].find(({ ok }) => !ok);
		const outcome = failed ?? (await ask(services, 'POST', '/batch', { requests, atomic: true }));
		if (!outcome.ok) places.refuse('Open', outcome.refusal);
		return outcome.ok;
	}

	return {
		opening,
		async open(name) {
			if (opening.value !== null) return;
			opening.value = name;
			try {
				const document = await fetchScene(name);
				worlds.select(MAIN);
				if (await replaceMain(document)) places.go('make');
			} catch (error) {
				const reason = error instanceof Error ? error.message : String(error);
				places.refuse('Open', { sentence: `The world "${name}" could not be opened: ${reason}`, fix: '' });
			} finally {
				opening.value = null;
			}
		},
	};
}

async function fetchDocument(name: string): Promise<unknown> {
	const answer = await fetch(`/scenes/${name}.json`);
	if (!answer.ok) throw new Error(`the request for its file was answered with ${answer.status}.`);
	return answer.json();
}
