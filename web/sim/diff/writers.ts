/**
 * Systems that may have caused a difference between two worlds. API calls, which may also cause one, are not included.
 * Owns: deriving the systems from the writes that systems and rules declare.
 */

import { Rule } from '../../../shared/components/rule.ts';
import type { RuleDocument } from '../../../shared/rules/rule.ts';
import { type VerbAccess, withColumns } from '../../../shared/verbs/access.ts';
import { accessOf } from '../../../shared/verbs/actions/index.ts';
import type { System } from '../core/system.ts';
import { count, read, type World } from '../core/world.ts';
import { firingOrder } from '../rules/rule.ts';
import { schedule } from '../schedule.ts';
import { runScripts } from '../scripts/run-scripts.system.ts';
import { Scripts } from '../scripts/scripts.part.ts';
import type { WorldDiff } from './diff-worlds.ts';

/** Key of spawned and despawned entities, and of the id counter. */
export const ENTITIES = 'entities';

/**
 * Names of systems in the order of the tick, by the name of the difference. The key `entities` stands for spawned and
 * despawned entities.
 */
export type Writers = Readonly<Record<string, readonly string[]>>;

/** Returns the systems that may have caused each difference: they run in one of the worlds and declare the write. */
export function writersOf(
	{ spawned, despawned, changed, resources, parts }: WorldDiff,
	worlds: readonly World[],
): Writers {
	const names = [
		...(spawned.length + despawned.length > 0 ? [ENTITIES] : []),
		...changed.flatMap(({ fields }) => fields.map(({ field }) => field)),
		...resources.map(({ name }) => name),
		...parts,
	];
	const systems = schedule
		.filter((system) => canRunIn(system, worlds))
		.map((system) => ({ name: system.name, writes: writesOf(system, worlds) }));
	return Object.fromEntries(
		[...new Set(names)].map((name) => [
			name,
			systems.filter(({ writes }) => writes.has(name)).map((system) => system.name),
		]),
	);
}

const canRunIn = ({ needs }: System, worlds: readonly World[]): boolean =>
	needs === undefined || needs.some((component) => worlds.some((world) => count(world, component) > 0));

function writesOf({ name, access, chance }: System, worlds: readonly World[]): ReadonlySet<string> {
	const rules = chance !== undefined && 'rules' in chance ? worlds.flatMap(ruleAccess) : [];
	return new Set([
		...[access, ...rules].flatMap(namesWrittenBy),
		...(name === runScripts.name ? SCRIPT_STATE : []),
	]);
}

/** State of the scripts. It is not declared as a write, because only random draws of scripts depend on it. */
const SCRIPT_STATE = [Scripts.name];

/** Returns the access of a world's rules. */
const ruleAccess = (world: World): VerbAccess[] =>
	firingOrder(world).flatMap((id) => {
		const { do: actions, outcomes } = read(world, Rule, 'document')[id] as RuleDocument;
		return [...(actions ?? []), ...(outcomes ?? []).flatMap((outcome) => outcome.do)].map(accessOf);
	});

function namesWrittenBy({ writes = [], queries = [], emits = [] }: VerbAccess): string[] {
	const columns = withColumns([...writes, ...queries.flatMap((query) => query.writes ?? [])]);
	return [
		...columns,
		...(columns.includes(ENTITIES) ? ['slots'] : []),
		...(emits.length > 0 ? ['events'] : []),
	];
}
