/**
 * Answers of tools: text and pictures.
 * Owns: the length of an answer for a model, and the form of pictures.
 */

import type { WireResponse } from '../../shared/contract/wire.ts';

/** Maximum characters of an answer for a model. Clients cut off results that are much longer. */
export const MAX_CHARACTERS = 60_000;

export interface ToolResult {
	readonly content: readonly object[];
	readonly isError?: true;
}

export const textOf = (text: string) => ({ type: 'text', text });

/** Returns a text as a result. `advice`: instruction that follows a text that is too long. */
export function textResult(text: string, isError: boolean, advice: string): ToolResult {
	const note =
		text.length <= MAX_CHARACTERS
			? []
			: [
					textOf(
						`The answer has ${text.length} characters; the first ${MAX_CHARACTERS} are above. ${advice}`,
					),
				];
	return {
		content: [textOf(text.slice(0, MAX_CHARACTERS)), ...note],
		...(isError ? { isError: true } : {}),
	};
}

export const errorResult = (text: string): ToolResult => ({ content: [textOf(text)], isError: true });

/** Media types of requested pictures: WebP, and PNG for channels that must not lose detail. */
export const PICTURE_TYPES = 'image/webp, image/png';

/** Returns the picture of an answer with its tick and digest; undefined if the answer is not a picture. */
export function pictureOf({ headers, body }: WireResponse) {
	const { 'content-type': mimeType = '' } = headers;
	if (!mimeType.startsWith('image/')) return undefined;
	return {
		mimeType,
		data: Buffer.from(body.buffer, body.byteOffset, body.length).toString('base64'),
		tickText: `Tick ${headers['x-orrery-tick']}, state digest ${headers['x-orrery-digest']}`,
	};
}

/** Returns the pictures of an answer, each followed by its report, and then the other fields of the answer. */
export function albumResult({ pictures, ok: _, ...otherFields }: Record<string, unknown>): ToolResult {
	const content = (pictures as readonly Record<string, unknown>[]).flatMap(({ data, type, report }) => [
		{ type: 'image', data, mimeType: type },
		...(report === undefined ? [] : [textOf(JSON.stringify(report))]),
	]);
	return { content: [...content, textOf(JSON.stringify(otherFields))] };
}
