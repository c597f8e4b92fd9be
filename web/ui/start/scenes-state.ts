/**
 * Opening and playing the worlds that come with the program.
 * Owns: that the world that was there is kept, as a fork, and which one main was opened as. Never: knows which scenes there are.
 */

import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { Body } from '../../../shared/contract/route.ts';
import type { RouteAt } from '../../../shared/routes/index.ts';
import { readEntities } from '../entities/entity.ts';
import { takeOver } from '../play/played.ts';
import { candidates } from '../play/units.ts';
import type { PanelServices } from '../services.ts';
import { ask } from '../state/ask.ts';
import type { Navigation } from '../state/navigation.ts';
import { freeForkName, MAIN, readForks } from '../worlds/fork-list.ts';
import type { Worlds } from '../worlds/worlds-state.ts';
import { isOnlyPlayed, lastOpening, noteOpening } from './only-played.ts';

/** Milliseconds that a game waits for its picture at most: after that, it runs unseen. */
const PATIENCE_MS = 30_000;

export type Requests = Body<RouteAt<'POST', '/batch'>>['requests'];

export const scenarioRequest = (document: unknown): Requests[number] => ({
	path: '/scenario',
	body: document,
});

export interface Scenes {
	/** Name of the scene that is being opened, or null. */
	readonly opening: ReadonlySignal<string | null>;
	/** The scene that main was opened as from this page, or null. */
	readonly opened: ReadonlySignal<string | null>;
	/** Title that main has by its own name, on any page that shows it; null for a world without a name. */
	readonly title: ReadonlySignal<string | null>;
	/** Title of a world that takes the place of main, until the picture shows it; null otherwise. */
	readonly arriving: ReadonlySignal<string | null>;
	/** Makes main the world of a scene, and shows it. Main as it was stays as a fork, unless it is empty or a game that was only played. */
	open(name: string): Promise<void>;
	/** The same with a world that is made by these calls, such as a new one, or one from a file. A rejection is shown. */
	fill(name: string, read: () => Promise<Requests>): Promise<void>;
	/** The same, and plays it from its first tick on: with its first hero, where it has one. */
	play(name: string): Promise<void>;
	/** Plays the scene that main was opened as, here or elsewhere, once more. Main as it was is not kept. */
	again(name: string): Promise<void>;
}

/** `fetchScene` gets the document of a scene; rejects when there is none. */
export function createScenes(
	services: PanelServices,
	navigation: Navigation,
	worlds: Worlds,
	fetchScene: (name: string) => Promise<unknown> = fetchDocument,
): Scenes {
	const opening = signal<string | null>(null);
	const opened = signal<string | null>(null);
	const arriving = signal<string | null>(null);
	let endArrival = (): void => {};
	/** The call that opened main as a scene; null if it is none. */
	let openedBy = lastOpening(services.kept);

	async function replaceMain(filling: Requests, keep: boolean): Promise<boolean> {
		// The scene is about a world as it starts: what another one tuned, its sky and its plants do not hold in it.
		const requests: Requests = [{ path: '/reset', body: { fresh: true } }, ...filling];
		// What the panels know of main and its forks may be half a second old.
		const main = await ask(services, 'GET', '/', { on: 'panels' });
		const listed = await ask(services, 'GET', '/fork/list', { on: 'panels' });
		const isGame = openedBy !== null && (await isOnlyPlayed(services, openedBy));
		if (keep && !isGame && main.ok && listed.ok && (main.body.tick !== 0 || main.body.entity_count !== 0)) {
			const taken = new Set(readForks(listed.body).map(({ id }) => id));
			requests.unshift({ path: '/fork', body: { fork_id: freeForkName(taken, 'was-main') } });
		}
		// A world that runs would go on running as the scene, before a person is there to play it.
		const ran = main.ok && main.body.playing;
		const failed = [main, listed].find(({ ok }) => !ok);
		if (failed === undefined && ran) await ask(services, 'POST', '/pause');
		const outcome = failed ?? (await ask(services, 'POST', '/batch', { body: { requests, atomic: true } }));
		if (!outcome.ok) {
			navigation.refuse('Open', outcome.refusal);
			if (failed === undefined && ran) await ask(services, 'POST', '/play');
		}
		return outcome.ok;
	}

	/** Lets the first hero be played from here. */
	async function takeFirst(): Promise<void> {
		const seen = await ask(services, 'POST', '/observe', { on: 'panels' });
		const [hero] = candidates(seen.ok ? (readEntities(seen.body) ?? []) : []);
		const refusal = hero === undefined ? null : await takeOver(services, MAIN, hero);
		if (refusal !== null) navigation.refuse('Play', refusal);
	}

	/** Settles when the person sees the world, when nothing can be drawn, when it takes too long, or when the person left. */
	const arrived = (): Promise<void> =>
		new Promise((resolve) => {
			const late = setTimeout(() => done(), PATIENCE_MS);
			const stop = effect(() => {
				const isSeen = arriving.value === null || services.picture.value.kind === 'none';
				// An effect cannot end itself while it runs for the first time.
				if (isSeen || navigation.view.value !== 'play') queueMicrotask(() => done());
			});
			const done = (): void => {
				clearTimeout(late);
				stop();
				resolve();
			};
		});

	/** Lets time run, once the person sees what runs. */
	async function begin(): Promise<void> {
		await arrived();
		if (navigation.view.value !== 'play') return;
		const playing = await ask(services, 'POST', '/play');
		if (!playing.ok) navigation.refuse('Play', playing.refusal);
	}

	/** Fills main and shows it; `scene`: name of the scene that it is then. */
	async function fill(
		name: string,
		read: () => Promise<Requests>,
		{ view, keep, scene }: { view: 'make' | 'play'; keep: boolean; scene: string | null },
	): Promise<void> {
		if (opening.value !== null) return;
		services.openPicture();
		opening.value = name;
		const shown = services.shows.peek();
		try {
			const filling = await read();
			worlds.select(MAIN);
			arriving.value = titleOf(filling) ?? name;
			const isThere = await replaceMain(filling, keep);
			endArrival();
			endArrival = effect(() => {
				if (!isThere || services.shows.value !== shown) arriving.value = null;
			});
			if (!isThere) return;
			opened.value = scene;
			openedBy = await noteOpening(services, scene !== null);
			if (view === 'play') await takeFirst();
			navigation.go(view);
			if (view === 'play') await begin();
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			navigation.refuse('Open', {
				sentence: `The world "${name}" could not be opened: ${reason}`,
				fix: '',
			});
		} finally {
			opening.value = null;
		}
	}

	const show = (name: string, view: 'make' | 'play', keep: boolean): Promise<void> =>
		fill(name, async () => [scenarioRequest(await fetchScene(name))], { view, keep, scene: name });

	return {
		opening,
		opened,
		title: computed(() => titleIn(services.status.value?.world_name)),
		arriving,
		fill: (name, read) => fill(name, read, { view: 'make', keep: true, scene: null }),
		open: (name) => show(name, 'make', true),
		play: (name) => show(name, 'play', true),
		again: (name) => show(name, 'play', false),
	};
}

/** The name of a world up to a colon: the rest says what there is to do. */
const titleIn = (name: string | undefined): string | null => name?.split(':', 1)[0] || null;

/** Title of the scenario among these calls. */
function titleOf(filling: Requests): string | null {
	const scenario = filling.find(({ path }) => path === '/scenario')?.body as
		| { readonly name?: string }
		| undefined;
	return titleIn(scenario?.name);
}

async function fetchDocument(name: string): Promise<unknown> {
	const answer = await fetch(`scenes/${name}.json`);
	if (!answer.ok) throw new Error(`the server answered ${answer.status} for its file.`);
	return answer.json();
}
