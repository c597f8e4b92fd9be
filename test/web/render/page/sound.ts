/**
 * Sounds of a few sources, rendered without loudspeakers.
 * Owns: the page's `heard`: how loud each ear is, second by second. Never: has an engine.
 */

import { DEFAULT_MIXER, DEFAULT_SOUND } from '../../../../shared/media/sound.ts';
import { SoundPlayer } from '../../../../web/audio/player.ts';
import type { FrameEvent, FrameSound, FrameSounds } from '../../../../web/frames/frames.ts';

export interface Heard {
	/** Root mean square of each tenth of a second, left and right. */
	readonly left: readonly number[];
	readonly right: readonly number[];
	readonly voices: number;
	readonly faults: readonly string[];
}

export interface Scene {
	readonly tick?: number;
	readonly seconds: number;
	readonly sounds: readonly Partial<FrameSound>[];
	readonly events?: readonly FrameEvent[];
	readonly mixer?: FrameSounds['mixer'];
	readonly listener?: FrameSounds['listener'];
	/** Position of the camera, looking along -z unless `target` says otherwise. */
	readonly eye?: readonly [number, number, number];
	readonly target?: readonly [number, number, number];
	/** Bytes of files as base64, by hash. */
	readonly files: Readonly<Record<string, string>>;
}

declare global {
	interface Window {
		heard(scene: Scene): Promise<Heard>;
	}
}

const RATE = 24_000;

function levels(samples: Float32Array): number[] {
	const size = RATE / 10;
	return Array.from({ length: Math.floor(samples.length / size) }, (_, i) => {
		const part = samples.subarray(i * size, (i + 1) * size);
		return Math.sqrt(part.reduce((sum, sample) => sum + sample * sample, 0) / size);
	});
}

window.heard = async (scene) => {
	const context = new OfflineAudioContext(2, scene.seconds * RATE, RATE);
	const faults: string[] = [];
	const player = new SoundPlayer({
		context,
		readAsset: async (hash) => {
			const file = scene.files[hash];
			return file === undefined ? null : Uint8Array.from(atob(file), (char) => char.charCodeAt(0)).buffer;
		},
		onFault: (message) => faults.push(message),
	});
	const eye = scene.eye ?? [0, 0, 0];
	player.setCamera(eye, scene.target ?? [eye[0], eye[1], eye[2] - 1]);
	const sounds = scene.sounds.map(
		(sound, i): FrameSound => ({
			...DEFAULT_SOUND,
			of: `${i}:0`,
			clip: 'tone',
			position: null,
			started: 0,
			ticks: null,
			...sound,
		}),
	);
	player.update({
		world: 'main',
		tick: scene.tick ?? 0,
		sounds: { sounds, mixer: scene.mixer ?? DEFAULT_MIXER, listener: scene.listener ?? null },
		events: scene.events ?? [],
	});
	await player.whenLoaded();
	const { voices } = player;
	const rendered = await context.startRendering();
	return {
		left: levels(rendered.getChannelData(0)),
		right: levels(rendered.getChannelData(1)),
		voices,
		faults,
	};
};
