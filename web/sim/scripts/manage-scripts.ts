/**
 * Loads and unloads scripts, between ticks.
 * Owns: the checks of a script. A refused script leaves no trace.
 */

import { Script } from '../../../shared/components/script.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { suggestion } from '../../../shared/contract/nearest.ts';
import { add, each, has, partState, read, remove, type World } from '../core/world.ts';
import { BrokenMachine } from './budgeted-call.ts';
import { endScript, startScript } from './script.ts';
import { abandonMachine, liveMachine, type RunningScript, releaseIfEmpty, Scripts } from './scripts.part.ts';
import { MAX_SCRIPTS, setSource, sourceOf, sourcesOf } from './sources.ts';

/** Throws `no_script_engine` on a host that runs no scripts. */
export function requireEngine({ profile }: World): void {
	if (profile === 'bare') throw new ApiError('no_script_engine', 'No ScriptEngine resource in world');
}

/**
 * Adds a script to the world, or replaces the script with the same name, and runs it once. Returns the running script.
 * Throws `too_many_scripts` and `script_failed`.
 */
export function loadScript(world: World, name: string, source: string): RunningScript {
	requireEngine(world);
	if (sourceOf(world, name) === undefined && Object.keys(sourcesOf(world)).length >= MAX_SCRIPTS)
		throw new ApiError('too_many_scripts', `A world has at most ${MAX_SCRIPTS} scripts.`);
	world.undo?.savePart(Scripts);
	setSource(world, name, source);
	endIfRunning(world, name);
	const script = startOrRefuse(world, name, source);
	const state = partState(world, Scripts);
	const [failure] = script.failures;
	if (failure !== undefined) {
		const position = failure.line === null ? '' : `, line ${failure.line}`;
		throw new ApiError('script_failed', `${name}${position}: ${failure.message}`);
	}
	state.scripts = [...state.scripts, script].sort((a, b) => (a.name < b.name ? -1 : 1));
	return script;
}

/** Starts a script. If it breaks the machine, the machine is abandoned and `script_failed` is thrown. */
function startOrRefuse(world: World, name: string, source: string): RunningScript {
	try {
		return startScript(liveMachine(world), world, name, source);
	} catch (error) {
		if (!(error instanceof BrokenMachine)) throw error;
		abandonMachine(world);
		throw new ApiError('script_failed', `${name}: ${error.message}`);
	}
}

/** Ends a script if it runs. */
function endIfRunning(world: World, name: string): void {
	const state = partState(world, Scripts);
	const runningScript = state.scripts.find((script) => script.name === name);
	if (runningScript === undefined) return;
	endScript(liveMachine(world), runningScript);
	state.scripts = state.scripts.filter((script) => script !== runningScript);
	releaseIfEmpty(world);
}

/** Removes a script from the world and its entities. Returns the slots of these entities. Throws `unknown_script`. */
export function unloadScript(world: World, name: string): number[] {
	requireScript(world, name);
	world.undo?.savePart(Scripts);
	endIfRunning(world, name);
	setSource(world, name, null);
	const slots = entitiesWithScript(world, name);
	for (const slot of slots) remove(world, slot, Script);
	return slots;
}

/** Throws `unknown_script` if there is no script with this name. */
export function requireScript(world: World, name: string): void {
	if (sourceOf(world, name) !== undefined) return;
	const fix = suggestion(name, Object.keys(sourcesOf(world)));
	throw new ApiError('unknown_script', `There is no script "${name}".`, { fix });
}

/** Returns the name of an entity's script. Throws `no_script`. */
export function scriptOf(world: World, { id }: EntityHandle): string {
	if (!has(world, id, Script)) throw new ApiError('no_script', `Entity ${id} has no script.`);
	return read(world, Script, 'script')[id]!;
}

/** Sets the script of an entity, and replaces an earlier one. */
export function giveScript(
	world: World,
	{ id }: EntityHandle,
	script: string,
	update_fn: string,
	enabled: boolean,
): void {
	add(world, id, Script, { script, update_fn, enabled: enabled ? 1 : 0 });
}

/** Returns the entities that have a script, in slot order. */
export function entitiesWithScript(world: World, name: string): number[] {
	const slots: number[] = [];
	const scripts = read(world, Script, 'script');
	each(world, [Script], (slot) => {
		if (scripts[slot] === name) slots.push(slot);
	});
	return slots;
}
