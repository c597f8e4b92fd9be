/**
 * Other ways to type a command, kept for those who come from the reference's tool.
 * Owns: that short list. Never: a command that is not declared as a route.
 */

/** What is typed -> what is meant. The longest that fits the beginning of the words counts. */
export const ALIASES: readonly (readonly [readonly string[], readonly string[]])[] = [
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

/** Other names of a field's flag: short ones, and those of the reference's tool. They count where the field exists. */
export const FLAG_ALIASES: Readonly<Record<string, string>> = {
	m: 'mesh',
	c: 'color',
	p: 'position',
	t: 'ticks',
	physics: 'physics-body',
};

/** The verb of a group that is typed alone. */
export const USUAL_VERB = 'list';
