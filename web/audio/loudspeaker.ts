/**
 * The page's sound. Browsers permit sound only after a gesture of the person.
 * Owns: the audio context, its unlocking, and loading the player at the first sound.
 */

import type { Vector } from '../../shared/contract/vector.ts';
import type { FrameSounds } from '../frames/frames.ts';
import type { SoundNews, SoundPlayer } from './player.ts';

/** `nothing`: there was no sound so far. `locked`: there is sound, but a person has to click first. */
export type Hearing = 'nothing' | 'locked' | 'on';

export interface LoudspeakerOptions {
	/** Returns the bytes of an asset; null if it does not exist. */
	readonly bytes: (hash: string) => Promise<ArrayBuffer | null>;
	readonly onHearing: (hearing: Hearing) => void;
	/** Called with a message for the person about sound that cannot be played. */
	readonly onFault: (message: string) => void;
}

export interface Loudspeaker {
	take(news: SoundNews): void;
	setCamera(eye: Vector, target: Vector): void;
	/** Mutes or unmutes this page. */
	mute(off: boolean): void;
}

const GESTURES = ['pointerdown', 'keydown', 'touchend'] as const;

export function createLoudspeaker({ bytes, onHearing, onFault }: LoudspeakerOptions): Loudspeaker {
	let context: AudioContext | undefined;
	let player: SoundPlayer | undefined;
	let muted = false;
	let camera: readonly [Vector, Vector] = [
		[0, 0, 1],
		[0, 0, 0],
	];
	/** Newest sounds, for the player when it has loaded. */
	let newest: (SoundNews & { readonly sounds: FrameSounds }) | undefined;

	const tell = () => {
		// While the page is muted, no message about locked sound is needed.
		if (!muted) onHearing(context === undefined ? 'nothing' : isLocked() ? 'locked' : 'on');
	};
	const isLocked = () => context?.state !== 'running';

	function open(): void {
		context = new AudioContext();
		const opened = context;
		opened.onstatechange = tell;
		const unlock = () => {
			if (muted) return;
			// The browser refuses without a gesture. The next gesture tries again.
			opened.resume().then(() => {
				for (const gesture of GESTURES) removeEventListener(gesture, unlock);
			}, tell);
		};
		for (const gesture of GESTURES) addEventListener(gesture, unlock);
		tell();
		import('./player.ts').then(
			({ SoundPlayer }) => {
				player = new SoundPlayer({ context: opened, bytes, onFault });
				player.setCamera(...camera);
				if (newest !== undefined) player.take({ ...newest, events: [] });
			},
			(error: unknown) => onFault(`Sound did not load: ${String(error)}. Reload the page.`),
		);
	}

	return {
		take(news) {
			const sounds = news.sounds ?? (newest?.world === news.world ? newest.sounds : undefined);
			if (sounds !== undefined) newest = { ...news, sounds };
			if (context === undefined && (news.events.length > 0 || (news.sounds?.sounds.length ?? 0) > 0)) open();
			// Sounds that were played once while audio was locked are not played later.
			player?.take(isLocked() ? { ...news, events: [] } : news);
		},
		mute(off) {
			muted = off;
			if (off) void context?.suspend();
			else void context?.resume();
		},
		setCamera(eye, target) {
			camera = [eye, target];
			player?.setCamera(eye, target);
		},
	};
}
