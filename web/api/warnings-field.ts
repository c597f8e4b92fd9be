/** Warnings of an answer: parts that were accepted but do nothing, or were replaced. */

/** Returns the field `warnings` of an answer; none if there is nothing to warn of. */
export function warned(warnings: readonly string[]): { warnings?: string[] } {
	return warnings.length > 0 ? { warnings: [...warnings] } : {};
}

/** Warnings of those sent fields that have no effect, because `cause` holds. */
export const idle = (sent: readonly string[], fields: readonly string[], cause: string): string[] =>
	sent.filter((name) => fields.includes(name)).map((name) => `${name} has no effect while ${cause}`);
