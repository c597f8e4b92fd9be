/** Names in PascalCase. */

/** Returns the title of a name, such as `RuleSpawn` for `rule_spawn`. */
export function titleOf(name: string): string {
	return name
		.split('_')
		.map((part) => part.charAt(0).toUpperCase() + part.slice(1))
		.join('');
}
