/**
 * Heavy mode: re-runs each `N`th tick of every world twice: on a fork, and on a copy that was saved and loaded.
 * Owns: the choice and the number of these ticks, and the worlds that stopped because a result differed.
 * Loaded only by an engine with the setting `verify`, and by the verification of a journal.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import type { ChooserFactory } from '../sim/core/chance.ts';
import type { World } from '../sim/core/world.ts';
import type { WorldDiff } from '../sim/diff/diff-worlds.ts';
import { ENTITIES } from '../sim/diff/writers.ts';
import type { StoppedWorld } from './saved-state.ts';
import { type Divergence, tryTick } from './tick-trial.ts';

/** A divergence, with the id of its world. */
export interface Diverged extends Divergence {
	readonly world: string;
	readonly message: string;
}

export interface VerifierOptions {
	/** Interval of verified ticks. Tick numbers count from 1; multiples of `every` are verified. */
	readonly every: number;
	/** Called with each divergence. */
	readonly onDivergence: (diverged: Diverged) => void;
}

export class Verifier {
	readonly every: number;
	readonly #onDivergence: VerifierOptions['onDivergence'];
	readonly #stoppedWorlds = new WeakMap<World, { readonly tick: number; readonly error: ApiError }>();
	#ticks = 0;
	#firstFound: Diverged | null = null;
	/** First divergence that an earlier engine found. */
	#earlier: StoppedWorld | null = null;

	constructor({ every, onDivergence }: VerifierOptions) {
		this.every = every;
		this.#onDivergence = onDivergence;
	}

	/** Number of verified ticks. */
	get ticks(): number {
		return this.#ticks;
	}

	/** First divergence that this engine found. */
	get firstFound(): Diverged | null {
		return this.#firstFound;
	}

	/** First known divergence, including those of earlier engines. */
	get firstKnown(): StoppedWorld | null {
		if (this.#earlier !== null || this.#firstFound === null) return this.#earlier;
		const { world: id, tick, message } = this.#firstFound;
		return { id, tick, message };
	}

	/** Returns the error that stopped a world; null if it can step. */
	errorOf(world: World): ApiError | null {
		return this.#stoppedWorlds.get(world)?.error ?? null;
	}

	/** Returns the stopped worlds among `worlds`, to be stored with the state. */
	stoppedAmong(worlds: readonly { readonly id: string; readonly world: World }[]): StoppedWorld[] {
		return worlds.flatMap(({ id, world }) => {
			const stopped = this.#stoppedWorlds.get(world);
			return stopped === undefined ? [] : [{ id, tick: stopped.tick, message: stopped.error.message }];
		});
	}

	/** Stops a world whose divergence an earlier engine found. */
	stopWorld(world: World, stopped: StoppedWorld): void {
		const { id, tick, message } = stopped;
		this.#earlier ??= stopped;
		const error = new ApiError('diverged', message, { details: { diverged: { world: id, tick } } });
		this.#stoppedWorlds.set(world, { tick, error });
	}

	/**
	 * Runs `runOnce`, which ticks a world. If the tick is verified, re-runs it on copies with the same draws. Returns an
	 * error if the results differ, otherwise null.
	 */
	runTick(
		id: string,
		world: World,
		choosing: ChooserFactory | undefined,
		runOnce: () => void,
	): ApiError | null {
		if ((world.tick + 1) % this.every !== 0) {
			runOnce();
			return null;
		}
		const divergence = tryTick(world, choosing, runOnce);
		this.#ticks++;
		if (divergence === null) return null;
		const diverged: Diverged = { ...divergence, world: id, message: messageOf(id, divergence) };
		this.#firstFound ??= diverged;
		const { tick, way, system, differs, written_by, message } = diverged;
		const { entity, field } = firstDifferenceOf(differs);
		const details = { diverged: { world: id, tick, way, system, entity, field, written_by } };
		const error = new ApiError('diverged', message, { details });
		this.#stoppedWorlds.set(world, { tick, error });
		this.#onDivergence(diverged);
		return error;
	}
}

const TRIAL_NAMES = {
	fork: 'a fork of the world',
	save: 'the world after saving and loading',
} as const;

/** Describes a divergence in one line. */
export function messageOf(id: string, divergence: Divergence): string {
	const { tick, way, system, before, differs, hidden, written_by, refused } = divergence;
	const begin = `Tick ${tick} of the world "${id}" gives a different result in ${TRIAL_NAMES[way]}`;
	const { text, field } = firstDifferenceOf(differs);
	const difference =
		text === null && hidden.length > 0 ? `the hidden state of ${hidden.join(' and ')}` : text;
	if (difference === null)
		return `${begin}${refused === null ? '' : `: the re-run failed: ${truncate(refused)}`}.`;
	const position = before ? ' before the tick' : system === null ? '' : ` after the system ${system}`;
	const writers = written_by[field ?? ''] ?? [];
	const writerList =
		system === null && !before && writers.length > 0 ? ` These systems write it: ${writers.join(', ')}.` : '';
	return `${begin}. The first difference${position}: ${difference}.${writerList}`;
}

interface FirstDifference {
	readonly entity: number | null;
	/** Name of the field in the diff; `entities` for a spawned or despawned entity. */
	readonly field: string | null;
	/** Values in the world and in its copy. */
	readonly text: string | null;
}

/** Returns the first thing that differs. */
function firstDifferenceOf(differs: WorldDiff | null): FirstDifference {
	const { spawned = [], despawned = [], changed = [], resources = [], parts = [] } = differs ?? {};
	if (changed[0] !== undefined) {
		const [{ id, fields }] = changed as [(typeof changed)[0]];
		const { field, from, to } = fields[0]!;
		const text = `entity ${id}, ${field}: ${quoteValue(from)} in the world, ${quoteValue(to)} in the other`;
		return { entity: id, field, text };
	}
	const [addedId, removedId] = [spawned[0]?.id, despawned[0]?.id];
	if (addedId !== undefined)
		return { entity: addedId, field: ENTITIES, text: `entity ${addedId}, which is not in the world` };
	if (removedId !== undefined)
		return { entity: removedId, field: ENTITIES, text: `entity ${removedId}, which is only in the world` };
	const [resource] = resources;
	if (resource !== undefined) {
		const { name, from, to } = resource;
		return {
			entity: null,
			field: name,
			text: `${name}: ${quoteValue(from)} in the world, ${quoteValue(to)} in the other`,
		};
	}
	const [part] = parts;
	return { entity: null, field: part ?? null, text: part ?? null };
}

const quoteValue = (value: unknown): string => truncate(JSON.stringify(value));

/** Maximum characters of a quoted value or reason, because a message is one line. */
const MAX_VALUE_LENGTH = 200;
const truncate = (text: string): string =>
	text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
