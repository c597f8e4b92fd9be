/** System that runs the scripts of all entities: their timers, event handlers and update functions. */

import { components } from '../../../shared/components/index.ts';
import { Script, UPDATE } from '../../../shared/components/script.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import { EVENT_KINDS } from '../../../shared/documents/event.ts';
import { ScriptError } from '../../../shared/events/script-error.ts';
import { ANYTHING } from '../../../shared/verbs/access.ts';
import { ACTIONS } from '../../../shared/verbs/actions/index.ts';
import { TICKS_PER_SECOND } from '../core/clock.ts';
import { handleOf, slotOf } from '../core/entities.ts';
import { drainEvents, emit, type SentEvent } from '../core/events.ts';
import { resourceVersion } from '../core/resource.ts';
import type { System } from '../core/system.ts';
import { count, each, has, partState, read, versionOf, type World } from '../core/world.ts';
import { BLOCK } from './allocator.ts';
import { BrokenMachine, type CallResult, callUpdate, callWithBudget } from './budgeted-call.ts';
import { EXHAUSTED, SCRIPT_CHANCE, type ScriptCall, type WorkDone } from './host-call.ts';
import { REGISTRY } from './lua-index.ts';
import type { Machine } from './machine.ts';
import {
	endScript,
	failureOf,
	MAX_CALL_INSTRUCTIONS,
	MAX_SCRIPT_INSTRUCTIONS,
	MAX_SCRIPT_WORK,
	MAX_TOTAL_INSTRUCTIONS,
	startScript,
	withFailure,
	withOutput,
} from './script.ts';
import { abandonMachine, liveMachine, type RunningScript, Scripts } from './scripts.part.ts';
import { canDraw, ScriptSources, sourceOf, sourcesOf } from './sources.ts';
import { entityNumber } from './values.ts';

/** All columns and resources. A script may read and write any of them. */
const ALL_NAMES = [
	...new Set([
		'entities',
		...components.map(({ name }) => name),
		...ACTIONS.flatMap(({ access }) =>
			typeof access === 'function' ? [] : [...(access.writes ?? []), ...(access.reads ?? [])],
		),
		'camera',
		'hud',
		'items',
		'match',
		'tuning',
	]),
];

const access = {
	reads: [ANYTHING, ...ALL_NAMES],
	writes: ALL_NAMES,
	drains: EVENT_KINDS,
	emits: EVENT_KINDS,
};

export const runScripts: System = {
	name: 'run-scripts',
	needs: [Script],
	access,
	chance: {
		source: SCRIPT_CHANCE,
		mayDraw: (world) => Object.values(sourcesOf(world)).some(({ source }) => canDraw(source)),
		changes: () => access,
		version: (world) => resourceVersion(world, ScriptSources) + versionOf(world, Script, 'script', 'enabled'),
	},
	maximum(world) {
		if (count(world, Script) === 0) return {};
		const scripts = Object.keys(sourcesOf(world)).length;
		return {
			actions: scripts * MAX_SCRIPT_WORK.actions,
			spawned: scripts * MAX_SCRIPT_WORK.spawned,
			searched: scripts * MAX_SCRIPT_WORK.searched,
			sent: scripts * (MAX_SCRIPT_WORK.sent + MAX_REPORTED_FAILURES) + 1,
			effects: scripts * MAX_SCRIPT_WORK.effects,
		};
	},
	run: runAllScripts,
};

/** Maximum number of failures of a script that are reported as events per tick. */
const MAX_REPORTED_FAILURES = 8;
/** Maximum number of failing timers and handlers of a script per tick. The others wait. */
const MAX_TRIES = 64;

/** Numbers of the entry points of the prelude's main function. */
const [RUN_TIMERS, HANDLE_EVENT, START_ENTITY, UPDATE_ENTITY, UPDATE_BY_NAME] = [1, 2, 3, 4, 5] as const;
const DT = 1 / TICKS_PER_SECOND;

function runAllScripts(world: World): void {
	const slotsByScript = entitiesByScript(world);
	const events = drainEvents(world, 'run-scripts');
	if (slotsByScript.size === 0) return;
	const machine = liveMachine(world);
	const state = partState(world, Scripts);
	let sharedBudget = MAX_TOTAL_INSTRUCTIONS;
	try {
		for (const name of [...slotsByScript.keys()].sort()) {
			const source = sourceOf(world, name);
			if (source === undefined) continue;
			const oldScript = state.scripts.find((script) => script.name === name);
			const script = ensureStarted(machine, world, oldScript, name, source);
			let newScript = script;
			const isLoaded = script.lua !== 0;
			if (isLoaded) {
				const scriptTick = new ScriptTick(
					machine,
					world,
					script,
					Math.min(MAX_SCRIPT_INSTRUCTIONS, sharedBudget),
				);
				newScript = scriptTick.runTick(slotsByScript.get(name)!, events);
				sharedBudget -= scriptTick.spent;
			}
			if (newScript === oldScript) continue;
			state.scripts = [...state.scripts.filter((script) => script.name !== name), newScript].sort((a, b) =>
				a.name < b.name ? -1 : 1,
			);
		}
	} catch (error) {
		abandonMachine(world);
		if (!(error instanceof BrokenMachine)) throw error;
		state.scripts = [];
		emitFailure(world, '', null, {
			message: `${error.message}; all scripts restart`,
			line: null,
			during: 'on_update',
		});
	}
}

function emitFailure(
	world: World,
	script: string,
	entity: EntityHandle | null,
	{
		message,
		line,
		during,
	}: { readonly message: string; readonly line: number | null; readonly during: string },
): void {
	emit(world, ScriptError, { entity, script, message, line, during });
}

/** Returns the entities of each script, in slot order. */
function entitiesByScript(world: World): Map<string, number[]> {
	const slotsByScript = new Map<string, number[]>();
	if (count(world, Script) === 0) return slotsByScript;
	const scripts = read(world, Script, 'script');
	const enabled = read(world, Script, 'enabled');
	each(world, [Script], (slot) => {
		if (enabled[slot] === 0) return;
		const name = scripts[slot]!;
		const slots = slotsByScript.get(name);
		if (slots === undefined) slotsByScript.set(name, [slot]);
		else slots.push(slot);
	});
	return slotsByScript;
}

/**
 * Returns the running script. Starts it if it does not run, and restarts it if its source has changed.
 */
function ensureStarted(
	machine: Machine,
	world: World,
	oldScript: RunningScript | undefined,
	name: string,
	source: string,
): RunningScript {
	if (oldScript?.source === source) return oldScript;
	if (oldScript !== undefined) endScript(machine, oldScript);
	const started = startScript(machine, world, name, source);
	const [failure] = started.failures;
	if (failure !== undefined) emitFailure(world, name, null, failure);
	return started;
}

const setsByList = new WeakMap<readonly number[], ReadonlySet<number>>();

/** Returns the numbers of an immutable list as a set. */
function setOf(numbers: readonly number[]): ReadonlySet<number> {
	let set = setsByList.get(numbers);
	if (set === undefined) {
		set = new Set(numbers);
		setsByList.set(numbers, set);
	}
	return set;
}

/** One tick of one script. */
class ScriptTick {
	readonly #machine: Machine;
	readonly #world: World;
	readonly #work: WorkDone = {
		spawned: 0,
		sent: 0,
		byActions: { searched: 0, sent: 0 },
		output: [],
	};
	readonly #call: ScriptCall;
	#script: RunningScript;
	readonly #budget: number;
	#remaining: number;
	#reportedCount = 0;
	#hasReportedEnd = false;

	/** `budget`: maximum number of instructions. */
	constructor(machine: Machine, world: World, script: RunningScript, budget: number) {
		this.#machine = machine;
		this.#world = world;
		this.#script = script;
		this.#budget = budget;
		this.#remaining = budget;
		this.#call = {
			world,
			name: script.name,
			block: script.block,
			budget: 0,
			entity: null,
			update: UPDATE,
			event: null,
			isLoading: false,
			work: this.#work,
		};
	}

	/** Number of instructions used. */
	get spent(): number {
		return this.#budget - this.#remaining;
	}

	runTick(slots: readonly number[], events: readonly SentEvent[]): RunningScript {
		const world = this.#world;
		const entityHandles = slots.map((slot) => handleOf(world, slot));
		let hasHandlers = false;
		for (let tries = 0; tries < MAX_TRIES; tries++) {
			const { ok, returnedTrue } = this.#callScript('timer', {}, RUN_TIMERS, world.tick);
			hasHandlers = returnedTrue;
			if (ok) break;
		}
		if (hasHandlers)
			for (const event of events) {
				if (this.#isExhausted('on_event')) break;
				this.#callScript('on_event', { event }, HANDLE_EVENT);
			}
		const startedNumbers = setOf(this.#script.started);
		const newNumbers = new Set<number>();
		for (const entity of entityHandles) {
			const { id } = entity;
			if (slotOf(world, entity) < 0 || !has(world, id, Script)) continue;
			if (this.#isExhausted('on_update')) break;
			const number = entityNumber(entity);
			if (!startedNumbers.has(number)) {
				newNumbers.add(number);
				this.#callScript('on_start', { entity }, START_ENTITY, number);
				if (slotOf(world, entity) < 0) continue;
			}
			this.#updateEntity(entity, number);
		}
		const started =
			newNumbers.size === 0 ? this.#script.started : this.#filterExisting([...startedNumbers, ...newNumbers]);
		const usedBytes = this.#machine.word(this.#script.block + BLOCK.usedBytes);
		this.#machine.recordTop(this.#script.block);
		return withOutput({ ...this.#script, started, spent: this.spent, held: usedBytes }, this.#work.output);
	}

	/** Returns true if the budget is spent. Records that failure once. */
	#isExhausted(during: string): boolean {
		if (this.#remaining > 0) return false;
		if (!this.#hasReportedEnd) this.#recordFailure(EXHAUSTED, during, null);
		this.#hasReportedEnd = true;
		return true;
	}

	#recordFailure(message: string, during: string, entity: EntityHandle | null): void {
		const failedCall = { message, during, tick: this.#world.tick, entity: entity?.id ?? null };
		this.#script = withFailure(this.#script, failedCall);
		if (this.#reportedCount++ < MAX_REPORTED_FAILURES)
			emitFailure(this.#world, this.#script.name, entity, failureOf(failedCall));
	}

	/** Returns the started entities that still exist. */
	#filterExisting(started: readonly number[]): number[] {
		const existing = new Set<number>();
		each(this.#world, [Script], (slot) => existing.add(entityNumber(handleOf(this.#world, slot))));
		return started.filter((number) => existing.has(number)).sort((a, b) => a - b);
	}

	#callScript(
		during: string,
		{ entity, event }: { readonly entity?: EntityHandle; readonly event?: SentEvent },
		...values: number[]
	): { readonly ok: boolean; readonly returnedTrue: boolean } {
		const { lua: state, run: entryFunction } = this.#script;
		this.#machine.lua.lua_rawgeti(state, REGISTRY, BigInt(entryFunction));
		const call = this.#prepareCall(entity ?? null, event ?? null, UPDATE);
		const result = callWithBudget(this.#machine, state, call, ...values);
		return { ok: this.#charge(result, during, entity ?? null), returnedTrue: result.returnedTrue };
	}

	/** Calls the script's update function for an entity. */
	#updateEntity(entity: EntityHandle, number: number): void {
		const { lua: state, run: entryFunction } = this.#script;
		const update = read(this.#world, Script, 'update_fn')[entity.id] ?? UPDATE;
		const call = this.#prepareCall(entity, null, update);
		const entryPoint = update === UPDATE ? UPDATE_ENTITY : UPDATE_BY_NAME;
		this.#charge(
			callUpdate(this.#machine, state, entryFunction, call, entryPoint, number, DT),
			'on_update',
			entity,
		);
	}

	/** Prepares a call. All calls of a tick reuse one object. */
	#prepareCall(entity: EntityHandle | null, event: SentEvent | null, update: string): ScriptCall {
		const call = this.#call;
		call.budget = Math.min(MAX_CALL_INSTRUCTIONS, this.#remaining);
		call.entity = entity;
		call.event = event;
		call.update = update;
		return call;
	}

	/** Charges the script for a call. Returns false if the call failed. */
	#charge({ message, spent }: CallResult, during: string, entity: EntityHandle | null): boolean {
		this.#remaining = Math.max(0, this.#remaining - spent);
		if (message !== null) this.#recordFailure(message, during, entity);
		return message === null;
	}
}
