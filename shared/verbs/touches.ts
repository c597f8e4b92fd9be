/**
 * What a verb depends on and what it changes, by declared names.
 * Owns: how such names are written.
 *
 * `health` is a component: who has it, and everything in it. `health.current` is one of its columns. `entities` is which
 * entities there are, with all that one has when it appears. `match`, `items` and the like are resources. `rule:ID` is
 * whether that rule exists, `event:KIND` the events of that kind, and `*` everything but rules.
 */

import { components } from '../components/index.ts';
import type { EventKind } from '../documents/event.ts';

export interface Touches {
	readonly reads?: readonly string[];
	readonly writes?: readonly string[];
	/** Events it sends: they are read from the next tick on. */
	readonly emits?: readonly EventKind[];
}

/** Written instead of many names: anything but which rules there are. */
export const ANYTHING = '*';

/** What working out stats again looks at, and what it changes. */
export const STATS_READ = [
	'base_stats',
	'combat',
	'crowd_control',
	'defense',
	'effects',
	'equipment',
	'mana',
];
export const STATS_WRITTEN = ['modifiers', 'stats', 'health', 'mana'];

const columns = new Map(
	components.map(({ name, fields }) => [
		name,
		[name, ...Object.keys(fields).map((field) => `${name}.${field}`)],
	]),
);

/** The same with every component's columns beside it: two lists touch the same where they share a name. */
export const withColumns = (names: readonly string[]): string[] =>
	names.flatMap((name) => columns.get(name) ?? [name]);
