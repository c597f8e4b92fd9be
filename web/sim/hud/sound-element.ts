/**
 * Checks of a HUD element beyond its shape: placeholders, and the numbers that bars follow.
 * Owns: refusing names without a thing, and which numbers an element follows.
 */

import { catchRefusal, Refusal } from '../../../shared/contract/errors.ts';
import type { HudElement } from '../../../shared/documents/hud.ts';
import {
	defaultFullValue,
	readQuantity,
	readTemplate,
	type TextPiece,
} from '../../../shared/verbs/placeholder.ts';

/** Parts of an element that are checked; for an action that shows one, all its fields. */
export interface ElementFields {
	readonly text?: string | null | undefined;
	readonly type?: HudElement['type'];
	readonly fill?: number | null | undefined;
	readonly follow?: string | null | undefined;
	readonly full?: number | string | null | undefined;
}

/** Throws a Refusal with the field for placeholders that are not understood, and for bars that show no number or two. */
export function checkElement({ type, text, fill, follow, full }: ElementFields): void {
	if (text != null) understood('text', () => piecesOf(text));
	if (type !== 'bar') return;
	if ((fill == null) === (follow == null))
		refuse('fill', 'a bar needs exactly one of "fill" and "follow"', 'Send "fill" from 0 to 1, or "follow".');
	if (full != null && follow == null)
		refuse('full', '"full" is only allowed with "follow"', 'Omit "full", or send "follow".');
	if (follow == null) return;
	const followed = understood('follow', () => readQuantity(follow));
	if (typeof full === 'string') understood('full', () => readQuantity(full));
	else if (full == null && defaultFullValue(followed) === undefined)
		refuse('full', `${follow} has no usual maximum`, 'Send "full", the number that fills the bar.');
}

function refuse(field: string, message: string, fix?: string): never {
	throw new Refusal(message, fix, field);
}

const understood = <T>(field: string, read: () => T): T =>
	catchRefusal(read, ({ message, fix }) => refuse(field, message, fix));

const read = new Map<string, readonly TextPiece[]>();
const MAX_READ = 2000;

/** Returns the parts of a text; remembered, since texts are looked at for every picture. Throws a Refusal. */
export function piecesOf(template: string): readonly TextPiece[] {
	let pieces = read.get(template);
	if (pieces === undefined) {
		pieces = readTemplate(template);
		if (read.size === MAX_READ) read.clear();
		read.set(template, pieces);
	}
	return pieces;
}

/** Returns the measures that an element follows, as they are written. */
export function followedBy(element: HudElement): string[] {
	if (element.type === 'text' || element.type === 'button')
		return piecesOf(element.text).flatMap((piece) => (typeof piece === 'string' ? [] : [piece.source]));
	if (element.type !== 'bar' || element.follow == null) return [];
	return [element.follow, ...(typeof element.full === 'string' ? [element.full] : [])];
}
