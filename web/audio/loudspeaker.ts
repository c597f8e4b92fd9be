/**
 * The page's sound. Browsers permit sound only after a gesture of the person.
 * Owns: the audio context, its unlocking, and the loading of the player at the first sound.
 */

import type { Vector } from '../../shared/contract/vector.ts';
import type { FrameSounds } from '../frames/frames.ts';
import type { SoundNews, SoundPlayer } from './player.ts';

/** `nothing`: no sound was played yet. `locked`: there is sound, but a person must click first. */
export type SoundState = 'nothing' | 'locked' | 'on';

export interface LoudspeakerOptions {
	/** Returns the bytes of an asset; null if it does not exist. */
	readonly readAsset: (hash: string) => Promise<ArrayBuffer | null>;
	/** Called with each new state of the page's sound. */
	readonly onState: (hearing: SoundState) => void;
	/** Called with a message for the person about sound that cannot be played. */
	readonly onFault: (message: string) => void;
}

export interface Loudspeaker {
	/** Updates the sounds to play. */
	update(news: SoundNews): void;
	/** Sets the position and the target of the camera, which is the listener if no entity is. */
	setCamera(eye: Vector, target: Vector): void;
	/** Mutes or unmutes this page. */
	mute(mustMute: boolean): void;
}

const GESTURES = ['pointerdown', 'keydown', 'touchend'] as const;

export function createLoudspeaker({ readAsset, onState, onFault }: LoudspeakerOptions): Loudspeaker {
	let context: AudioContext | undefined;
	let player: SoundPlayer | undefined;
	let isMuted = false;
	let camera: readonly [Vector, Vector] = [
		[0, 0, 1],
		[0, 0, 0],
	];
	/** Newest sounds, for the player when it has loaded. */
	let newest: (SoundNews & { readonly sounds: FrameSounds }) | undefined;

	const reportState = () => {
		// While the page is muted, no message about locked sound is needed.
		if (!isMuted) onState(context === undefined ? 'nothing' : isLocked() ? 'locked' : 'on');
	};
	const isLocked = () => context?.state !== 'running';

	function open(): void {
		context = new AudioContext();
		const newContext = context;
		newContext.onstatechange = reportState;
		const unlock = () => {
			if (isMuted) return;
			// The browser refuses without a gesture. The next gesture tries again.
			newContext.resume().then(() => {
				for (const gesture of GESTURES) removeEventListener(gesture, unlock);
			}, reportState);
		};
		for (const gesture of GESTURES) addEventListener(gesture, unlock);
		reportState();
		import('./player.ts').then(
			({ SoundPlayer }) => {
				player = new SoundPlayer({ context: newContext, readAsset, onFault });
				player.setCamera(...camera);
				if (newest !== undefined) player.update({ ...newest, events: [] });
			},
			(error: unknown) => onFault(`Sound did not load: ${String(error)}. Reload the page.`),
		);
	}

	return {
		update(news) {
			const sounds = news.sounds ?? (newest?.world === news.world ? newest.sounds : undefined);
			if (sounds !== undefined) newest = { ...news, sounds };
			if (context === undefined && (news.events.length > 0 || (news.sounds?.sounds.length ?? 0) > 0)) open();
			// Sounds that were played once while audio was locked are not played later.
			player?.update(isLocked() ? { ...news, events: [] } : news);
		},
		mute(mustMute) {
			isMuted = mustMute;
			if (mustMute) void context?.suspend();
			else void context?.resume();
		},
		setCamera(eye, target) {
			camera = [eye, target];
			player?.setCamera(eye, target);
		},
	};
}
