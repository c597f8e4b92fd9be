/**
 * Other ways to type a command, kept for scripts that have them.
 * Owns: that short list. Never: a command that is not declared as a route.
 */

/** Typed words -> command. The longest that fits the beginning of the words counts. */
export const ALIASES: readonly (readonly [readonly string[], readonly string[]])[] = [
	[['discover'], ['schema']],
	[['observe'], ['entity', 'list']],
	[['spawn'], ['entity', 'create']],
	[['modify'], ['entity', 'update']],
	[['despawn'], ['entity', 'delete']],
	[['play'], ['sim', 'play']],
	[['pause'], ['sim', 'pause']],
	[['step'], ['sim', 'step']],
	[['reset'], ['sim', 'reset']],
];

/** Words with a switch that mean another command. */
export const SWITCHED: readonly { words: readonly string[]; flag: string; meant: readonly string[] }[] = [
	{ words: ['entity', 'delete'], flag: 'all', meant: ['sim', 'reset'] },
];

/** Other names of a field's flag: short ones, and those that older scripts have. They count where the field exists. */
export const FLAG_ALIASES: Readonly<Record<string, readonly string[]>> = {
	a: ['assertions'],
	m: ['mesh'],
	c: ['color'],
	p: ['position'],
	t: ['ticks', 'position'],
	physics: ['physics-body'],
	'do-action': ['actions'],
	modifier: ['modifiers'],
	stack: ['stack-policy'],
	tick: ['tick-effect'],
	prop: ['properties'],
	entity: ['entity-id'],
	item: ['item-id'],
};

/** Commands whose last operand may be the file that holds the body, as --body @FILE says it. */
export const BODY_FILES: ReadonlySet<string> = new Set(['scenario load', 'scenario apply-to-fork']);

/** The verb of a group that is typed alone. */
export const DEFAULT_VERB = 'list';
