/**
 * Main and up to three forks side by side, with pictures from one camera and the differences of each fork from main.
 * Owns: the shown worlds, the times of reading and drawing them, and stepping them together.
 * Never: reads or draws while the view is closed.
 */

import { computed, effect, signal, untracked } from '@preact/signals';
import { type PanelServices, showsWorld } from '../services.ts';
import { ask } from '../state/ask.ts';
import type { Navigation } from '../state/navigation.ts';
import { paced } from '../state/paced.ts';
import { MAIN, readForks, type WorldInfo } from '../worlds/fork-list.ts';
import type { WorldsState } from '../worlds/worlds-state.ts';
import { ForkDifferences } from './fork-differences.ts';
import { ForkPictures } from './fork-pictures.ts';
import { SharedCamera } from './shared-camera.ts';

/** Maximum number of forks beside main. */
const MAX_FORKS = 3;
/** Minimum pause between two readings (ms), and the pause as a multiple of the last reading's duration. */
const REST_MS = 100;
const REST_FACTOR = 0.5;
/** Maximum number of ticks in one call. */
const MAX_TICKS = 10_000;

export class Compare {
	readonly mode = signal<'split' | 'list'>('split');
	/** True if a step applies to all shown worlds. */
	readonly isTogether = signal(true);
	/** The difference under the pointer: fork and key. */
	readonly pointed = signal<string | null>(null);
	/** Main and the forks beside it, main first. */
	readonly shown = computed(() => this.#shownWorlds());
	readonly camera: SharedCamera;
	readonly pictures: ForkPictures;
	readonly differences: ForkDifferences;
	readonly #services: PanelServices;
	readonly #worlds: WorldsState;
	/** Chosen forks, the latest first. */
	readonly #chosenForks = signal<readonly string[]>([]);
	/** Omitted forks. */
	readonly #omittedForks = signal<ReadonlySet<string>>(new Set());
	readonly #isOpen = computed(
		() =>
			this.#navigation.view.value === 'forks' &&
			this.mode.value === 'split' &&
			showsWorld(this.#services.holding.value),
	);
	readonly #navigation: Navigation;
	readonly #reader = paced({ minRest: REST_MS, factor: REST_FACTOR }, () => this.#read());
	readonly #endings: readonly (() => void)[];

	constructor(services: PanelServices, navigation: Navigation, worlds: WorldsState) {
		this.#services = services;
		this.#navigation = navigation;
		this.#worlds = worlds;
		this.pictures = new ForkPictures(services, worlds);
		this.differences = new ForkDifferences(services, worlds);
		this.camera = new SharedCamera(services, () => this.pictures.byWorld.value.get(MAIN)?.camera);
		this.#endings = [
			effect(() => this.#readWhenChanged()),
			// Adds a selected fork to the comparison.
			effect(() => {
				const id = worlds.selected.value;
				if (id !== MAIN) untracked(() => this.take(id));
			}),
		];
	}

	/** Adds a fork to the comparison. */
	take(id: string): void {
		this.#chosenForks.value = [id, ...this.#chosenForks.value.filter((candidate) => candidate !== id)].slice(
			0,
			MAX_FORKS,
		);
		if (this.#omittedForks.value.has(id))
			this.#omittedForks.value = new Set(
				[...this.#omittedForks.value].filter((candidate) => candidate !== id),
			);
	}

	/** Removes a fork from the comparison. */
	leaveOut(id: string): void {
		this.#omittedForks.value = new Set([...this.#omittedForks.value, id]);
		this.#chosenForks.value = this.#chosenForks.value.filter((candidate) => candidate !== id);
	}

	/** Steps all shown worlds, or only the selected one. */
	async step(ticks: number): Promise<void> {
		const all = this.shown.value;
		if (!this.#isOpen.value || !this.isTogether.value || all.length < 2) return this.#worlds.time.step(ticks);
		await this.#worlds.time.stepAll(all.map(({ id }) => ({ id, ticks })));
	}

	/** Pauses the worlds that run, and steps those that are behind up to the tick of the furthest. */
	async toSameTick(): Promise<void> {
		const running = this.shown.value.filter(({ playing }) => playing).map(({ id }) => id);
		if (running.length > 0 && !(await this.#worlds.time.pauseAll(running))) return;
		// The ticks that the page knows may be a step behind.
		const shown = await this.#readShown();
		const last = Math.max(...shown.map(({ tick }) => tick));
		const behind = shown.filter(({ tick }) => tick < last);
		await this.#worlds.time.stepAll(
			behind.map(({ id, tick }) => ({ id, ticks: Math.min(MAX_TICKS, last - tick) })),
		);
	}

	stop(): void {
		for (const end of this.#endings) end();
		this.#reader.stop();
	}

	/** Returns the worlds that are shown with their ticks as they are now: the panels' own copies may be older. */
	async #readShown(): Promise<readonly Pick<WorldInfo, 'id' | 'tick'>[]> {
		const [main, listed] = await Promise.all([
			ask(this.#services, 'GET', '/', { on: 'panels' }),
			ask(this.#services, 'GET', '/fork/list', { on: 'panels' }),
		]);
		if (!main.ok || !listed.ok) return [];
		const now = [{ id: MAIN, tick: main.body.tick }, ...readForks(listed.body)];
		const shown = new Set(this.shown.value.map(({ id }) => id));
		return now.filter(({ id }) => shown.has(id));
	}

	#shownWorlds(): readonly WorldInfo[] {
		const main = this.#worlds.main.value;
		if (main === null) return [];
		const forks = this.#worlds.forks.value;
		const chosen = this.#chosenForks.value;
		const rank = ({ id }: WorldInfo): number => {
			const at = chosen.indexOf(id);
			return at < 0 ? chosen.length : at;
		};
		const listedForks = forks
			.filter(({ id }) => !this.#omittedForks.value.has(id))
			.sort((a, b) => rank(a) - rank(b))
			.slice(0, MAX_FORKS);
		return [main, ...forks.filter((fork) => listedForks.includes(fork))];
	}

	#readWhenChanged(): void {
		const stamps = this.shown.value.map((world) => `${world.id} ${this.#worlds.stampOf(world)}`).join();
		const { own, width } = this.camera;
		const { picture } = this.#services;
		const seen = [stamps, own.value, width.value, picture.value.kind, this.#worlds.changes.value];
		if (this.#isOpen.value && seen.length > 0) untracked(() => this.#reader.ask());
	}

	async #read(): Promise<void> {
		if (!this.#isOpen.peek()) return;
		await this.differences.read(this.shown.peek());
		await this.#takePictures();
		const ids = new Set(this.shown.peek().map(({ id }) => id));
		this.pictures.keepOnly(ids);
		this.differences.keepOnly(ids);
	}

	async #takePictures(): Promise<void> {
		const width = this.camera.width.peek();
		if (width === 0 || this.#services.picture.peek().kind === 'none') return;
		const camera = await this.camera.now();
		if (camera === null) return;
		const shownWorlds = this.shown.peek();
		for (const world of shownWorlds)
			if (this.#isOpen.peek()) await this.pictures.take({ world, main: shownWorlds[0], camera, width });
	}
}
