/**
 * Draws a stage, directly or with post-processing. The settings of its world decide.
 * Owns: loading the post-processing when a world first enables it, and freeing its targets when it is disabled.
 */

import type { OrthographicCamera, PerspectiveCamera, WebGPURenderer } from 'three/webgpu';
import type { FramePost } from '../../frames/frames.ts';
import type { GpuResources } from '../gpu-resources.ts';
import type { Stage } from '../stage.ts';
import type { Chain, Surface } from './chain.ts';

export class Post {
	readonly #renderer: WebGPURenderer;
	readonly #resources: GpuResources;
	#loading: Promise<void> | null = null;
	#chain: Chain | null = null;
	#isDisposed = false;

	constructor(renderer: WebGPURenderer, resources: GpuResources) {
		this.#renderer = renderer;
		this.#resources = resources;
	}

	/** Returns true if `draw` can use these settings. Otherwise call `load` first. */
	has({ enabled }: FramePost): boolean {
		return !enabled || this.#chain !== null;
	}

	/** Settles when the code of post-processing is loaded. */
	load(): Promise<void> {
		this.#loading ??= import('./chain.ts').then(({ Chain }) => {
			const { air, quality } = this.#resources;
			if (!this.#isDisposed) this.#chain = new Chain(this.#renderer, air, quality);
		});
		return this.#loading;
	}

	/** Draws a prepared stage, without post-processing while its code is not loaded. */
	draw(
		stage: Stage,
		lens: PerspectiveCamera | OrthographicCamera,
		settings: FramePost,
		surface: Surface,
	): void {
		if (settings.enabled && this.#chain !== null) {
			this.#chain.draw(stage, lens, settings, surface);
			return;
		}
		if (!settings.enabled) this.#chain?.dispose();
		stage.separateSigns(false);
		this.#renderer.setRenderTarget(surface.target);
		this.#renderer.render(stage.scene, lens);
		this.#renderer.setRenderTarget(null);
	}

	dispose(): void {
		this.#isDisposed = true;
		this.#chain?.dispose();
		this.#chain = null;
	}
}
