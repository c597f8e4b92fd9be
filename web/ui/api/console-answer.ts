/**
 * An answer as the page shows it.
 * Owns: its text, which is cut if it is too long to show.
 */

import type { CallAnswer } from '../services.ts';
import { type Refusal, refusalIn } from '../state/ask.ts';
import { printJson } from './json-text.ts';

export interface ConsoleAnswer {
	/** HTTP status; 0 when nothing was sent or no answer came. */
	readonly status: number;
	readonly ms: number;
	readonly text: string;
	/** Bytes of the answer as compact JSON. */
	readonly bytes: number;
	readonly refusal: Refusal | null;
}

/** Maximum number of characters of an answer that are shown. */
const MAX_TEXT = 100_000;

export function answerOf({ status, ms, body }: CallAnswer): ConsoleAnswer {
	const full = typeof body === 'string' ? body : printJson(body);
	const text = full.length > MAX_TEXT ? `${full.slice(0, MAX_TEXT)}\n… the rest is not shown` : full;
	const compact = typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
	const bytes = new TextEncoder().encode(compact).length;
	return { status, ms, text, bytes, refusal: refusalIn(status, body) };
}

/** Returns the answer to show for a call that was not sent, or that got no answer. */
export function notSent(sentence: string, fix: string): ConsoleAnswer {
	return { status: 0, ms: 0, text: '', bytes: 0, refusal: { sentence, fix } };
}
