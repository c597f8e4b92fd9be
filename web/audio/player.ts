/**
 * Plays the sounds of a world, with three.js on Web Audio.
 * Owns: the playing voices, and the decoded files. Runs on the page's main thread, because Web Audio needs it.
 * Never: changes the world, or decides which sounds get a voice: shared/media/sound.ts does.
 */

import {
	Audio,
	AudioListener,
	Matrix4,
	PositionalAudio,
	Quaternion,
	AudioContext as ThreeContext,
	Vector3,
} from 'three';
import { TICKS_PER_SECOND } from '../../shared/contract/ticks.ts';
import { gainOf, voicesOf } from '../../shared/media/sound.ts';
import type { FrameEvent, FrameSound, FrameSounds } from '../frames/frames.ts';

/** Sounds and events of a world since the previous update. */
export interface SoundNews {
	readonly world: string;
	readonly tick: number;
	/** All sounds; null if they are unchanged. */
	readonly sounds: FrameSounds | null;
	/** Events of all kinds. Only `sound_played` is used. */
	readonly events: readonly FrameEvent[];
}

export interface PlayerOptions {
	readonly context: BaseAudioContext;
	/** Returns the bytes of an asset; null if it does not exist. */
	readonly readAsset: (hash: string) => Promise<ArrayBuffer | null>;
	/** Called with a message for the person about a file that cannot be played. */
	readonly onFault: (message: string) => void;
}

/** A sound with a key that is unique for each play of it. */
interface KeyedSound extends FrameSound {
	readonly key: string;
}

/** A source of three.js, with or without a position. */
type Source = Audio<GainNode | PannerNode>;

interface Voice {
	readonly audio: Source;
	/** Time of the audio context at which the fade-in ends (s). */
	readonly fadeEnd: number;
}

/** A sound that began earlier than this (s) starts in its middle, at its current time. */
const MIN_OFFSET_SECONDS = 0.25;
/** A sound that is played once is dropped if its event is older than this (ticks). */
const MAX_EVENT_AGE_TICKS = 30;
/** Maximum number of decoded files. */
const MAX_CLIPS = 64;
/** Time constant of volume changes, which avoids clicks (s). */
const VOLUME_TIME_CONSTANT = 0.015;

const UP = new Vector3(0, 1, 0);

export class SoundPlayer {
	readonly #options: PlayerOptions;
	readonly #listener: AudioListener;
	readonly #clips = new Map<string, Promise<AudioBuffer | null>>();
	readonly #voices = new Map<string, Voice>();
	/** Keys of voices that wait for their file. */
	readonly #loading = new Set<string>();
	/** Keys of sounds that have ended. */
	readonly #endedKeys = new Set<string>();
	#singleSounds: KeyedSound[] = [];
	#singleCount = 0;
	#world = '';
	#tick = 0;
	#sounds: FrameSounds | null = null;
	readonly #camera = { position: new Vector3(), rotation: new Quaternion() };

	constructor(options: PlayerOptions) {
		this.#options = options;
		ThreeContext.setContext(options.context as AudioContext);
		this.#listener = new AudioListener();
	}

	/** Number of playing voices. */
	get voices(): number {
		return this.#voices.size;
	}

	/** Sets the camera's position and target. The camera is the listener if no entity is. */
	setCamera(eye: readonly [number, number, number], target: readonly [number, number, number]): void {
		const { position, rotation } = this.#camera;
		position.set(...eye);
		rotation.setFromRotationMatrix(new Matrix4().lookAt(position, new Vector3(...target), UP));
		this.#updateVoices();
	}

	/** Updates the sounds to play. */
	update({ world, tick, sounds, events }: SoundNews): void {
		if (world !== this.#world) this.#stopAll();
		this.#world = world;
		this.#tick = tick;
		if (sounds !== null) this.#sounds = sounds;
		for (const event of events) {
			if (event.kind !== 'sound_played' || event.tick < tick - MAX_EVENT_AGE_TICKS) continue;
			const sound = event.data as unknown as FrameSound;
			this.#singleSounds.push({
				...sound,
				key: `once|${++this.#singleCount}`,
				of: '',
				loop: false,
				fade_in: 0,
				started: tick,
				ticks: null,
			});
		}
		this.#updateVoices();
	}

	/** Resolves when all needed files are decoded and their voices play. */
	async whenLoaded(): Promise<void> {
		while (this.#loading.size > 0) await Promise.all(this.#clips.values());
	}

	dispose(): void {
		this.#stopAll();
		this.#clips.clear();
	}

	#stopAll(): void {
		for (const key of [...this.#voices.keys()]) this.#end(key);
		this.#sounds = null;
		this.#singleSounds = [];
		this.#endedKeys.clear();
		this.#loading.clear();
	}

	#activeSounds(): KeyedSound[] {
		const lastingSounds = (this.#sounds?.sounds ?? [])
			.map((sound) => ({ ...sound, key: `${sound.of}|${sound.started}|${sound.clip}` }))
			.filter(({ key }) => !this.#endedKeys.has(key));
		return [...lastingSounds, ...this.#singleSounds];
	}

	#updateVoices(): void {
		const sounds = this.#sounds;
		if (sounds === null) return;
		this.#placeListener(sounds);
		const audible = voicesOf(this.#activeSounds(), this.#listener.position.toArray(), sounds.mixer);
		const keys = new Set(audible.map(({ sound }) => sound.key));
		for (const key of [...this.#voices.keys()]) if (!keys.has(key)) this.#end(key);
		// A sound that is played once gets a voice now, or is dropped.
		this.#singleSounds = this.#singleSounds.filter(({ key }) => keys.has(key));
		for (const { sound, gain } of audible) {
			const voice = this.#voices.get(sound.key);
			if (voice === undefined) void this.#loadAndStart(sound);
			else this.#adjust(voice, sound, gain);
		}
	}

	#placeListener({ listener }: FrameSounds): void {
		if (listener === null) {
			this.#listener.position.copy(this.#camera.position);
			this.#listener.quaternion.copy(this.#camera.rotation);
		} else {
			this.#listener.position.set(...listener.position);
			this.#listener.quaternion.set(...listener.rotation);
		}
		this.#listener.updateMatrixWorld();
	}

	/** Loads the file of a sound and starts its voice, if the sound still plays then. */
	async #loadAndStart(sound: KeyedSound): Promise<void> {
		const { key } = sound;
		if (this.#loading.has(key)) return;
		this.#loading.add(key);
		const buffer = await this.#loadClip(sound.clip);
		if (!this.#loading.delete(key) || this.#sounds === null) return;
		if (buffer === null) this.#endedKeys.add(key);
		else if (this.#activeSounds().some((sound) => sound.key === key))
			this.#start(sound, buffer, this.#sounds);
		this.#updateVoices();
	}

	#start(sound: KeyedSound, buffer: AudioBuffer, { mixer }: FrameSounds): void {
		const { key, loop, pitch, started, fade_in } = sound;
		const elapsed = (this.#tick - started) / TICKS_PER_SECOND;
		const offset = elapsed > MIN_OFFSET_SECONDS ? elapsed * pitch : 0;
		if (!loop && offset >= buffer.duration) {
			this.#endedKeys.add(key);
			return;
		}
		const audio = this.#createSource(sound);
		audio.setBuffer(buffer);
		audio.setLoop(loop);
		audio.setPlaybackRate(pitch);
		audio.offset = loop ? offset % buffer.duration : offset;
		const fade = Math.max(0, fade_in / TICKS_PER_SECOND - elapsed);
		const { currentTime } = this.#options.context;
		const voice = { audio, fadeEnd: currentTime + fade };
		this.#voices.set(key, voice);
		const gain = gainOf(sound, this.#listener.position.toArray(), mixer);
		const volume = audio.gain.gain;
		if (fade > 0) {
			volume.setValueAtTime(gain * Math.min(1, elapsed / (elapsed + fade)), currentTime);
			volume.linearRampToValueAtTime(gain, currentTime + fade);
		} else volume.setValueAtTime(gain, currentTime);
		audio.play();
		this.#placeSource(audio, sound);
		(audio.source as AudioBufferSourceNode).onended = () => {
			// A voice that was stopped or replaced needs no cleanup.
			if (this.#voices.get(key) !== voice) return;
			this.#endedKeys.add(key);
			this.#singleSounds = this.#singleSounds.filter((candidate) => candidate.key !== key);
			this.#updateVoices();
		};
	}

	#createSource({ position }: KeyedSound): Source {
		if (position === null) return new Audio(this.#listener) as Audio<GainNode | PannerNode>;
		const audio = new PositionalAudio(this.#listener);
		audio.panner.panningModel = 'equalpower';
		// The gain includes the distance, because no model of Web Audio reaches zero at a maximum distance.
		audio.setRolloffFactor(0);
		return audio;
	}

	#adjust({ audio, fadeEnd }: Voice, sound: KeyedSound, gain: number): void {
		const { currentTime } = this.#options.context;
		if (currentTime >= fadeEnd) audio.gain.gain.setTargetAtTime(gain, currentTime, VOLUME_TIME_CONSTANT);
		this.#placeSource(audio, sound);
	}

	#placeSource(audio: Source, { position }: KeyedSound): void {
		if (position === null) return;
		audio.position.set(...position);
		audio.updateMatrixWorld();
	}

	#end(key: string): void {
		const voice = this.#voices.get(key);
		if (voice === undefined) return;
		this.#voices.delete(key);
		if (voice.audio.isPlaying) voice.audio.stop();
		voice.audio.disconnect();
		voice.audio.gain.disconnect();
	}

	#loadClip(hash: string): Promise<AudioBuffer | null> {
		let clip = this.#clips.get(hash);
		if (clip === undefined) {
			clip = this.#decode(hash);
			this.#clips.set(hash, clip);
			const oldest = this.#clips.keys().next().value;
			if (this.#clips.size > MAX_CLIPS && oldest !== undefined) this.#clips.delete(oldest);
		}
		return clip;
	}

	async #decode(hash: string): Promise<AudioBuffer | null> {
		try {
			const bytes = await this.#options.readAsset(hash);
			if (bytes !== null) return await this.#options.context.decodeAudioData(bytes);
			this.#options.onFault(`The sound ${hash.slice(0, 12)} is missing.`);
		} catch (error) {
			this.#options.onFault(`The sound ${hash.slice(0, 12)} cannot be played: ${String(error)}`);
		}
		return null;
	}
}
