/**
 * Opening and playing the scenes of the program.
 * Owns: the current scene of main, and the start of its time. The build lists the scenes.
 */

import { computed, effect, signal } from '@preact/signals';
import { reasonOf } from '../../../shared/contract/reason.ts';
import { type Entity, readEntities } from '../entities/entity.ts';
import { playedHere, takeOver } from '../play/played.ts';
import { candidates, isPlayed } from '../play/units.ts';
import type { PanelServices } from '../services.ts';
import { ask } from '../state/ask.ts';
import type { Navigation } from '../state/navigation.ts';
import { MAIN, type WorldInfo } from '../worlds/fork-list.ts';
import { titleIn } from '../worlds/world-title.ts';
import type { WorldsState } from '../worlds/worlds-state.ts';
import { isOnlyPlayed, lastOpening, noteOpening, type SceneOpening } from './only-played.ts';
import { makeBeside, type Requests, replaceMain, scenarioName, scenarioRequest } from './replace-main.ts';

/** Options of replacing main. */
interface Filling {
	readonly view: 'make' | 'play';
	/** True if the old main is kept as a fork, unless it is empty or a game that has only begun. */
	readonly keep: boolean;
	/** Name of the new scene of main, or null. */
	readonly scene: string | null;
}

/** A game that was only played is kept from this tick on. Before it, there is nothing to go back to. */
const KEPT_FROM_TICK = 600;

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

	/** Opens a scene in main, and shows it in Make. If the old main is kept as a fork, a notice offers the way back. */
	open(name: string): Promise<void> {
		return this.#show(name, 'make', true);
	}

	/** Opens the world of some calls in main, such as a new one or one from a file. Shows a rejection of `read`. */
	fill(name: string, read: () => Promise<Requests>): Promise<void> {
		return this.#fill(name, read, { view: 'make', keep: true, scene: null });
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

	/**
	 * Shows a world where it was left: in Make at tick 0, otherwise in Play, where it runs once it is visible. A match that is
	 * over stays paused, and so does a world whose unit another page plays.
	 */
	async resume({ id, tick }: Pick<WorldInfo, 'id' | 'tick'>, isOver: boolean): Promise<void> {
		this.#services.openPicture();
		this.#worlds.select(id);
		this.#navigation.go(tick > 0 ? 'play' : 'make');
		if (tick === 0 || isOver) return;
		await this.#untilVisible(() => this.#services.shows.value?.world === id);
		const isLeft = this.#navigation.view.value !== 'play' || this.#worlds.selected.value !== id;
		if (!isLeft && (await this.#isFree(id))) await this.#run(id);
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
			if (replaced.kept !== null)
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
		this.#navigation.tell(`"${title}" is open.`, soft, {
			label: `Back to ${other}`,
			take: () => void this.#goBack(id, before),
		});
	}

	/** Shows the world `before` instead of `id`, which waits while it is not shown. */
	async #goBack(id: string, before: string): Promise<void> {
		const isPlaying = this.#worlds.infoOf(id)?.playing === true;
		this.#worlds.select(before);
		if (isPlaying) await this.#worlds.time.pauseAll([id]);
	}

	/** Returns the title of a world, else its id. */
	async #titleOf(world: string): Promise<string> {
		const status = await ask(this.#services, 'GET', '/', { world, on: 'panels' });
		return (status.ok && titleIn(status.body.world_name)) || world;
	}

	/** Returns null if it was refused. */
	async #replaceMain(requests: Requests, title: string, keep: boolean) {
		const opening = this.#openedBy;
		const isKept = async (tick: number) =>
			keep && (tick >= KEPT_FROM_TICK || opening === null || !(await isOnlyPlayed(this.#services, opening)));
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
		await this.#untilVisible(() => this.arriving.value === null);
		if (this.#navigation.view.value === 'play') await this.#run(MAIN);
	}

	async #run(world: string): Promise<void> {
		const playing = await ask(this.#services, 'POST', '/play', { world });
		if (!playing.ok) this.#navigation.refuse('Play', playing.refusal);
		else if (world !== MAIN) this.#worlds.refresh();
	}

	/** Returns true if this page plays a unit of the world, or if no page does. */
	async #isFree(world: string): Promise<boolean> {
		const entities = await this.#readEntities(world);
		return !entities.some(isPlayed) || playedHere(world, entities) !== null;
	}

	async #readEntities(world: string): Promise<readonly Entity[]> {
		const outcome = await ask(this.#services, 'POST', '/observe', { world, on: 'panels' });
		return outcome.ok ? (readEntities(outcome.body) ?? []) : [];
	}

	/** Takes over the first hero, so that this page plays it. */
	async #takeFirst(): Promise<void> {
		const [hero] = candidates(await this.#readEntities(MAIN));
		const refusal = hero === undefined ? null : await takeOver(this.#services, MAIN, hero);
		if (refusal !== null) this.#navigation.refuse('Play', refusal);
	}

	/** Resolves when the world is visible, when nothing can be drawn, or when the person has left the view. */
	#untilVisible(isVisible: () => boolean): Promise<void> {
		return new Promise((resolve) => {
			const stop = effect(() => {
				const isSeen = isVisible() || this.#services.picture.value.kind === 'none';
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
