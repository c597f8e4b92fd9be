/**
 * Pictures of main and of the compared forks, with ghosts of main in the pictures of forks.
 * Owns: the contents of each picture. Never: takes two pictures of the same state.
 */

import type { PanelServices } from '../services.ts';
import { ask } from '../state/ask.ts';
import { MAIN, type WorldInfo, worldStyle } from '../worlds/fork-list.ts';
import type { WorldsState } from '../worlds/worlds-state.ts';
import type { Camera } from './camera.ts';
import { MadeValues } from './made-values.ts';

export const ASPECT = 16 / 9;

/** Colours of ghosts by the style of their fork, from the dark theme, in the format of the engine. */
const GHOST_COLORS = {
	main: 'gold',
	one: '0.37,0.74,0.65',
	two: '0.96,0.6,0.75',
	three: '0.95,0.76,0.36',
	more: 'silver',
} as const;

/** A finished picture. */
export interface Taken {
	readonly url: string;
	/** Camera of the picture. */
	readonly camera: Camera;
	readonly tick: number;
}

/** Subject of a picture. */
interface Shot {
	readonly world: WorldInfo;
	readonly main: WorldInfo | undefined;
	readonly camera: Camera;
	/** Width in pixels. */
	readonly width: number;
}

export class ForkPictures {
	readonly #pictures = new MadeValues<Taken>();
	readonly byWorld = this.#pictures.values;
	readonly #services: PanelServices;
	readonly #worlds: Pick<WorldsState, 'stampOf'>;

	constructor(services: PanelServices, worlds: Pick<WorldsState, 'stampOf'>) {
		this.#services = services;
		this.#worlds = worlds;
	}

	/** Takes the picture of a world, if its sources have changed. */
	async take(shot: Shot): Promise<void> {
		const { world, main, camera, width } = shot;
		const { stampOf } = this.#worlds;
		const { id, tick } = world;
		const compared = id === MAIN || main === undefined ? '' : stampOf(main);
		const sources = `${stampOf(world)} ${compared} ${width} ${JSON.stringify(camera)} ${worldStyle(world)}`;
		if (!this.#pictures.isNew(id, sources)) return;
		const url = await this.#draw(shot);
		// Without a picture its place stays empty; the stage says if the browser draws nothing.
		if (url !== null) this.#pictures.set(id, { url, camera, tick });
	}

	keepOnly(worlds: ReadonlySet<string>): void {
		this.#pictures.keepOnly(worlds);
	}

	async #draw({ world, main, camera, width }: Shot): Promise<string | null> {
		const { eye, target, up, fov_y, orthographic, ortho_size } = camera;
		const hasGhosts = world.id !== MAIN && world.digest !== main?.digest;
		const outcome = await ask(this.#services, 'POST', '/screenshot', {
			world: world.id,
			query: {
				width,
				height: Math.round(width / ASPECT),
				hud: 'false',
				format: 'webp',
				...(hasGhosts ? { ghosts: MAIN, ghost_color: GHOST_COLORS[worldStyle(world)] } : {}),
			},
			body: { cameras: [{ eye, target, up, fov_y, orthographic, ortho_size }] } as never,
			on: 'panels',
		});
		const picture = outcome.ok ? outcome.body.pictures?.[0] : undefined;
		return picture === undefined ? null : `data:${picture.type};base64,${picture.data}`;
	}
}
