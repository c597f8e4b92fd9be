/**
 * Opening and playing the scenes of the program.
 * Owns: the current scene of main, and the start of its time. The build lists the scenes.
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

/** Options of replacing main. */
interface Filling {
	readonly view: 'make' | 'play';
	/** True if the old main is kept as a fork, unless it is empty or a game that was only played. */
	readonly keep: boolean;
	/** Name of the new scene of main, or null. */
	readonly scene: string | null;
	/** True if a notice names the world, and offers the way back. */
	readonly isTold?: boolean;
}

export class Scenes {
	/** Name of the scene that is being opened, or null. */
	readonly opening = signal<string | null>(null);
	/** Name of the scene that this page opened in main, or null. */
	readonly opened = signal<string | null>(null);
	/** Title of a world that replaces main, until the picture shows it; null otherwise. */
	readonly arriving = signal<string | null>(null);
	/** Title in the name of main; null without a name. */
	readonly title = computed(() => titleIn(this.#services.status.value?.world_name));
	readonly #services: PanelServices;
	readonly #navigation: Navigation;
	readonly #worlds: WorldsState;
	readonly #fetchScene: (name: string) => Promise<unknown>;
	#endArrival = (): void => {};
	/** The call that opened a scene in main; null without one. */
	#openedBy: SceneOpening | null;

	/** `fetchScene` resolves to the document of a scene, or rejects without one. */
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

	/** Opens a scene in main, and shows it in Make. The old main is kept as a fork, unless it is empty or was only played. */
	open(name: string): Promise<void> {
		return this.#show(name, 'make', true);
	}

	/** Opens the world of some calls in main, such as a new one or one from a file. Shows a rejection of `read`. */
	fill(name: string, read: () => Promise<Requests>): Promise<void> {
		return this.#fill(name, read, { view: 'make', keep: true, scene: null });
	}

	/** The same with the world of a file. A notice names it. */
	openFile(name: string, read: () => Promise<Requests>): Promise<void> {
		return this.#fill(name, read, { view: 'make', keep: true, scene: null, isTold: true });
	}

	/**
	 * Opens the world of some calls in a fork, or in an empty main, and shows it. `title` is used if the calls do not name the
	 * world.
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

	/** Opens a scene in main, and plays it from its first tick with its first hero, if it has one. */
	play(name: string): Promise<void> {
		return this.#show(name, 'play', true);
	}

	/** Plays a scene again in main, without keeping the old main. */
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

	/** Runs `work`, and shows its rejection. */
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

	/** Shows main. A game starts to play when it is visible. */
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

	/** Takes over the first hero, so that this page plays it. */
	async #takeFirst(): Promise<void> {
		const outcome = await ask(this.#services, 'POST', '/observe', { on: 'panels' });
		const [hero] = candidates(outcome.ok ? (readEntities(outcome.body) ?? []) : []);
		const refusal = hero === undefined ? null : await takeOver(this.#services, MAIN, hero);
		if (refusal !== null) this.#navigation.refuse('Play', refusal);
	}

	/** Resolves when the world is visible, when nothing can be drawn, or when the person has left the view. */
	#arrived(): Promise<void> {
		return new Promise((resolve) => {
			const stop = effect(() => {
				const isSeen = this.arriving.value === null || this.#services.picture.value.kind === 'none';
				// An effect cannot end itself during its first run.
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
