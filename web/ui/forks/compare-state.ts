/**
 * Main and up to three forks side by side: their pictures from one camera, and how each fork differs from main.
 * Owns: which worlds are shown, when they are read and drawn, and stepping them together.
 * Never: reads or draws anything while the view is not open, or for a state that it has.
 */

import { computed, effect, type ReadonlySignal, type Signal, signal, untracked } from '@preact/signals';
import type { Vector } from '../entities/entity.ts';
import { type PanelServices, showsWorld } from '../services.ts';
import { ask } from '../state/ask.ts';
import type { Navigation } from '../state/navigation.ts';
import { paced } from '../state/paced.ts';
import { MAIN, type WorldInfo, worldStyle } from '../worlds/fork-list.ts';
import type { Worlds } from '../worlds/worlds-state.ts';
import { type Camera, lookingAt, turned, zoomed } from './camera.ts';
import { type Differences, differencesOf, KNOWN_FIELDS, readKnown } from './differences.ts';

/** Forks beside main. */
export const MAX_FORKS = 3;
/** Milliseconds of rest between two readings, and how many times as long as the last one took. */
const REST_MS = 100;
const REST_FACTOR = 0.5;
/** Entries of each list of a difference; more are counted. */
const MAX_ENTRIES = 300;
/** Ticks of one call. */
const MAX_TICKS = 10_000;
/** Widths of pictures: multiples of this, so that a resize does not draw each pixel. */
const WIDTH_STEP = 80;
const MAX_WIDTH = 960;
export const ASPECT = 16 / 9;

/** Colours of ghosts by the style of their fork, as the engine writes them: those of the dark theme. */
const GHOST_COLORS = {
	main: 'gold',
	one: '0.37,0.74,0.65',
	two: '0.96,0.6,0.75',
	three: '0.95,0.76,0.36',
	more: 'silver',
} as const;

/** A picture that was taken. */
export interface Taken {
	readonly url: string;
	/** Camera that it was taken from. */
	readonly camera: Camera;
	readonly tick: number;
}

export interface Compare {
	readonly mode: Signal<'split' | 'list'>;
	/** Main and the forks beside it, main first. */
	readonly shown: ReadonlySignal<readonly WorldInfo[]>;
	/** Steps make the ticks of all worlds that are shown, not only of the selected one. */
	readonly isTogether: Signal<boolean>;
	/** Pictures by world. */
	readonly pictures: ReadonlySignal<ReadonlyMap<string, Taken>>;
	/** By fork, against main. */
	readonly differences: ReadonlySignal<ReadonlyMap<string, Differences>>;
	/** The difference that a person points at: fork and key. */
	readonly pointed: Signal<string | null>;
	/** True if a person has turned the camera. */
	readonly isTurned: ReadonlySignal<boolean>;
	/** Takes a fork into the comparison, or out of it. */
	take(id: string): void;
	leaveOut(id: string): void;
	/** Steps the worlds that are shown, if together, or the selected one. */
	step(ticks: number): Promise<void>;
	/** Steps the worlds that are behind up to the tick of the furthest. */
	toSameTick(): Promise<void>;
	/** Turns the camera for a drag by shares of a picture's height. */
	turn(right: number, down: number): void;
	zoom(factor: number): void;
	/** Looks at a place of the world from near by. */
	lookAt(place: Vector): void;
	/** Looks as the camera of main does. */
	lookAsMain(): void;
	/** Device pixels of a picture's width. */
	resize(width: number): void;
	stop(): void;
}

export function createCompare(services: PanelServices, navigation: Navigation, worlds: Worlds): Compare {
	const mode = signal<'split' | 'list'>('split');
	const isTogether = signal(true);
	/** Forks that were chosen, the latest first, and those that are left out. */
	const chosen = signal<readonly string[]>([]);
	const left = signal<ReadonlySet<string>>(new Set());
	const pictures = signal<ReadonlyMap<string, Taken>>(new Map());
	const differences = signal<ReadonlyMap<string, Differences>>(new Map());
	const pointed = signal<string | null>(null);
	/** Camera of the person; null: main's. */
	const own = signal<Camera | null>(null);
	const width = signal(0);

	const shown = computed((): readonly WorldInfo[] => {
		const main = worlds.main.value;
		if (main === null) return [];
		const forks = worlds.forks.value;
		const rank = ({ id }: WorldInfo): number => {
			const at = chosen.value.indexOf(id);
			return at < 0 ? chosen.value.length : at;
		};
		const kept = forks
			.filter(({ id }) => !left.value.has(id))
			.sort((a, b) => rank(a) - rank(b))
			.slice(0, MAX_FORKS);
		return [main, ...forks.filter((fork) => kept.includes(fork))];
	});
	const isOpen = computed(
		() => navigation.view.value === 'forks' && mode.value === 'split' && showsWorld(services.holding.value),
	);

	/** Sources of each picture and difference, so that none is made twice. */
	const made = new Map<string, string>();
	const isNew = (name: string, of: string): boolean => {
		if (made.get(name) === of) return false;
		made.set(name, of);
		return true;
	};

	async function readDifferences(): Promise<void> {
		const [main, ...forks] = shown.peek();
		if (main === undefined) return;
		const stale = forks.filter(({ id, digest }) => isNew(`diff ${id}`, `${digest} ${main.digest}`));
		if (stale.length === 0) return;
		const known = async (world: string) => {
			const read = await ask(services, 'POST', '/observe', {
				world,
				body: { fields: [...KNOWN_FIELDS] },
				on: 'panels',
			});
			return read.ok ? readKnown(read.body.columns ?? [], read.body.rows ?? []) : null;
		};
		const base = await known(MAIN);
		for (const { id, digest } of stale) {
			if (digest === main.digest) {
				setIn(differences, id, { rows: [], others: 0 });
				continue;
			}
			const there = await known(id);
			const query = { against: MAIN, limit: MAX_ENTRIES };
			const diff = await ask(services, 'GET', '/fork/{id}/diff', { params: { id }, query, on: 'panels' });
			// A fork that is gone is in the list no longer.
			if (!diff.ok || base === null || there === null) made.delete(`diff ${id}`);
			else
				setIn(
					differences,
					id,
					differencesOf(diff.body, { main: base.entities, fork: there.entities, team: base.team }),
				);
		}
	}

	async function cameraNow(): Promise<Camera | null> {
		if (own.peek() !== null) return own.peek();
		const read = await ask(services, 'GET', '/camera', { on: 'panels' });
		return read.ok ? (read.body as unknown as Camera) : null;
	}

	async function takePictures(): Promise<void> {
		const pixels = width.peek();
		if (pixels === 0 || services.picture.peek().kind === 'none') return;
		const camera = await cameraNow();
		if (camera === null) return;
		const main = shown.peek()[0];
		for (const world of shown.peek()) {
			const { id, digest, tick } = world;
			const isFork = id !== MAIN;
			const of = `${digest} ${isFork ? main?.digest : ''} ${pixels} ${JSON.stringify(camera)} ${worldStyle(world)}`;
			if (!isOpen.peek() || !isNew(`picture ${id}`, of)) continue;
			const { eye, target, up, fov_y, orthographic, ortho_size } = camera;
			const taken = await ask(services, 'POST', '/screenshot', {
				world: id,
				query: {
					width: pixels,
					height: Math.round(pixels / ASPECT),
					hud: 'false',
					format: 'webp',
					...(isFork && digest !== main?.digest
						? { ghosts: MAIN, ghost_color: GHOST_COLORS[worldStyle(world)] }
						: {}),
				},
				body: { cameras: [{ eye, target, up, fov_y, orthographic, ortho_size }] } as never,
				on: 'panels',
			});
			const picture = taken.ok ? taken.body.pictures?.[0] : undefined;
			// Without a picture its place stays empty; the stage says if the browser draws nothing.
			if (picture !== undefined)
				setIn(pictures, id, { url: `data:${picture.type};base64,${picture.data}`, camera, tick });
		}
	}

	const reader = paced({ least: REST_MS, factor: REST_FACTOR }, async () => {
		if (!isOpen.peek()) return;
		await readDifferences();
		await takePictures();
		forgetGone();
	});

	/** Forgets the worlds that are not shown any longer. */
	function forgetGone(): void {
		const ids = new Set(shown.peek().map(({ id }) => id));
		keepOnly(pictures, ids);
		keepOnly(differences, ids);
		for (const name of made.keys()) if (!ids.has(name.split(' ')[1]!)) made.delete(name);
	}

	const endings = [
		effect(() => {
			const stamps = shown.value.map(({ id, digest }) => `${id} ${digest}`).join();
			const seen = [stamps, own.value, width.value, services.picture.value.kind, worlds.changes.value];
			if (isOpen.value && seen.length > 0) untracked(() => reader.ask());
		}),
		// A fork that a person selects is compared.
		effect(() => {
			const id = worlds.selected.value;
			if (id !== MAIN) untracked(() => take(id));
		}),
	];

	function take(id: string): void {
		chosen.value = [id, ...chosen.value.filter((one) => one !== id)].slice(0, MAX_FORKS);
		if (left.value.has(id)) left.value = new Set([...left.value].filter((one) => one !== id));
	}

	const turnBy = (change: (camera: Camera) => Camera): void => {
		const now = own.value ?? pictures.value.get(MAIN)?.camera;
		if (now !== undefined) own.value = change(now);
	};

	return {
		mode,
		shown,
		isTogether,
		pictures,
		differences,
		pointed,
		isTurned: computed(() => own.value !== null),
		take,
		leaveOut(id) {
			left.value = new Set([...left.value, id]);
			chosen.value = chosen.value.filter((one) => one !== id);
		},
		async step(ticks) {
			const all = shown.value;
			if (!isOpen.value || !isTogether.value || all.length < 2) return worlds.step(ticks);
			await worlds.stepAll(all.map(({ id }) => ({ id, ticks })));
		},
		async toSameTick() {
			const last = Math.max(...shown.value.map(({ tick }) => tick));
			const behind = shown.value.filter(({ tick }) => tick < last);
			await worlds.stepAll(behind.map(({ id, tick }) => ({ id, ticks: Math.min(MAX_TICKS, last - tick) })));
		},
		turn: (right, down) => turnBy((camera) => turned(camera, right, down)),
		zoom: (factor) => turnBy((camera) => zoomed(camera, factor)),
		lookAt: (place) => turnBy((camera) => lookingAt(camera, place)),
		lookAsMain() {
			own.value = null;
		},
		resize(pixels) {
			width.value = Math.min(MAX_WIDTH, Math.ceil(pixels / WIDTH_STEP) * WIDTH_STEP);
		},
		stop() {
			for (const end of endings) end();
			reader.stop();
		},
	};
}

function setIn<V>(map: Signal<ReadonlyMap<string, V>>, key: string, value: V): void {
	map.value = new Map([...map.value, [key, value]]);
}

function keepOnly<V>(map: Signal<ReadonlyMap<string, V>>, ids: ReadonlySet<string>): void {
	const kept = [...map.peek()].filter(([id]) => ids.has(id));
	if (kept.length < map.peek().size) map.value = new Map(kept);
}
