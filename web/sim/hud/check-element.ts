/**
 * Checks of a HUD element beyond its schema: placeholders, and the measures that bars follow.
 * Owns: these checks, and the list of measures that an element follows.
 */

import { catchRefusal, Refusal } from '../../../shared/contract/errors.ts';
import type { HudElement } from '../../../shared/documents/hud.ts';
import {
	defaultFullValue,
	readQuantity,
	readTemplate,
	type TextPiece,
} from '../../../shared/verbs/placeholder.ts';

/** Fields of an element that are checked. */
export interface ElementFields {
	readonly text?: string | null | undefined;
	readonly type?: HudElement['type'];
	readonly fill?: number | null | undefined;
	readonly follow?: string | null | undefined;
	readonly full?: number | string | null | undefined;
}

/** Throws a Refusal for placeholders that cannot be read, and for bars that have no value or two. Its path is the field. */
export function checkElement({ type, text, fill, follow, full }: ElementFields): void {
	if (text != null) readOrRefuse('text', () => piecesOf(text));
	if (type !== 'bar') return;
	if ((fill == null) === (follow == null))
		refuse('fill', 'a bar needs exactly one of "fill" and "follow"', 'Send "fill" from 0 to 1, or "follow".');
	if (full != null && follow == null)
		refuse('full', '"full" is only allowed with "follow"', 'Omit "full", or send "follow".');
	if (follow == null) return;
	const quantity = readOrRefuse('follow', () => readQuantity(follow));
	if (typeof full === 'string') readOrRefuse('full', () => readQuantity(full));
	else if (full == null && defaultFullValue(quantity) === undefined)
		refuse('full', `${follow} has no usual maximum`, 'Send "full", the number that fills the bar.');
}

function refuse(field: string, message: string, fix?: string): never {
	throw new Refusal(message, fix, field);
}

const readOrRefuse = <T>(field: string, read: () => T): T =>
	catchRefusal(read, ({ message, fix }) => refuse(field, message, fix));

const piecesByText = new Map<string, readonly TextPiece[]>();
const MAX_CACHED_TEXTS = 2000;

/** Returns the pieces of a text. They are cached, because texts are read for every picture. Throws a Refusal. */
export function piecesOf(template: string): readonly TextPiece[] {
	let pieces = piecesByText.get(template);
	if (pieces === undefined) {
		pieces = readTemplate(template);
		if (piecesByText.size === MAX_CACHED_TEXTS) piecesByText.clear();
		piecesByText.set(template, pieces);
	}
	return pieces;
}

/** Returns the measures that an element follows, as they are written. */
export function measuresFollowedBy(element: HudElement): string[] {
	if (element.type === 'text' || element.type === 'button')
		return piecesOf(element.text).flatMap((piece) => (typeof piece === 'string' ? [] : [piece.source]));
	if (element.type !== 'bar' || element.follow == null) return [];
	return [element.follow, ...(typeof element.full === 'string' ? [element.full] : [])];
}
