/**
 * Answers of agents.
 * Owns: the equality of texts and values. Nothing is rounded.
 */

import { fraction } from '../../shared/contract/fraction.ts';

/** Returns a JSON value if the text is one, otherwise the text. */
export function answerIn(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return text.trim();
	}
}

/** One spelling for equal answers: numbers and fractions in lowest terms, lists item by item. */
export function spelled(answer: unknown): string {
	if (Array.isArray(answer)) return `[${answer.map(spelled).join(', ')}]`;
	if (typeof answer === 'object' && answer !== null) {
		const { num, den } = answer as { num?: unknown; den?: unknown };
		return num === undefined || den === undefined ? JSON.stringify(answer) : spelled(`${num}/${den}`);
	}
	const text = String(answer).trim();
	const [, sign = '', whole, decimals = '', over = '1'] =
		/^(-?)(\d{1,400})(?:\.(\d{1,400}))?(?:\s*\/\s*(\d{1,400}))?$/.exec(text) ?? [];
	if (whole === undefined || BigInt(over) === 0n) return text.toLowerCase();
	const { num, den } = fraction(
		BigInt(`${sign}${whole}${decimals}`),
		BigInt(`1${'0'.repeat(decimals.length)}`) * BigInt(over),
	);
	return den === 1n ? `${num}` : `${num}/${den}`;
}
