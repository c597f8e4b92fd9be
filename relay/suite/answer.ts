/**
 * Answers of agents.
 * Owns: the equality of answers. Numbers are compared exactly.
 */

import { fraction } from '../../shared/contract/fraction.ts';

/** Returns the JSON value of a text, or the text itself if it is not JSON. */
export function parseAnswer(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return text.trim();
	}
}

/** Returns a text that is the same for equal answers. Numbers and fractions are in lowest terms. */
export function canonicalText(answer: unknown): string {
	if (Array.isArray(answer)) return `[${answer.map(canonicalText).join(', ')}]`;
	if (typeof answer === 'object' && answer !== null) {
		const { num, den } = answer as { num?: unknown; den?: unknown };
		return num === undefined || den === undefined ? JSON.stringify(answer) : canonicalText(`${num}/${den}`);
	}
	const text = String(answer).trim();
	const [, sign = '', whole, decimals = '', denominator = '1'] =
		/^(-?)(\d{1,400})(?:\.(\d{1,400}))?(?:\s*\/\s*(\d{1,400}))?$/.exec(text) ?? [];
	if (whole === undefined || BigInt(denominator) === 0n) return text.toLowerCase();
	const { num, den } = fraction(
		BigInt(`${sign}${whole}${decimals}`),
		BigInt(`1${'0'.repeat(decimals.length)}`) * BigInt(denominator),
	);
	return den === 1n ? `${num}` : `${num}/${den}`;
}
