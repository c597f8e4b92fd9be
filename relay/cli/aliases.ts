/**
 * Alternative names of commands, kept for older scripts.
 * Owns: the lists of these names. Never: adds a command that no route declares.
 */

/** Typed words, and the command that they mean. */
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

/** Commands that mean another command if they have a certain flag. */
export const SWITCHED_COMMANDS: readonly {
	words: readonly string[];
	flag: string;
	otherWords: readonly string[];
}[] = [{ words: ['entity', 'delete'], flag: 'all', otherWords: ['sim', 'reset'] }];

/** Other names of flags, short ones and those of older scripts, with the fields that they mean. The first existing field counts. */
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

/** Commands whose last operand may be the file of the body, like --body @FILE. */
export const BODY_FILES: ReadonlySet<string> = new Set(['scenario load', 'scenario apply-to-fork']);

/** Verb of a group that is typed without a verb. */
export const DEFAULT_VERB = 'list';
