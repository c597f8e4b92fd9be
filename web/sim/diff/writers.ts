/**
 * Systems that can have made two worlds differ.
 * Owns: reading that from what systems, and the rules of the worlds, declare that they write. Calls write, too.
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

/** Name for entities that came and went, and for the ids of the next ones. */
export const ENTITIES = 'entities';

/**
 * Names of systems, in the order of the tick, by what differs as the diff names it; entities that came and went are
 * under `entities`.
 */
export type Writers = Readonly<Record<string, readonly string[]>>;

/** Returns the systems that declare that they write what differs, of those that were run in one of the worlds. */
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
	const written = schedule
		.filter((system) => isRun(system, worlds))
		.map((system) => ({ name: system.name, writes: writesOf(system, worlds) }));
	return Object.fromEntries(
		[...new Set(names)].map((name) => [
			name,
			written.filter(({ writes }) => writes.has(name)).map((system) => system.name),
		]),
	);
}

const isRun = ({ needs }: System, worlds: readonly World[]): boolean =>
	needs === undefined || needs.some((component) => worlds.some((world) => count(world, component) > 0));

function writesOf({ name, access, chance }: System, worlds: readonly World[]): ReadonlySet<string> {
	const rules = chance !== undefined && 'rules' in chance ? worlds.flatMap(ruleAccess) : [];
	return new Set([...[access, ...rules].flatMap(writtenBy), ...(name === runScripts.name ? SCRIPTS : [])]);
}

/** Part of the scripts: only their own draws depend on it, so that it is not declared. */
const SCRIPTS = [Scripts.name];

/** Returns the access of a world's rules. */
const ruleAccess = (world: World): VerbAccess[] =>
	firingOrder(world).flatMap((id) => {
		const { do: done, outcomes } = read(world, Rule, 'document')[id] as RuleDocument;
		return [...(done ?? []), ...(outcomes ?? []).flatMap((outcome) => outcome.do)].map(accessOf);
	});

function writtenBy({ writes = [], queries = [], emits = [] }: VerbAccess): string[] {
	const all = withColumns([...writes, ...queries.flatMap((query) => query.writes ?? [])]);
	return [...all, ...(all.includes(ENTITIES) ? ['slots'] : []), ...(emits.length > 0 ? ['events'] : [])];
}
