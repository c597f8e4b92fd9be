/**
 * Meaning of keys: bindings and the stack of contexts.
 * Owns: the choice of the binding that is in force. A bare host has contexts, but no bindings.
 */

import { ApiError } from '../../../shared/contract/errors.ts';
import {
	type Binding,
	DEFAULT_BINDINGS,
	GAMEPLAY,
	type InputMap,
	inputMap,
	MAX_BINDINGS,
	MAX_CONTEXTS,
} from '../../../shared/documents/input.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { keyedBy } from '../core/keyed-by.ts';
import { type Resource, resource, setResource } from '../core/resource.ts';
import type { World } from '../core/world.ts';

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const compareBindings = (a: Binding, b: Binding): number =>
	compareTexts(a.context, b.context) || compareTexts(a.key, b.key);

const DEFAULT_MAP: InputMap = { bindings: [...DEFAULT_BINDINGS].sort(compareBindings), contexts: [GAMEPLAY] };
const BARE_MAP: InputMap = { bindings: [], contexts: [GAMEPLAY] };

const defaultMapOf = ({ profile }: World): InputMap => (profile === 'bare' ? BARE_MAP : DEFAULT_MAP);

export const InputBindings: Resource<InputMap> = {
	name: 'input_map',
	scope: 'state',
	summary: 'Key bindings and contexts; stored only if they differ from the defaults',
	schema: inputMap.transform((sent) => ({ ...sent, bindings: [...sent.bindings].sort(compareBindings) })),
	initial: () => undefined,
	isEmpty: (map) => canonicalJson(map) === canonicalJson(DEFAULT_MAP),
	limits: [{ noun: 'bindings', max: MAX_BINDINGS }],
	entriesOf: ({ bindings, contexts } = DEFAULT_MAP) => ({
		...keyedBy(bindings, ({ context, key }) => `${context} ${key}`),
		contexts,
	}),
};

export function inputMapOf(world: World): InputMap {
	return resource(world, InputBindings) ?? defaultMapOf(world);
}

/** Returns the context that is in force: the topmost one. */
export const contextOf = (world: World): string => inputMapOf(world).contexts.at(-1)!;

/** Returns the action that a key has in the current context, or null. */
export function actionOf(world: World, key: string): string | null {
	const { bindings, contexts } = inputMapOf(world);
	const context = contexts.at(-1);
	return bindings.find((binding) => binding.context === context && binding.key === key)?.action ?? null;
}

/**
 * Binds a key. This replaces its binding in that context. Returns the action of the replaced binding, or null. Does
 * nothing on a bare host. Throws `too_many_bindings`.
 */
export function bindKey(world: World, binding: Binding): string | null {
	if (world.profile === 'bare') return null;
	const map = inputMapOf(world);
	const oldBinding = map.bindings.find(isFor(binding));
	const otherBindings = map.bindings.filter((binding) => binding !== oldBinding);
	if (otherBindings.length === MAX_BINDINGS)
		throw new ApiError('too_many_bindings', `The input map is at its limit of ${MAX_BINDINGS} bindings.`);
	setResource(world, InputBindings, { ...map, bindings: [...otherBindings, binding].sort(compareBindings) });
	return oldBinding?.action ?? null;
}

const isFor =
	({ key, context }: Pick<Binding, 'key' | 'context'>) =>
	(binding: Binding): boolean =>
		binding.key === key && binding.context === context;

/** Removes a binding. Returns the action that the key was bound to. Throws `unbound_key`. */
export function unbindKey(world: World, key: string, context: string): string {
	const map = inputMapOf(world);
	const binding = map.bindings.find(isFor({ key, context }));
	if (binding === undefined)
		throw new ApiError('unbound_key', `${key} has no binding in the context "${context}".`);
	setResource(world, InputBindings, {
		...map,
		bindings: map.bindings.filter((candidate) => candidate !== binding),
	});
	return binding.action;
}

/** Puts a context on top of the others. Throws `too_many_contexts`. */
export function pushContext(world: World, context: string): void {
	const map = inputMapOf(world);
	if (map.contexts.length === MAX_CONTEXTS)
		throw new ApiError('too_many_contexts', `The stack is at its limit of ${MAX_CONTEXTS} contexts.`);
	setResource(world, InputBindings, { ...map, contexts: [...map.contexts, context] });
}

/** Removes the topmost context, and returns it. Throws `last_context`. */
export function popContext(world: World): string {
	const map = inputMapOf(world);
	if (map.contexts.length === 1)
		throw new ApiError('last_context', `The last context, "${map.contexts[0]}", cannot be removed.`);
	setResource(world, InputBindings, { ...map, contexts: map.contexts.slice(0, -1) });
	return map.contexts.at(-1)!;
}
