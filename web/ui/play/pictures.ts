/**
 * Pictures for the plates of a game: the ground from above for the map, and portraits of units.
 * Owns: the cameras, and taking each picture once. Without a picture, the plates show an icon.
 */

import { computed, effect, type ReadonlySignal, signal, untracked } from '@preact/signals';
import type { Entity } from '../entities/entity.ts';
import type { PanelServices } from '../services.ts';
import { ask } from '../state/ask.ts';
import type { GameState } from './game-state.ts';
import type { MapFrame } from './map-points.ts';

/** The ground from above, and its part of the world. */
export interface MapPicture {
	readonly frame: MapFrame;
	readonly src: string;
}

export interface PlayPictures {
	readonly map: ReadonlySignal<MapPicture | null>;
	/** Returns the address of a unit's portrait; null without one. */
	portrait(unit: Entity): string | null;
	stop(): void;
}

interface Camera {
	readonly eye: [number, number, number];
	readonly target: [number, number, number];
	readonly up: [number, number, number];
	readonly orthographic: true;
	readonly ortho_size: number;
	readonly near: number;
	readonly far: number;
}

const MAP_PIXELS = 640;
/** Ratio of the picture's size to that of the map, so that moving units rarely need a new picture. */
const WIDER = 1.5;
const PORTRAIT_PIXELS = 144;
/** Height of the map's camera, and visible depth below the ground (m). At this height, plants are visible. */
const SKY = 70;
/** Height of a figure of scale 1 (m). */
const FIGURE = 1.45;
/** Half the height of a portrait, and its middle above the feet, as shares of the unit's height. A bust is head and shoulders. */
const BUST = { half: 0.36, middle: 0.74 };
const WHOLE = { half: 0.62, middle: 0.5 };
/** A slower unit counts as standing (m/s). */
const STANDING = 0.05;
/** A faster unit would leave its portrait before it is taken (m/s). */
const FAST = 5;

/** Returns the camera of the map: straight down, with -z at the top. */
export function mapCamera({ x, z, reach }: MapFrame): Camera {
	return {
		eye: [x, SKY, z],
		target: [x, 0, z],
		up: [0, 0, -1],
		orthographic: true,
		ortho_size: reach,
		near: 1,
		far: 2 * SKY,
	};
}

const isFast = ({ velocity }: Entity): boolean => Math.hypot(...(velocity?.linear ?? [0])) > FAST;

/** Returns the direction on the ground that a unit faces: its motion, else its march, else its rotation. */
function facing({ transform, stance, velocity, march }: Entity): readonly [x: number, z: number] {
	const { looks } = (stance ?? {}) as { readonly looks?: string };
	const { direction } = (march ?? {}) as { readonly direction?: readonly number[] };
	for (const [x = 0, , z = 0] of looks === 'heading' ? [velocity?.linear ?? [], direction ?? []] : [])
		if (Math.hypot(x, z) > STANDING) return unit(x, z);
	const [x, y, z, w] = transform!.rotation;
	return unit(-2 * (x * z + w * y), -1 + 2 * (x * x + y * y));
}

function unit(x: number, z: number): readonly [x: number, z: number] {
	const length = Math.hypot(x, z) || 1;
	return [x / length, z / length];
}

/** Returns the camera of a portrait: in front of the unit, slightly beside and above it. */
export function portraitCamera(entity: Entity): Camera {
	const { transform, stance, collider, role, health } = entity;
	const { position, scale } = transform!;
	const { offset = [0, 0, 0] } = (stance ?? {}) as { readonly offset?: readonly number[] };
	const isFigure = role !== undefined || health !== undefined;
	const height = isFigure
		? FIGURE * scale[1]
		: 2 * ((collider as { readonly radius?: number } | undefined)?.radius ?? 0.5);
	const feet = position[1] + (isFigure ? offset[1]! : -height / 2);
	const { half, middle } = isFigure ? BUST : WHOLE;
	const face = feet + middle * height;
	const [fx, fz] = facing(entity);
	const [sx, sz] = unit(fx + 0.4 * fz, fz - 0.4 * fx);
	const distance = 2 * height;
	return {
		eye: [position[0] + sx * distance, face + 0.2 * distance, position[2] + sz * distance],
		target: [position[0], face, position[2]],
		up: [0, 1, 0],
		orthographic: true,
		ortho_size: half * height,
		// Excludes entities in front of the unit and behind it.
		near: distance - height,
		far: distance + 2 * height,
	};
}

export function createPlayPictures(
	services: Pick<PanelServices, 'call' | 'shows' | 'picture'>,
	game: Pick<GameState, 'map' | 'tick' | 'byId'>,
	world: () => string,
): PlayPictures {
	const map = signal<MapPicture | null>(null);
	const portraits = signal<ReadonlyMap<string, string | null>>(new Map());
	/** The last requested picture. Each waits for the previous one. */
	let before: Promise<unknown> = Promise.resolve();
	let stopped = false;

	/** `cameraNow`: asked when the picture's turn comes, because a unit may have walked on meanwhile. */
	const take = (pixels: number, cameraNow: () => Camera): Promise<string | null> => {
		const from = world();
		const taken = before.then(async () => {
			if (stopped || from !== world()) return null;
			const answer = await ask(services, 'POST', '/screenshot', {
				world: from,
				on: 'panels',
				query: { width: pixels, height: pixels, format: 'webp', hud: 'false' },
				body: { cameras: [cameraNow()] },
			});
			const [picture] = (answer.ok && answer.body.pictures) || [];
			return picture === undefined ? null : `data:${picture.type};base64,${picture.data}`;
		});
		before = taken;
		return taken;
	};

	const hasBegun = computed(() => game.tick.value > 0);
	/** Returns the world and the line in the picture, if it shows the played world; otherwise null. */
	const portrait = (): string | null => {
		const shows = services.shows.value;
		// Before the first tick, entities have no places in the world.
		const isSeen = shows?.world === world() && services.picture.value.kind === 'drawing' && hasBegun.value;
		return isSeen ? `${shows.world} ${shows.line}` : null;
	};
	/** The last requested picture of the map. */
	let asked: { readonly line: string; readonly frame: MapFrame } | null = null;
	const covers = (outer: MapFrame, inner: MapFrame): boolean =>
		Math.hypot(outer.x - inner.x, outer.z - inner.z) + inner.reach <= outer.reach;

	const stop = effect(() => {
		const line = portrait();
		const frame = game.map.value;
		if (asked !== null && asked.line !== line) {
			asked = null;
			map.value = null;
			untracked(() => {
				portraits.value = new Map();
			});
		}
		if (line === null || frame === null || (asked !== null && covers(asked.frame, frame))) return;
		const now = { line, frame: { ...frame, reach: WIDER * frame.reach } };
		asked = now;
		void take(MAP_PIXELS, () => mapCamera(now.frame)).then((src) => {
			if (asked?.line === now.line && src !== null) map.value = { frame: now.frame, src };
		});
	});

	return {
		map,
		portrait(unit) {
			const line = portrait();
			if (line === null || unit.mesh === undefined || unit.transform === undefined) return null;
			const key = `${line} ${unit.id}.${unit.generation} ${unit.mesh}`;
			const cached = portraits.value.get(key);
			if (cached !== undefined || unit.dead === true || isFast(unit)) return cached ?? null;
			queueMicrotask(() => {
				if (portraits.peek().has(key)) return;
				portraits.value = new Map([...portraits.peek(), [key, null]]);
				void take(PORTRAIT_PIXELS, () => portraitCamera(game.byId.peek().get(unit.id) ?? unit)).then(
					(src) => {
						if (src !== null) portraits.value = new Map([...portraits.peek(), [key, src]]);
					},
				);
			});
			return null;
		},
		stop() {
			stopped = true;
			stop();
		},
	};
}
