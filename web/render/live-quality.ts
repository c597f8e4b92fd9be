/**
 * Quality of the live picture. Costly effects are omitted if the device is too slow for them.
 * Owns: the level, which only falls until the settings change. Never: reads a clock, or affects screenshots.
 */

import { PRESET_NAMES } from '../../shared/documents/postprocess.ts';
import type { FramePost } from '../frames/frames.ts';

/** Time above which a picture is slow (ms). */
const SLOW_MS = 30;
/**
 * Number of pictures after which the level is decided. A few slow ones, as when materials compile, do not
 * matter.
 */
const WINDOW = 24;
/** Slow pictures among `WINDOW` from which the level falls. */
const MAX_SLOW = 16;

/** Minimum level of each costly effect. */
const LEVELS = {
	ssao_enabled: 1,
	light_shafts_enabled: 2,
	depth_of_field_enabled: 2,
	bounce_enabled: 3,
} as const;
/** Minimum level of several shadow cascades. */
const CASCADES_LEVEL = 2;

export class LiveQuality {
	readonly #highest: number;
	#level: number;
	#pictures = 0;
	#slow = 0;

	/** `isSoftware`: the CPU draws, so the highest level is medium. */
	constructor(isSoftware: boolean) {
		this.#highest = isSoftware ? 1 : PRESET_NAMES.length - 1;
		this.#level = this.#highest;
	}

	get level(): (typeof PRESET_NAMES)[number] {
		return PRESET_NAMES[this.#level]!;
	}

	/** Returns to the highest level, because the settings or the device changed. */
	restart(): void {
		this.#level = this.#highest;
		this.#pictures = this.#slow = 0;
	}

	/**
	 * Adds the time of a picture, from its start until the device had drawn it (ms). Returns true if the level
	 * fell.
	 */
	addPicture(ms: number): boolean {
		this.#pictures++;
		if (ms > SLOW_MS) this.#slow++;
		if (this.#pictures < WINDOW) return false;
		const isSlow = this.#slow >= MAX_SLOW;
		this.#pictures = this.#slow = 0;
		if (!isSlow || this.#level === 0) return false;
		this.#level--;
		return true;
	}

	/** Returns the settings of the world without the effects above the level. */
	limit(post: FramePost): FramePost {
		if (!post.enabled || this.#level === PRESET_NAMES.length - 1) return post;
		const disabled = Object.entries(LEVELS).filter(([, minLevel]) => minLevel > this.#level);
		return {
			...post,
			...Object.fromEntries(disabled.map(([name]) => [name, false])),
			...(this.#level < CASCADES_LEVEL ? { shadow_cascades: 1 } : {}),
		};
	}
}
