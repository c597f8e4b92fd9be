/**
 * What the handlers of one call work with.
 * Owns: making ticks and slices with room for others in between, and that a change happens whole or not at all.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import type { LastWorld } from '../../shared/contract/link.ts';
import type { Route } from '../../shared/contract/route.ts';
import { hasStaleParts, rebuildParts } from '../sim/core/derived-parts.ts';
import { digest } from '../sim/core/digest.ts';
import type { World } from '../sim/core/world.ts';
import { type TracedTick, tracedStep } from '../sim/peek/traced-step.ts';
import { step } from '../sim/step.ts';
import type { Assets } from './assets.ts';
import type { CallList, RunningCall } from './call-list.ts';
import type { Along, Host, InnerAnswer, InnerCall, Picture, Transaction, Watched } from './context.ts';
import { type HostFiles, withApiErrors } from './files.ts';
import type { EncodedFrame } from './frame-maker.ts';
import type { BlockVersions, CaptureRequest, GpuInfo } from './frames.ts';
import type { Profile, Profiler } from './profiler.ts';
import { stagedFiles } from './staged-files.ts';
import type { WorldEntry, Worlds } from './worlds.ts';
import { yieldToEventLoop } from './yield-to-event-loop.ts';

/** Longest time spent on ticks or requests before others get their turn (ms). */
const SLICE_MS = 8;

/** What all calls of an engine share. */
export interface EngineServices {
	readonly profile: 'full' | 'bare';
	readonly routes: readonly Route[];
	readonly assets: Assets;
	readonly calls: CallList;
	readonly profiler: Profiler;
	now(): number;
	lastWorld(): LastWorld | null;
	gpu(): GpuInfo | null;
	frame(entry: WorldEntry, known: Partial<BlockVersions>, since: number | undefined): EncodedFrame;
	watch(after: number): Watched;
	capture(entry: WorldEntry, request: CaptureRequest): Promise<Picture>;
	/** Told after each tick of a world, unless it may still be taken back. */
	madeTick(entry: WorldEntry): void;
	/** Told after ticks were made. */
	ticked(): void;
	/** Told after worlds began or ceased to play. */
	playingChanged(): void;
	answerWithin(host: EngineHost, call: InnerCall): Promise<InnerAnswer>;
}

export class EngineHost implements Host {
	readonly worlds: Worlds;
	readonly files: HostFiles;
	readonly running: RunningCall;
	readonly #services: EngineServices;
	/** Whether what is done here may still be taken back, so that nobody is told of it. */
	readonly #onCopy: boolean;
	/** When others last had their turn. */
	#resumed: number;

	/** `files` reject with `ApiError`. */
	constructor(
		services: EngineServices,
		worlds: Worlds,
		files: HostFiles,
		running: RunningCall,
		onCopy = false,
	) {
		this.#services = services;
		this.worlds = worlds;
		this.files = files;
		this.running = running;
		this.#onCopy = onCopy;
		this.#resumed = services.now();
	}

	get profile(): 'full' | 'bare' {
		return this.#services.profile;
	}

	get routes(): readonly Route[] {
		return this.#services.routes;
	}

	get assets(): Assets {
		return this.#services.assets;
	}

	get calls(): CallList {
		return this.#services.calls;
	}

	now(): number {
		return this.#services.now();
	}

	async advance(
		entry: WorldEntry,
		ticks: number,
		{ enough, ticked, trace = false, chooser }: Along = {},
	): Promise<readonly TracedTick[]> {
		const { profiler } = this.#services;
		const { running } = this;
		if (ticks > 0) this.worlds.requireRoom(entry);
		const traced: TracedTick[] = [];
		const observer = entry === this.worlds.main ? profiler : undefined;
		let made = 0;
		running.advancing = entry;
		try {
			for (; made < ticks; made++) {
				running.requireWanted();
				if (running.stop === 'paused' || enough?.(entry.world)) break;
				if (hasStaleParts(entry.world)) await this.inSlices(rebuildParts(entry.world));
				const decides = made === 0 ? chooser : undefined;
				if (trace || made === ticks - 1)
					traced.push(await this.inSlices(tracedStep(entry.world, observer, decides)));
				else step(entry.world, observer, decides);
				ticked?.(entry.world);
				running.ticks++;
				// What is only tried out, on a copy or aside, did not happen.
				if (!this.#onCopy && this.worlds.find(entry.id) === entry) this.#services.madeTick(entry);
				if (this.#isTired()) {
					this.#services.ticked();
					await this.#rest();
				}
			}
			return traced;
		} catch (error) {
			throw error instanceof ApiError ? stoppedAfter(error, made, ticks, entry.world) : error;
		}
	}

	async inSlices<T>(work: Generator<void, T>): Promise<T> {
		for (let next = work.next(); ; next = work.next()) {
			if (next.done) return next.value;
			if (!this.#isTired()) continue;
			await this.#rest();
			if (this.running.stop !== 'cancelled') continue;
			work.return(undefined as never);
			throw new ApiError('cancelled', 'The call was cancelled.');
		}
	}

	async breathe(): Promise<void> {
		if (this.#isTired()) await this.#rest();
	}

	#isTired(): boolean {
		return this.#services.now() - this.#resumed >= SLICE_MS;
	}

	async #rest(): Promise<void> {
		await yieldToEventLoop();
		this.#resumed = this.#services.now();
	}

	setPlaying(entry: WorldEntry, playing: boolean): void {
		entry.playing = playing;
		if (playing) entry.halted = undefined;
		else this.calls.pause(entry, this.running);
		if (!this.#onCopy) this.#services.playingChanged();
	}

	timing(): Profile {
		return this.#services.profiler.read();
	}

	get lastWorld(): LastWorld | null {
		return this.#services.lastWorld();
	}

	frame(entry: WorldEntry, known: Partial<BlockVersions>, since: number | undefined): EncodedFrame {
		return this.#services.frame(entry, known, since);
	}

	watch(after: number): Watched {
		return this.#services.watch(after);
	}

	gpu(): GpuInfo | null {
		return this.#services.gpu();
	}

	capture(entry: WorldEntry, request: CaptureRequest): Promise<Picture> {
		return this.#services.capture(entry, request);
	}

	call(call: InnerCall): Promise<InnerAnswer> {
		return this.#services.answerWithin(this, call);
	}

	/** Does something to the worlds and files: it happens whole, or everything is as it was. */
	async whole<T>(change: (host: EngineHost) => Promise<T>): Promise<T> {
		const staged = stagedFiles(this.files);
		const savepoint = this.worlds.savepoint();
		try {
			const { worlds, running } = this;
			const host = new EngineHost(
				this.#services,
				worlds,
				withApiErrors(staged.files, this.files.most),
				running,
				this.#onCopy,
			);
			const result = await change(host);
			await staged.commit();
			savepoint.release();
			return result;
		} catch (error) {
			savepoint.goBack();
			throw error;
		} finally {
			if (!this.#onCopy) this.#services.playingChanged();
		}
	}

	begin(): Transaction {
		const { worlds, running } = this;
		const copy = worlds.copy();
		const staged = stagedFiles(this.files);
		return {
			host: new EngineHost(this.#services, copy, withApiErrors(staged.files, this.files.most), running, true),
			files: () => staged.paths(),
			commit: async () => {
				await staged.commit();
				worlds.adopt(copy);
				if (!this.#onCopy) this.#services.playingChanged();
			},
			rollback: () => worlds.discard(copy),
		};
	}
}

/** The refusal of a tick, or of all that were still to come, with how many were made before it: those stay. */
function stoppedAfter(
	{ code, message, fix, details }: ApiError,
	made: number,
	of: number,
	world: World,
): ApiError {
	return new ApiError(code, `${message} ${made} of ${of} ticks were completed before.`, {
		fix,
		details: { ...details, ticks_advanced: made, new_tick: world.tick, state_digest: digest(world) },
	});
}
