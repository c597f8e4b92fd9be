/**
 * Opening and playing the worlds that come with the program.
 * Owns: which one main was opened as, and when its time begins to run. Never: knows which scenes there are.
 */

import { computed, effect, signal } from '@preact/signals';
import { reasonOf } from '../../../shared/contract/reason.ts';
import { readEntities } from '../entities/entity.ts';
import { takeOver } from '../play/played.ts';
import { candidates } from '../play/units.ts';
import type { PanelServices } from '../services.ts';
import { ask } from '../state/ask.ts';
import type { Navigation } from '../state/navigation.ts';
import { MAIN } from '../worlds/fork-list.ts';
import { titleIn } from '../worlds/world-title.ts';
import type { WorldsState } from '../worlds/worlds-state.ts';
import { isOnlyPlayed, lastOpening, noteOpening, type SceneOpening } from './only-played.ts';
import { makeBeside, type Requests, replaceMain, scenarioName, scenarioRequest } from './replace-main.ts';

/** Way in which a world replaces main. */
interface Filling {
	readonly view: 'make' | 'play';
	/** True if main as it was stays as a fork, unless it is empty or a game that was only played. */
	readonly keep: boolean;
	/** Name of the scene that main is then, or null. */
	readonly scene: string | null;
	/** True if a notice names the world, and offers the way back. */
	readonly isTold?: boolean;
}

export class Scenes {
	/** Name of the scene that is being opened, or null. */
	readonly opening = signal<string | null>(null);
	/** The scene that main was opened as from this page, or null. */
	readonly opened = signal<string | null>(null);
	/** Title of a world that takes the place of main, until the picture shows it; null otherwise. */
	readonly arriving = signal<string | null>(null);
	/** Title that main has by its own name, on any page that shows it; null for a world without a name. */
	readonly title = computed(() => titleIn(this.#services.status.value?.world_name));
	readonly #services: PanelServices;
	readonly #navigation: Navigation;
	readonly #worlds: WorldsState;
	readonly #fetchScene: (name: string) => Promise<unknown>;
	#endArrival = (): void => {};
	/** The call that opened main as a scene; null if it is none. */
	#openedBy: SceneOpening | null;

	/** `fetchScene` gets the document of a scene; rejects when there is none. */
	constructor(
		services: PanelServices,
		navigation: Navigation,
		worlds: WorldsState,
		fetchScene: (name: string) => Promise<unknown> = fetchDocument,
	) {
		this.#services = services;
		this.#navigation = navigation;
		this.#worlds = worlds;
		this.#fetchScene = fetchScene;
		this.#openedBy = lastOpening(services.kept);
	}

	/** Makes main the world of a scene, and shows it. Main as it was stays as a fork, unless it is empty or a game that was only played. */
	open(name: string): Promise<void> {
		return this.#show(name, 'make', true);
	}

	/** The same with a world that is made by these calls, such as a new one, or one from a file. A rejection is shown. */
	fill(name: string, read: () => Promise<Requests>): Promise<void> {
		return this.#fill(name, read, { view: 'make', keep: true, scene: null });
	}

	/** The same with the world of a file. A notice names it. */
	openFile(name: string, read: () => Promise<Requests>): Promise<void> {
		return this.#fill(name, read, { view: 'make', keep: true, scene: null, isTold: true });
	}

	/**
	 * Makes a world beside main of these calls, and shows it; in the place of main if that is empty. `title`: that of a world that
	 * they do not name.
	 */
	async openBeside(title: string, read: () => Promise<Requests>): Promise<void> {
		const main = this.#worlds.main.peek();
		if (main === null || (main.tick === 0 && main.entityCount === 0)) return this.fill(title, read);
		if (this.opening.value !== null) return;
		this.opening.value = title;
		await this.#reading(title, async () => {
			const made = await makeBeside(this.#services, await read(), title);
			if (!made.ok) return this.#navigation.refuse('Open', made.refusal);
			this.#services.openPicture();
			await this.#worlds.lookAt(made.body.id);
			this.#navigation.go('make');
			await this.#tellOpened(made.body.id, MAIN, 'It is a world of its own. main is as it was.');
		});
		this.opening.value = null;
	}

	/** The same, and plays it from its first tick on: with its first hero, where it has one. */
	play(name: string): Promise<void> {
		return this.#show(name, 'play', true);
	}

	/** Plays the scene that main was opened as, here or elsewhere, again. Main as it was is not kept. */
	again(name: string): Promise<void> {
		return this.#show(name, 'play', false);
	}

	#show(name: string, view: 'make' | 'play', keep: boolean): Promise<void> {
		const read = async () => [scenarioRequest(await this.#fetchScene(name))];
		return this.#fill(name, read, { view, keep, scene: name });
	}

	/** Fills main and shows it. */
	async #fill(name: string, read: () => Promise<Requests>, filling: Filling): Promise<void> {
		if (this.opening.value !== null) return;
		this.#services.openPicture();
		this.opening.value = name;
		const shown = this.#services.shows.peek();
		await this.#reading(name, async () => {
			const requests = await read();
			this.#worlds.select(MAIN);
			this.arriving.value = titleIn(scenarioName(requests)) ?? name;
			const replaced = await this.#replaceMain(requests, name, filling.keep);
			const isThere = replaced !== null;
			this.#endArrival();
			this.#endArrival = effect(() => {
				if (!isThere || this.#services.shows.value !== shown) this.arriving.value = null;
			});
			if (replaced === null) return;
			await this.#begin(filling);
			if (filling.isTold === true && replaced.kept !== null)
				await this.#tellOpened(MAIN, replaced.kept, 'It is main now. The world that was main is kept.');
		});
		this.opening.value = null;
	}

	/** Shows a rejection. */
	async #reading(name: string, work: () => Promise<void>): Promise<void> {
		try {
			await work();
		} catch (error) {
			const sentence = `The world "${name}" could not be opened: ${reasonOf(error)}`;
			this.#navigation.refuse('Open', { sentence, fix: '' });
		}
	}

	/** Names the world that was opened, and offers the way back to the one before. */
	async #tellOpened(id: string, before: string, soft: string): Promise<void> {
		const [title, other] = await Promise.all([this.#titleOf(id), this.#titleOf(before)]);
		const take = () => this.#worlds.select(before);
		this.#navigation.tell(`"${title}" is open.`, soft, { label: `Back to ${other}`, take });
	}

	/** Returns the title of a world, else its id. */
	async #titleOf(world: string): Promise<string> {
		const status = await ask(this.#services, 'GET', '/', { world, on: 'panels' });
		return (status.ok && titleIn(status.body.world_name)) || world;
	}

	/** Returns null if it was refused. */
	async #replaceMain(requests: Requests, title: string, keep: boolean) {
		const opening = this.#openedBy;
		const isKept = async () => keep && (opening === null || !(await isOnlyPlayed(this.#services, opening)));
		const outcome = await replaceMain(this.#services, requests, title, isKept);
		if (outcome.ok) return outcome.body;
		this.#navigation.refuse('Open', outcome.refusal);
		return null;
	}

	/** Shows main as it is now; a game begins once the person sees it. */
	async #begin({ view, scene }: Filling): Promise<void> {
		this.opened.value = scene;
		this.#openedBy = await noteOpening(this.#services, scene !== null);
		if (view === 'play') await this.#takeFirst();
		this.#navigation.go(view);
		if (view !== 'play') return;
		await this.#arrived();
		if (this.#navigation.view.value !== 'play') return;
		const playing = await ask(this.#services, 'POST', '/play');
		if (!playing.ok) this.#navigation.refuse('Play', playing.refusal);
	}

	/** Lets the first hero be played from here. */
	async #takeFirst(): Promise<void> {
		const outcome = await ask(this.#services, 'POST', '/observe', { on: 'panels' });
		const [hero] = candidates(outcome.ok ? (readEntities(outcome.body) ?? []) : []);
		const refusal = hero === undefined ? null : await takeOver(this.#services, MAIN, hero);
		if (refusal !== null) this.#navigation.refuse('Play', refusal);
	}

	/** Settles when the person sees the world, when nothing can be drawn, or when the person left. */
	#arrived(): Promise<void> {
		return new Promise((resolve) => {
			const stop = effect(() => {
				const isSeen = this.arriving.value === null || this.#services.picture.value.kind === 'none';
				// An effect cannot end itself while it runs for the first time.
				if (isSeen || this.#navigation.view.value !== 'play') queueMicrotask(() => done());
			});
			const done = (): void => {
				stop();
				resolve();
			};
		});
	}
}

async function fetchDocument(name: string): Promise<unknown> {
	const answer = await fetch(`scenes/${name}.json`);
	if (!answer.ok) throw new Error(`the server answered ${answer.status} for its file.`);
	return answer.json();
}
