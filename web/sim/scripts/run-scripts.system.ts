/** Runs the scripts of all entities that have one: their timers, what has happened, and each entity's turn. */

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
import { BrokenMachine, type Called, call, callTurn } from './budgeted-call.ts';
import { type Done, EXHAUSTED, type Running, SCRIPTS } from './host-call.ts';
import { REGISTRY } from './lua-index.ts';
import type { Machine } from './machine.ts';
import {
	endScript,
	failing,
	failureOf,
	MAX_DONE,
	MAX_INSTRUCTIONS,
	MAX_PER_TICK,
	MAX_TOGETHER,
	printing,
	startScript,
} from './script.ts';
import { abandonMachine, liveMachine, type RunningScript, Scripts } from './scripts.part.ts';
import { draws, ScriptSources, sourceOf, sourcesOf } from './sources.ts';
import { numberOf } from './values.ts';

/** Everything, by its names: a script may read and write any of it. */
const ALL = [
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

const access = { reads: [ANYTHING, ...ALL], writes: ALL, drains: EVENT_KINDS, emits: EVENT_KINDS };

export const runScripts: System = {
	name: 'run-scripts',
	needs: [Script],
	access,
	chance: {
		source: SCRIPTS,
		asked: (world) => Object.values(sourcesOf(world)).some(({ source }) => draws(source)),
		changes: () => access,
		version: (world) => resourceVersion(world, ScriptSources) + versionOf(world, Script, 'script', 'enabled'),
	},
	most(world) {
		if (count(world, Script) === 0) return {};
		const scripts = Object.keys(sourcesOf(world)).length;
		return {
			actions: scripts * MAX_DONE.actions,
			spawned: scripts * MAX_DONE.spawned,
			searched: scripts * MAX_DONE.searched,
			sent: scripts * (MAX_DONE.sent + MAX_TOLD) + 1,
			effects: scripts * MAX_DONE.effects,
		};
	},
	run,
};

/** Maximum number of failures of a script that are told as events on one tick. */
const MAX_TOLD = 8;
/** Most timers and handlers of a script that may fail on one tick before the rest has to wait. */
const MAX_TRIES = 64;

const [BEGINS, HAPPENS, STARTS, TURN, NAMED_TURN] = [1, 2, 3, 4, 5] as const;
const DT = 1 / TICKS_PER_SECOND;

function run(world: World): void {
	const turns = turnsOf(world);
	const events = drainEvents(world, 'run-scripts');
	if (turns.size === 0) return;
	const machine = liveMachine(world);
	const state = partState(world, Scripts);
	let together = MAX_TOGETHER;
	try {
		for (const name of [...turns.keys()].sort()) {
			const source = sourceOf(world, name);
			if (source === undefined) continue;
			const before = state.scripts.find((script) => script.name === name);
			const script = current(machine, world, before, name, source);
			let after = script;
			if (script.lua !== 0) {
				const turn = new Turn(machine, world, script, Math.min(MAX_PER_TICK, together));
				after = turn.take(turns.get(name)!, events);
				together -= turn.spent;
			}
			if (after === before) continue;
			state.scripts = [...state.scripts.filter((script) => script.name !== name), after].sort((a, b) =>
				a.name < b.name ? -1 : 1,
			);
		}
	} catch (error) {
		abandonMachine(world);
		if (!(error instanceof BrokenMachine)) throw error;
		state.scripts = [];
		tell(world, '', null, {
			message: `${error.message}; all scripts restart`,
			line: null,
			during: 'on_update',
		});
	}
}

function tell(
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

/** Returns entities by script, in slot order. */
function turnsOf(world: World): Map<string, number[]> {
	const turns = new Map<string, number[]>();
	if (count(world, Script) === 0) return turns;
	const scripts = read(world, Script, 'script');
	const enabled = read(world, Script, 'enabled');
	each(world, [Script], (slot) => {
		if (enabled[slot] === 0) return;
		const name = scripts[slot]!;
		const slots = turns.get(name);
		if (slots === undefined) turns.set(name, [slot]);
		else slots.push(slot);
	});
	return turns;
}

/** Returns the script as it runs: started where it does not, and again where its source has become another. */
function current(
	machine: Machine,
	world: World,
	before: RunningScript | undefined,
	name: string,
	source: string,
): RunningScript {
	if (before?.source === source) return before;
	if (before !== undefined) endScript(machine, before);
	const started = startScript(machine, world, name, source);
	const [failure] = started.failures;
	if (failure !== undefined) tell(world, name, null, failure);
	return started;
}

const sets = new WeakMap<readonly number[], ReadonlySet<number>>();

/** The numbers of a list that is never changed, as a set. */
function setOf(numbers: readonly number[]): ReadonlySet<number> {
	let set = sets.get(numbers);
	if (set === undefined) {
		set = new Set(numbers);
		sets.set(numbers, set);
	}
	return set;
}

/** One tick of one script. */
class Turn {
	readonly #machine: Machine;
	readonly #world: World;
	readonly #done: Done = {
		spawned: 0,
		sent: 0,
		acted: { searched: 0, sent: 0 },
		output: [],
	};
	readonly #running: Running;
	#script: RunningScript;
	readonly #most: number;
	#left: number;
	#toldCount = 0;
	#hasEnded = false;

	/** `most`: instructions that it may take. */
	constructor(machine: Machine, world: World, script: RunningScript, most: number) {
		this.#machine = machine;
		this.#world = world;
		this.#script = script;
		this.#most = most;
		this.#left = most;
		this.#running = {
			world,
			name: script.name,
			block: script.block,
			budget: 0,
			entity: null,
			update: UPDATE,
			event: null,
			loading: false,
			done: this.#done,
		};
	}

	/** Instructions that it took. */
	get spent(): number {
		return this.#most - this.#left;
	}

	take(slots: readonly number[], events: readonly SentEvent[]): RunningScript {
		const world = this.#world;
		const entityHandles = slots.map((slot) => handleOf(world, slot));
		let hears = false;
		for (let tries = 0; tries < MAX_TRIES; tries++) {
			const { ok, said } = this.#call('timer', {}, BEGINS, world.tick);
			hears = said;
			if (ok) break;
		}
		if (hears)
			for (const event of events) {
				if (this.#ends('on_event')) break;
				this.#call('on_event', { event }, HAPPENS);
			}
		const before = setOf(this.#script.started);
		const started = new Set<number>();
		for (const entity of entityHandles) {
			const { id } = entity;
			if (slotOf(world, entity) < 0 || !has(world, id, Script)) continue;
			if (this.#ends('on_update')) break;
			const number = numberOf(entity);
			if (!before.has(number)) {
				started.add(number);
				this.#call('on_start', { entity }, STARTS, number);
				if (slotOf(world, entity) < 0) continue;
			}
			this.#update(entity, number);
		}
		const known = started.size === 0 ? this.#script.started : this.#remaining([...before, ...started]);
		const held = this.#machine.word(this.#script.block + BLOCK.held);
		this.#machine.reached(this.#script.block);
		return printing({ ...this.#script, started: known, spent: this.spent, held }, this.#done.output);
	}

	/** Returns true if it may do no more on this tick; reports that once. */
	#ends(during: string): boolean {
		if (this.#left > 0) return false;
		if (!this.#hasEnded) this.#fail(EXHAUSTED, during, null);
		this.#hasEnded = true;
		return true;
	}

	#fail(message: string, during: string, entity: EntityHandle | null): void {
		const failed = { message, during, tick: this.#world.tick, entity: entity?.id ?? null };
		this.#script = failing(this.#script, failed);
		if (this.#toldCount++ < MAX_TOLD) tell(this.#world, this.#script.name, entity, failureOf(failed));
	}

	/** Of those that have started, those that are still there. */
	#remaining(started: readonly number[]): number[] {
		const there = new Set<number>();
		each(this.#world, [Script], (slot) => there.add(numberOf(handleOf(this.#world, slot))));
		return started.filter((number) => there.has(number)).sort((a, b) => a - b);
	}

	#call(
		during: string,
		{ entity, event }: { readonly entity?: EntityHandle; readonly event?: SentEvent },
		...values: number[]
	): { readonly ok: boolean; readonly said: boolean } {
		const { lua: at, run } = this.#script;
		this.#machine.lua.lua_rawgeti(at, REGISTRY, BigInt(run));
		const running = this.#about(entity ?? null, event ?? null, UPDATE);
		const called = call(this.#machine, at, running, ...values);
		return { ok: this.#charge(called, during, entity ?? null), said: called.said };
	}

	/** Lets the script move an entity. */
	#update(entity: EntityHandle, number: number): void {
		const { lua: at, run } = this.#script;
		const update = read(this.#world, Script, 'update_fn')[entity.id] ?? UPDATE;
		const running = this.#about(entity, null, update);
		const what = update === UPDATE ? TURN : NAMED_TURN;
		this.#charge(callTurn(this.#machine, at, run, running, what, number, DT), 'on_update', entity);
	}

	/** The call that is to be made; the same object for all of a tick. */
	#about(entity: EntityHandle | null, event: SentEvent | null, update: string): Running {
		const running = this.#running;
		running.budget = Math.min(MAX_INSTRUCTIONS, this.#left);
		running.entity = entity;
		running.event = event;
		running.update = update;
		return running;
	}

	/** Charges the script for a call; false if it failed. */
	#charge({ message, spent }: Called, during: string, entity: EntityHandle | null): boolean {
		this.#left = Math.max(0, this.#left - spent);
		if (message !== null) this.#fail(message, during, entity);
		return message === null;
	}
}
