/** Names as titles. */

/** `rule_spawn` -> `RuleSpawn` */
export function titleOf(name: string): string {
	return name
		.split('_')
		.map((part) => part.charAt(0).toUpperCase() + part.slice(1))
		.join('');
}
