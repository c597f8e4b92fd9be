/**
 * Names that a world knows: labels, effects, parts of the HUD, actions of players.
 * Owns: where each can come from. A name that only a template, a rule or loot gives is known too, since it may come.
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

const names: Readonly<Record<NameKind, (world: World) => Iterable<string>>> = {
	tag: (world) => [
		...inColumn(world, Tags, 'tags', (tags) => tags),
		...inColumn(world, Loot, 'table', (table) => labelsOf({ loot: [...table] as SpawnDocument['loot'] })),
		...Object.values(templates(world)).flatMap(labelsOf),
		...givenByRules(world, 'tag'),
	],
	name: (world) => [
		...inColumn(world, Name, 'name', (name) => [name]),
		...inColumn(world, Loot, 'table', (table) => namesOf({ loot: [...table] as SpawnDocument['loot'] })),
		...Object.values(templates(world)).flatMap(namesOf),
		...givenByRules(world, 'name'),
	],
	effect: (world) => [
		...inColumn(world, Effects, 'list', (list) => list.map(({ tag }) => tag)),
		...givenByRules(world, 'effect'),
	],
	element: (world) => elementsOf(world).map(({ id }) => id),
	action: (world) => [
		...Object.keys(PLAYER_ACTIONS),
		...inputMapOf(world).bindings.map(({ action }) => action),
	],
};

/** By world what it knew at one of its versions: many rules of one document are checked in order. */
const setsByWorld = new WeakMap<
	World,
	{ readonly version: number; readonly sets: Map<NameKind, Set<string>> }
>();

function knownNames(world: World, kind: NameKind): ReadonlySet<string> {
	let memo = setsByWorld.get(world);
	if (memo?.version !== world.version) {
		memo = { version: world.version, sets: new Map() };
		setsByWorld.set(world, memo);
	}
	const before = memo.sets.get(kind);
	if (before !== undefined) return before;
	const set = new Set(names[kind](world));
	memo.sets.set(kind, set);
	return set;
}

/** Returns the names in the values of a column. */
function* inColumn<F extends Fields, K extends keyof F & string>(
	world: World,
	component: Component<F>,
	field: K,
	named: (value: FieldValue<F[K]>) => readonly string[],
): Iterable<string> {
	const slots: number[] = [];
	each(world, [component as Component], (slot) => slots.push(slot));
	for (const slot of slots) yield* named(get(world, slot, component)![field] as FieldValue<F[K]>);
}

function givenByRules(world: World, kind: keyof ActionProvides): string[] {
	const given: string[] = [];
	each(world, [Rule], (slot) => {
		const { do: effects = [], outcomes = [] } = read(world, Rule, 'document')[slot] as RuleDocument;
		for (const action of [...effects, ...outcomes.flatMap((outcome) => outcome.do)])
			given.push(...(providedBy(action)[kind] ?? []));
	});
	return given;
}

/** Returns the end of a warning about an unknown name, such as `; did you mean "dragon"?`. Null for a known name. */
export function unknownName(world: World, { kind, name }: KnownName): string | null {
	if (knownNames(world, kind).has(name)) return null;
	const near = nearestName(world, { kind, name });
	// A game may have any actions of its own.
	if (near === undefined && kind === 'action') return null;
	return near === undefined ? '' : `; did you mean "${near}"?`;
}

/** Returns the known name that is nearest to an unknown one; undefined for a known name, or if none is near. */
export function nearestName(world: World, { kind, name }: KnownName): string | undefined {
	const names = knownNames(world, kind);
	return names.has(name) ? undefined : nearest(name, names);
}
