/** What was accepted but does nothing, or was replaced, as answers carry it. */

/** The field `warnings` of an answer; none when there is nothing to warn of. */
export function warned(warnings: readonly string[]): { warnings?: string[] } {
	return warnings.length > 0 ? { warnings: [...warnings] } : {};
}
