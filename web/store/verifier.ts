/**
 * Heavy mode: each Nth tick of every world is re-run on a fork of it, and on the world saved and loaded.
 * Owns: which ticks those are, how many there were, and which worlds stand still since one differed.
 * Never: in an engine that was not asked for it; it is loaded only then.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import type { ChooserFactory } from '../sim/core/chance.ts';
import type { World } from '../sim/core/world.ts';
import type { WorldDiff } from '../sim/diff/diff-worlds.ts';
import { ENTITIES } from '../sim/diff/writers.ts';
import type { StoppedWorld } from './saved-state.ts';
import { type Divergence, tryTick } from './tick-trial.ts';

/** A divergence, with the world that it is of. */
export interface Diverged extends Divergence {
	readonly world: string;
	readonly message: string;
}

export interface VerifierOptions {
	/** Interval of verified ticks: those whose number, counted from 1, is a multiple of it. */
	readonly every: number;
	/** Called with each divergence. */
	readonly found: (diverged: Diverged) => void;
}

export class Verifier {
	readonly every: number;
	readonly #found: VerifierOptions['found'];
	readonly #stoppedWorlds = new WeakMap<World, { readonly tick: number; readonly error: ApiError }>();
	#ticks = 0;
	#first: Diverged | null = null;
	/** The first that an engine before this one found. */
	#before: StoppedWorld | null = null;

	constructor({ every, found }: VerifierOptions) {
		this.every = every;
		this.#found = found;
	}

	/** Ticks that were verified. */
	get ticks(): number {
		return this.#ticks;
	}

	/** The first tick here that differed. */
	get first(): Diverged | null {
		return this.#first;
	}

	/** The first that is known of, also by an engine before this one. */
	get known(): StoppedWorld | null {
		if (this.#before !== null || this.#first === null) return this.#before;
		const { world: id, tick, message } = this.#first;
		return { id, tick, message };
	}

	/** Returns the reason that a world makes no more ticks; null if it does. */
	stopped(world: World): ApiError | null {
		return this.#stoppedWorlds.get(world)?.error ?? null;
	}

	/** Those of these worlds that stand still, to be kept with them. */
	allStopped(worlds: readonly { readonly id: string; readonly world: World }[]): StoppedWorld[] {
		return worlds.flatMap(({ id, world }) => {
			const stopped = this.#stoppedWorlds.get(world);
			return stopped === undefined ? [] : [{ id, tick: stopped.tick, message: stopped.error.message }];
		});
	}

	/** A world stands still since an engine before this one found that a tick of it differed. */
	standsStill(world: World, stopped: StoppedWorld): void {
		const { id, tick, message } = stopped;
		this.#before ??= stopped;
		const error = new ApiError('diverged', message, { details: { diverged: { world: id, tick } } });
		this.#stoppedWorlds.set(world, { tick, error });
	}

	/**
	 * Makes a tick of a world by `make`, with its draws chosen. Returns why the results differ; null if they are
	 * equal, or if this tick is not verified.
	 */
	tick(id: string, world: World, choosing: ChooserFactory | undefined, make: () => void): ApiError | null {
		if ((world.tick + 1) % this.every !== 0) {
			make();
			return null;
		}
		const divergence = tryTick(world, choosing, make);
		this.#ticks++;
		if (divergence === null) return null;
		const diverged: Diverged = { ...divergence, world: id, message: messageOf(id, divergence) };
		this.#first ??= diverged;
		const { tick, way, system, differs, written_by, message } = diverged;
		const { entity, field } = firstOf(differs);
		const details = { diverged: { world: id, tick, way, system, entity, field, written_by } };
		const error = new ApiError('diverged', message, { details });
		this.#stoppedWorlds.set(world, { tick, error });
		this.#found(diverged);
		return error;
	}
}

const WAYS = {
	fork: 'a fork of the world',
	save: 'the world after saving and loading',
} as const;

/** Description of a divergence, in one line. */
export function messageOf(id: string, divergence: Divergence): string {
	const { tick, way, system, before, differs, hidden, written_by, refused } = divergence;
	const begin = `Tick ${tick} of the world "${id}" gives a different result in ${WAYS[way]}`;
	const { text, field } = firstOf(differs);
	const what = text === null && hidden.length > 0 ? `the hidden state of ${hidden.join(' and ')}` : text;
	if (what === null)
		return `${begin}${refused === null ? '' : `, which was refused: ${shortened(refused)}`}.`;
	const where = before ? ' before the tick' : system === null ? '' : ` after the system ${system}`;
	const writers = written_by[field ?? ''] ?? [];
	const by =
		system === null && !before && writers.length > 0 ? ` These systems write it: ${writers.join(', ')}.` : '';
	return `${begin}. The first difference${where}: ${what}.${by}`;
}

interface First {
	readonly entity: number | null;
	/** As the diff names it; `entities` for an entity that came or went. */
	readonly field: string | null;
	/** From the world to its copy. */
	readonly text: string | null;
}

/** Returns the first thing that differs. */
function firstOf(differs: WorldDiff | null): First {
	const { spawned = [], despawned = [], changed = [], resources = [], parts = [] } = differs ?? {};
	if (changed[0] !== undefined) {
		const [{ id, fields }] = changed as [(typeof changed)[0]];
		const { field, from, to } = fields[0]!;
		const text = `entity ${id}, ${field}: ${shown(from)} in the world, ${shown(to)} in the other`;
		return { entity: id, field, text };
	}
	const [came, went] = [spawned[0]?.id, despawned[0]?.id];
	if (came !== undefined)
		return { entity: came, field: ENTITIES, text: `entity ${came}, which is not in the world` };
	if (went !== undefined)
		return { entity: went, field: ENTITIES, text: `entity ${went}, which is only in the world` };
	const [resource] = resources;
	if (resource !== undefined) {
		const { name, from, to } = resource;
		return {
			entity: null,
			field: name,
			text: `${name}: ${shown(from)} in the world, ${shown(to)} in the other`,
		};
	}
	const [part] = parts;
	return { entity: null, field: part ?? null, text: part ?? null };
}

const shown = (value: unknown): string => shortened(JSON.stringify(value));

/** Messages are short; the answer's `diverged` and a replay say more. */
const MAX_LETTERS = 200;
const shortened = (text: string): string =>
	text.length > MAX_LETTERS ? `${text.slice(0, MAX_LETTERS)}…` : text;
