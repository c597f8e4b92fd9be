/**
 * The scripts of a world that run, as a part of it: the memory of their machine.
 * Owns: when that memory is copied. A fork starts from a copy that is taken at most once for all forks of the same state: when the
 * first of them runs a script, or just before the parent does. Machines that have not run for longest rest as such copies.
 */

import { BoundedCache } from '../core/bounded-cache.ts';
import { ByteReader, ByteWriter } from '../core/bytes.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { LazySnapshot } from '../core/lazy-snapshot.ts';
import type { WorldPart } from '../core/part.ts';
import { markChanged } from '../core/version.ts';
import { partState, type World } from '../core/world.ts';
import { SURROUNDINGS } from './budgeted-call.ts';
import { MAX_MEMORY, Machine } from './machine.ts';

/** Failure of a script. */
export interface ScriptFailure {
	readonly message: string;
	/** Line of the script; null if none is known. */
	readonly line: number | null;
	readonly tick: number;
	/** Name of the called function: load, on_start, on_update, on_event or timer. */
	readonly during: string;
	/** Id of the entity that the script ran for. */
	readonly entity: number | null;
}

/** A script in the machine. */
export interface RunningScript {
	readonly name: string;
	readonly source: string;
	/** Addresses in the machine's memory: its state of Lua, and its block (see allocator.ts). 0 when it could not be loaded. */
	readonly lua: number;
	readonly block: number;
	/** Index at which its state keeps the function that the engine calls. */
	readonly run: number;
	/** Entities that have had their on_start, as scripts see them. */
	readonly started: readonly number[];
	/** The last failures, newest last, and how many there were. */
	readonly failures: readonly ScriptFailure[];
	readonly failed: number;
	/** The last lines that it printed. */
	readonly output: readonly string[];
	/** Instructions of its last tick, and bytes that it holds. */
	readonly spent: number;
	readonly held: number;
}

export interface ScriptsState {
	live: Machine | null;
	/** Snapshot from which `live` continues when it is first needed. */
	origin: LazySnapshot | null;
	/** Snapshot from which forks taken since a script last ran start. */
	snapshot: LazySnapshot | null;
	/** In order of their names. */
	scripts: readonly RunningScript[];
	/** Changes with every call of a script. */
	version: number;
}

/** Version of the library and of the prelude that a memory belongs to. */
const LUA = 'wasmoon 1.16.0, prelude 2';

/** Machines that run. Those not used for longest rest. */
export const liveMachines = new BoundedCache<ScriptsState>(16 * 16 * 2 ** 20, rest);
/** Unused machines, kept so that none must be made. */
const spare: Machine[] = [];
const MAX_SPARE = 4;

export const Scripts: WorldPart<ScriptsState> = {
	name: 'scripts',
	scope: 'state',
	create: () => ({ live: null, origin: null, snapshot: null, scripts: [], version: 0 }),
	version: ({ version }) => version,
	isNone: ({ scripts }) => scripts.length === 0,
	clone: (state) => ({
		live: null,
		origin: snapshotOf(state)?.share() ?? null,
		snapshot: null,
		scripts: state.scripts,
		version: state.version,
	}),
	digest: (state) => Scripts.encode(state),
	encode(state) {
		const writer = new ByteWriter();
		writer.text(canonicalJson({ lua: LUA, scripts: state.scripts }));
		// A machine in which no script is left is as good as none.
		const memory = state.scripts.length > 0 ? snapshotOf(state)?.look() : undefined;
		writer.array(memory ?? new Uint8Array(0));
		return writer.end();
	},
	decode(bytes, world) {
		const fresh = Scripts.create(world);
		const reader = new ByteReader(bytes);
		const { lua, scripts } = JSON.parse(reader.text()) as { lua: string; scripts: RunningScript[] };
		const memory = reader.array(Uint8Array);
		// Another version of the library cannot continue from here: scripts then restart from their sources.
		if (lua !== LUA || memory.length === 0) return fresh;
		if (memory.length > MAX_MEMORY)
			throw new RangeError('the memory of the scripts is larger than it can be');
		return { ...fresh, scripts, origin: LazySnapshot.of(memory).share() };
	},
	weigh(state, tell) {
		if (state.live !== null) tell(state.live, state.live.bytes.length);
		for (const snapshot of [state.origin, state.snapshot])
			if (snapshot !== null) tell(snapshot, snapshot.weight);
	},
	dispose(state) {
		settleSnapshot(state);
		state.origin?.release();
		state.origin = null;
		leaveMachine(state);
	},
};

function snapshotOf(state: ScriptsState): LazySnapshot | null {
	const { live } = state;
	if (live === null) return state.origin;
	state.snapshot ??= new LazySnapshot(() => live.copy());
	return state.snapshot;
}

/** Before a script runs, or the machine ends: the copy that others need is taken, if any do. */
function settleSnapshot(state: ScriptsState): void {
	state.snapshot?.settle();
	state.snapshot = null;
}

function leaveMachine(state: ScriptsState): void {
	liveMachines.drop(state);
	if (state.live !== null && spare.length < MAX_SPARE) spare.push(state.live);
	state.live = null;
}

function rest(state: ScriptsState): void {
	state.origin = snapshotOf(state)!.share();
	settleSnapshot(state);
	leaveMachine(state);
}

/** Returns the machine of a world, ready to run scripts: gone on from its copy, or new when there is none. */
export function liveMachine(world: World): Machine {
	const state = partState(world, Scripts);
	settleSnapshot(state);
	state.version = markChanged(world);
	if (state.live === null) {
		const memory = state.origin?.read();
		const machine = (memory === undefined ? undefined : spare.pop()) ?? new Machine(SURROUNDINGS);
		if (memory !== undefined) machine.become(memory);
		state.live = machine;
		state.origin?.release();
		state.origin = null;
	}
	liveMachines.use(state, state.live.bytes.length);
	state.live.clearStack();
	return state.live;
}

/** Forgets a machine that failed, and with it all scripts: they restart. It is not used again. */
export function abandonMachine(world: World): void {
	const state = partState(world, Scripts);
	liveMachines.drop(state);
	state.version = markChanged(world);
	state.live = null;
	state.origin?.release();
	state.origin = null;
	state.snapshot = null;
}

/** Lets the machine go where no script is left in it. */
export function leaveIfEmpty(world: World): void {
	const state = partState(world, Scripts);
	if (state.scripts.length > 0) return;
	Scripts.dispose!(state);
	state.version = markChanged(world);
}
