/**
 * Names that exist in a world: labels, entity names, effects, HUD elements and player actions.
 * Owns: the sources of each kind of name. A name that only a template, a rule or loot can give is included.
 */

import { Effects } from '../../../shared/components/effects.ts';
import { Loot } from '../../../shared/components/loot.ts';
import { Name } from '../../../shared/components/name.ts';
import { Rule } from '../../../shared/components/rule.ts';
import { Tags } from '../../../shared/components/tags.ts';
import type { Component, Fields, FieldValue } from '../../../shared/contract/component.ts';
import { nearest } from '../../../shared/contract/nearest.ts';
import { PLAYER_ACTIONS } from '../../../shared/documents/input.ts';
import { labelsOf, namesOf, type SpawnDocument } from '../../../shared/documents/spawn.ts';
import type { RuleDocument } from '../../../shared/rules/rule.ts';
import type { ActionProvides } from '../../../shared/verbs/actions/action.ts';
import { providedBy } from '../../../shared/verbs/actions/index.ts';
import { each, get, read, type World } from '../core/world.ts';
import { elementsOf } from '../hud/hud.ts';
import { inputMapOf } from '../input/input-map.ts';
import type { KnownName, NameKind } from '../rules/conditions/condition.ts';
import { templates } from '../templates/templates.ts';

const namesByKind: Readonly<Record<NameKind, (world: World) => Iterable<string>>> = {
	tag: (world) => [
		...namesInColumn(world, Tags, 'tags', (tags) => tags),
		...namesInColumn(world, Loot, 'table', (table) =>
			labelsOf({ loot: [...table] as SpawnDocument['loot'] }),
		),
		...Object.values(templates(world)).flatMap(labelsOf),
		...namesGivenByRules(world, 'tag'),
	],
	name: (world) => [
		...namesInColumn(world, Name, 'name', (name) => [name]),
		...namesInColumn(world, Loot, 'table', (table) => namesOf({ loot: [...table] as SpawnDocument['loot'] })),
		...Object.values(templates(world)).flatMap(namesOf),
		...namesGivenByRules(world, 'name'),
	],
	effect: (world) => [
		...namesInColumn(world, Effects, 'list', (list) => list.map(({ tag }) => tag)),
		...namesGivenByRules(world, 'effect'),
	],
	element: (world) => elementsOf(world).map(({ id }) => id),
	action: (world) => [
		...Object.keys(PLAYER_ACTIONS),
		...inputMapOf(world).bindings.map(({ action }) => action),
	],
};

/** Names of each world at one of its versions. They are cached, because many rules of one document are checked in turn. */
const setsByWorld = new WeakMap<
	World,
	{ readonly version: number; readonly sets: Map<NameKind, Set<string>> }
>();

function knownNames(world: World, kind: NameKind): ReadonlySet<string> {
	let cached = setsByWorld.get(world);
	if (cached?.version !== world.version) {
		cached = { version: world.version, sets: new Map() };
		setsByWorld.set(world, cached);
	}
	const cachedSet = cached.sets.get(kind);
	if (cachedSet !== undefined) return cachedSet;
	const set = new Set(namesByKind[kind](world));
	cached.sets.set(kind, set);
	return set;
}

/** Returns the names in the values of a column. */
function* namesInColumn<F extends Fields, K extends keyof F & string>(
	world: World,
	component: Component<F>,
	field: K,
	namesIn: (value: FieldValue<F[K]>) => readonly string[],
): Iterable<string> {
	const slots: number[] = [];
	each(world, [component as Component], (slot) => slots.push(slot));
	for (const slot of slots) yield* namesIn(get(world, slot, component)![field] as FieldValue<F[K]>);
}

function namesGivenByRules(world: World, kind: keyof ActionProvides): string[] {
	const names: string[] = [];
	each(world, [Rule], (slot) => {
		const { do: effects = [], outcomes = [] } = read(world, Rule, 'document')[slot] as RuleDocument;
		for (const action of [...effects, ...outcomes.flatMap((outcome) => outcome.do)])
			names.push(...(providedBy(action)[kind] ?? []));
	});
	return names;
}

/** Returns the end of a warning about an unknown name, such as `; did you mean "dragon"?`. Null for a known name. */
export function unknownName(world: World, { kind, name }: KnownName): string | null {
	if (knownNames(world, kind).has(name)) return null;
	const near = nearestName(world, { kind, name });
	// A game may define its own actions.
	if (near === undefined && kind === 'action') return null;
	return near === undefined ? '' : `; did you mean "${near}"?`;
}

/** Returns the known name that is nearest to an unknown one; undefined for a known name, or if none is near. */
export function nearestName(world: World, { kind, name }: KnownName): string | undefined {
	const names = knownNames(world, kind);
	return names.has(name) ? undefined : nearest(name, names);
}
