/** Warnings of an answer, about parts that were accepted but have no effect, or were replaced. */

/** Returns the field `warnings` of an answer; no field without warnings. */
export function warningsField(warnings: readonly string[]): { warnings?: string[] } {
	return warnings.length > 0 ? { warnings: [...warnings] } : {};
}

/** Returns warnings about the sent fields that have no effect, because `cause` holds. */
export const idleWarnings = (sent: readonly string[], fields: readonly string[], cause: string): string[] =>
	sent.filter((name) => fields.includes(name)).map((name) => `${name} has no effect while ${cause}`);
