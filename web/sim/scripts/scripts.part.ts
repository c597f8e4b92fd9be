/**
 * The running scripts of a world, and the memory of their machine, as a part of the world.
 * Owns: copying that memory. All forks of the same state share one copy. It is taken when the first of them runs a
 * script, or just before the parent does. The least recently used machines are kept only as such copies.
 */

import { BoundedCache } from '../core/bounded-cache.ts';
import { ByteReader, ByteWriter } from '../core/bytes.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { LazySnapshot } from '../core/lazy-snapshot.ts';
import type { WorldPart } from '../core/part.ts';
import { markChanged } from '../core/version.ts';
import { partState, type World } from '../core/world.ts';
import { SCRIPT_HOST } from './budgeted-call.ts';
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
	/** Addresses of its Lua state and its block (see allocator.ts) in the machine's memory. 0 if loading failed. */
	readonly lua: number;
	readonly block: number;
	/** Registry index of the prelude's main function, which the engine calls. */
	readonly run: number;
	/** Entities whose on_start has run, as the numbers that scripts use. */
	readonly started: readonly number[];
	/** The last failures, newest last. */
	readonly failures: readonly ScriptFailure[];
	/** Number of all failures. */
	readonly failed: number;
	/** The last lines that it printed. */
	readonly output: readonly string[];
	/** Instructions of its last tick, and bytes that it has allocated. */
	readonly spent: number;
	readonly held: number;
}

export interface ScriptsState {
	/** Machine that runs the scripts; null until it is needed. */
	live: Machine | null;
	/** Snapshot that `live` is restored from when it is first needed. */
	origin: LazySnapshot | null;
	/** Snapshot of `live`, for forks since a script last ran. */
	snapshot: LazySnapshot | null;
	/** Scripts in the order of their names. */
	scripts: readonly RunningScript[];
	/** Changes with every call of a script. */
	version: number;
}

/** Version of the library and of the prelude that a memory belongs to. */
const LUA_VERSION = 'wasmoon 1.16.0, prelude 2';

/** Live machines. The least recently used are suspended. */
export const liveMachines = new BoundedCache<ScriptsState>(16 * 16 * 2 ** 20, suspendMachine);
/** Unused machines, kept for reuse. */
const spareMachines: Machine[] = [];
const MAX_SPARE = 4;

export const Scripts: WorldPart<ScriptsState> = {
	name: 'scripts',
	scope: 'state',
	create: () => ({ live: null, origin: null, snapshot: null, scripts: [], version: 0 }),
	version: ({ version }) => version,
	isEmpty: ({ scripts }) => scripts.length === 0,
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
		writer.writeText(canonicalJson({ lua: LUA_VERSION, scripts: state.scripts }));
		// The memory of a machine without scripts is not needed.
		const memory = state.scripts.length > 0 ? snapshotOf(state)?.readOnce() : undefined;
		writer.writeArray(memory ?? new Uint8Array(0));
		return writer.end();
	},
	decode(bytes, world) {
		const fresh = Scripts.create(world);
		const reader = new ByteReader(bytes);
		const { lua, scripts } = JSON.parse(reader.readText()) as { lua: string; scripts: RunningScript[] };
		const memory = reader.readArray(Uint8Array);
		// Another version of the library cannot use this memory. The scripts then restart from their sources.
		if (lua !== LUA_VERSION || memory.length === 0) return fresh;
		if (memory.length > MAX_MEMORY)
			throw new RangeError('the memory of the scripts is larger than it can be');
		return { ...fresh, scripts, origin: LazySnapshot.of(memory).share() };
	},
	weigh(state, report) {
		if (state.live !== null) report(state.live, state.live.bytes.length);
		for (const snapshot of [state.origin, state.snapshot])
			if (snapshot !== null) report(snapshot, snapshot.weight);
	},
	dispose(state) {
		detachSnapshot(state);
		state.origin?.release();
		state.origin = null;
		releaseMachine(state);
	},
};

function snapshotOf(state: ScriptsState): LazySnapshot | null {
	const { live } = state;
	if (live === null) return state.origin;
	state.snapshot ??= new LazySnapshot(() => live.copy());
	return state.snapshot;
}

/** Takes the snapshot if forks need it. Must be called before a script runs or the machine ends. */
function detachSnapshot(state: ScriptsState): void {
	state.snapshot?.detachSource();
	state.snapshot = null;
}

/** Makes the machine available to other worlds. */
function releaseMachine(state: ScriptsState): void {
	liveMachines.drop(state);
	if (state.live !== null && spareMachines.length < MAX_SPARE) spareMachines.push(state.live);
	state.live = null;
}

/** Replaces the machine by a snapshot of it. */
function suspendMachine(state: ScriptsState): void {
	state.origin = snapshotOf(state)!.share();
	detachSnapshot(state);
	releaseMachine(state);
}

/** Returns the machine of a world, ready to run scripts. It is restored from its snapshot, or new if there is none. */
export function liveMachine(world: World): Machine {
	const state = partState(world, Scripts);
	detachSnapshot(state);
	state.version = markChanged(world);
	if (state.live === null) {
		const memory = state.origin?.read();
		const machine = (memory === undefined ? undefined : spareMachines.pop()) ?? new Machine(SCRIPT_HOST);
		if (memory !== undefined) machine.restore(memory);
		state.live = machine;
		state.origin?.release();
		state.origin = null;
	}
	liveMachines.use(state, state.live.bytes.length);
	state.live.clearStack();
	return state.live;
}

/** Drops a machine that failed, with all its scripts, which then restart. The machine is not used again. */
export function abandonMachine(world: World): void {
	const state = partState(world, Scripts);
	liveMachines.drop(state);
	state.version = markChanged(world);
	state.live = null;
	state.origin?.release();
	state.origin = null;
	state.snapshot = null;
}

/** Releases the machine if it has no scripts. */
export function releaseIfEmpty(world: World): void {
	const state = partState(world, Scripts);
	if (state.scripts.length > 0) return;
	Scripts.dispose!(state);
	state.version = markChanged(world);
}
