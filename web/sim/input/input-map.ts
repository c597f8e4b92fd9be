/**
 * Meaning of keys: bindings and the stack of contexts.
 * Owns: which binding of a key is in force. A bare host has no bindings and keeps none; contexts it has.
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

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const inOrder = (a: Binding, b: Binding): number => compare(a.context, b.context) || compare(a.key, b.key);

const USUAL: InputMap = { bindings: [...DEFAULT_BINDINGS].sort(inOrder), contexts: [GAMEPLAY] };
const BARE: InputMap = { bindings: [], contexts: [GAMEPLAY] };

const usual = ({ profile }: World): InputMap => (profile === 'bare' ? BARE : USUAL);

export const InputBindings: Resource<InputMap> = {
	name: 'input_map',
	scope: 'state',
	summary: 'Key bindings and contexts; stored only if they differ from the defaults',
	schema: inputMap.transform((sent) => ({ ...sent, bindings: [...sent.bindings].sort(inOrder) })),
	initial: () => undefined,
	isEmpty: (map) => canonicalJson(map) === canonicalJson(USUAL),
	limits: [{ what: 'bindings', max: MAX_BINDINGS }],
	entriesOf: ({ bindings, contexts } = USUAL) => ({
		...keyedBy(bindings, ({ context, key }) => `${context} ${key}`),
		contexts,
	}),
};

export function inputMapOf(world: World): InputMap {
	return resource(world, InputBindings) ?? usual(world);
}

/** Returns the context that is in force. */
export const contextOf = (world: World): string => inputMapOf(world).contexts.at(-1)!;

/** Returns the action of a key now, or null. */
export function actionOf(world: World, key: string): string | null {
	const { bindings, contexts } = inputMapOf(world);
	const context = contexts.at(-1);
	return bindings.find((binding) => binding.context === context && binding.key === key)?.action ?? null;
}

/**
 * Binds a key, in place of its binding in that context. Returns the action that it was bound to, or null. Does nothing
 * on a bare host. Throws `too_many_bindings`.
 */
export function bindKey(world: World, binding: Binding): string | null {
	if (world.profile === 'bare') return null;
	const map = inputMapOf(world);
	const before = map.bindings.find(isSame(binding));
	const others = map.bindings.filter((binding) => binding !== before);
	if (others.length === MAX_BINDINGS)
		throw new ApiError('too_many_bindings', `The input map is at its limit of ${MAX_BINDINGS} bindings.`);
	setResource(world, InputBindings, { ...map, bindings: [...others, binding].sort(inOrder) });
	return before?.action ?? null;
}

const isSame =
	({ key, context }: Pick<Binding, 'key' | 'context'>) =>
	(one: Binding): boolean =>
		one.key === key && one.context === context;

/** Removes a binding. Returns the action that the key was bound to. Throws `unbound_key`. */
export function unbindKey(world: World, key: string, context: string): string {
	const map = inputMapOf(world);
	const before = map.bindings.find(isSame({ key, context }));
	if (before === undefined)
		throw new ApiError('unbound_key', `${key} has no binding in the context "${context}".`);
	setResource(world, InputBindings, {
		...map,
		bindings: map.bindings.filter((binding) => binding !== before),
	});
	return before.action;
}

/** Puts a context on top of the others. Throws `too_many_contexts`. */
export function pushContext(world: World, context: string): void {
	const map = inputMapOf(world);
	if (map.contexts.length === MAX_CONTEXTS)
		throw new ApiError('too_many_contexts', `The stack is at its limit of ${MAX_CONTEXTS} contexts.`);
	setResource(world, InputBindings, { ...map, contexts: [...map.contexts, context] });
}

/** Takes the topmost context away, and says which it was. Throws `last_context`. */
export function popContext(world: World): string {
	const map = inputMapOf(world);
	if (map.contexts.length === 1)
		throw new ApiError('last_context', `The last context, "${map.contexts[0]}", cannot be removed.`);
	setResource(world, InputBindings, { ...map, contexts: map.contexts.slice(0, -1) });
	return map.contexts.at(-1)!;
}
