/** Warnings of an answer: parts that were accepted but do nothing, or were replaced. */

/** The field `warnings` of an answer; none when there is nothing to warn of. */
export function warned(warnings: readonly string[]): { warnings?: string[] } {
	return warnings.length > 0 ? { warnings: [...warnings] } : {};
}
