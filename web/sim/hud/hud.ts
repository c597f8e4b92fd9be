/**
 * Elements over the picture. Conditions can read them, so they are state: forked, saved and digested.
 * Owns: the list of elements, in the order in which they are drawn, and the result of each change.
 */

import * as z from 'zod';
import { ApiError, catchRefusal } from '../../../shared/contract/errors.ts';
import { shapeError } from '../../../shared/contract/explain-issue.ts';
import { suggestion } from '../../../shared/contract/nearest.ts';
import {
	type HudElement,
	hudElement,
	type SentElement,
	typesWithField,
} from '../../../shared/documents/hud.ts';
import { UiPress } from '../../../shared/events/ui-press.ts';
import { comingTick } from '../core/coming-tick.ts';
import { emit } from '../core/events.ts';
import { keyedBy } from '../core/keyed-by.ts';
import { type Resource, resource, setResource } from '../core/resource.ts';
import type { World } from '../core/world.ts';
import { checkElement, followedBy } from './sound-element.ts';

/** Most elements there are at once. */
export const MAX_ELEMENTS = 500;
/** Most different numbers that they follow: each is looked up for every picture. */
export const MAX_FOLLOWED = 100;

const NONE: readonly HudElement[] = [];

export const Hud: Resource<readonly HudElement[]> = {
	name: 'hud',
	scope: 'state',
	summary: 'Elements of the HUD; absent if it is empty',
	schema: z.array(hudElement).superRefine((elements, context) => {
		const refuse = (path: (string | number)[], message: string) =>
			context.addIssue({ code: 'custom', message, path });
		for (const [i, element] of elements.entries()) {
			const first = elements.findIndex(({ id }) => id === element.id);
			if (first < i) refuse([i, 'id'], `two elements have the id "${element.id}"`);
			catchRefusal(
				() => checkElement(element),
				({ path = '', message }) => refuse([i, path], message),
			);
		}
		const fault = context.issues.length > 0 ? undefined : overfull(elements);
		if (fault !== undefined) refuse([], fault);
	}),
	entriesOf: (elements = []) => keyedBy(elements, ({ id }) => id),
	limits: [{ what: 'HUD elements', max: MAX_ELEMENTS }],
	initial: () => undefined,
	isEmpty: (elements) => elements.length === 0,
};

/** Returns the elements, in the order in which they are drawn. */
export function elementsOf(world: World): readonly HudElement[] {
	return resource(world, Hud) ?? NONE;
}

/** Returns the reason that there cannot be all of these; undefined if there can. */
function overfull(elements: readonly HudElement[]): string | undefined {
	if (elements.length > MAX_ELEMENTS)
		return `there would be ${elements.length} elements; the limit is ${MAX_ELEMENTS}`;
	const followed = new Set(elements.flatMap(followedBy));
	if (followed.size <= MAX_FOLLOWED) return undefined;
	return `the elements would follow ${followed.size} different numbers; the limit is ${MAX_FOLLOWED}`;
}

function setElements(world: World, elements: readonly HudElement[]): void {
	const fault = overfull(elements);
	if (fault !== undefined) throw new ApiError('ui_full', `On the HUD, ${fault}.`);
	setResource(world, Hud, elements);
}

/** Returns true if an unnamed element replaces another unnamed one: they have the same kind and place. */
function samePlace(a: HudElement, b: HudElement): boolean {
	if (!isUnnamed(a) || a.type !== b.type) return false;
	const alike = (key: string) =>
		(a as Readonly<Record<string, unknown>>)[key] === (b as Readonly<Record<string, unknown>>)[key];
	const keys = a.type === 'text' || a.type === 'button' ? ['x', 'y'] : ['x', 'y', 'width', 'height'];
	return ['anchor', ...keys].every(alike);
}

/** Returns true if an element was sent without a name. */
const isUnnamed = ({ id, type }: HudElement): boolean =>
	/^-\d+$/.test(id.slice(type.length)) && id.startsWith(type);

/** Returns a name that no element has. */
function freeId(elements: readonly HudElement[], type: string): string {
	const usedIds = new Set(elements.map(({ id }) => id));
	for (let number = 1; ; number++) if (!usedIds.has(`${type}-${number}`)) return `${type}-${number}`;
}

/** Returns the first tick on which something is not shown that is from now on shown for this many ticks. */
const untilOf = (world: World, ticks: number | null | undefined): number | null =>
	ticks == null ? null : comingTick(world) + ticks;

/** Refuses what an element says. Throws `invalid_ui`. */
function sound(element: HudElement): HudElement {
	return catchRefusal(
		() => {
			checkElement(element);
			return element;
		},
		({ message, fix, path = '' }) => {
			throw new ApiError('invalid_ui', `${path}: ${message}.`, {
				path,
				...(fix === undefined ? {} : { fix }),
			});
		},
	);
}

/** Returns an element as it is kept. Throws `invalid_body` for fields that its kind does not have. */
function parsed(fields: Readonly<Record<string, unknown>>): HudElement {
	const read = hudElement.safeParse(fields);
	if (!read.success) throw shapeError('invalid_body', hudElement, read.error, fields);
	return sound(read.data);
}

export interface Put {
	readonly element: HudElement;
	/** True if it replaced another. */
	readonly replaced: boolean;
}

/**
 * Shows an element, in place of one of its name or, when it has none, of one of its kind at its place. Throws `invalid_ui`
 * and `ui_full`.
 */
export function putElement(world: World, type: HudElement['type'], sent: SentElement): Put {
	const elements = elementsOf(world);
	const { id, lifetime, type: own, ...fields } = sent;
	const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
	const kind = own ?? type;
	const until = untilOf(world, lifetime);
	const draft = parsed({ ...given, type: kind, id: id ?? freeId(elements, kind), until });
	const at = elements.findIndex((other) => (id == null ? samePlace(other, draft) : other.id === id));
	const element = at < 0 ? draft : { ...draft, id: elements[at]!.id };
	setElements(world, at < 0 ? [...elements, element] : elements.with(at, element));
	return { element, replaced: at >= 0 };
}

/** Changes fields of an element; those left out or null stay. Throws `unknown_element` and `invalid_ui`. */
export function changeElement(world: World, id: string, change: SentElement): HudElement {
	const elements = elementsOf(world);
	const at = indexOf(elements, id);
	const { lifetime, ...fields } = change;
	const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null));
	const before = elements[at]!;
	for (const name of Object.keys(given)) requireField(before, name);
	// A bar either has a number of its own or follows one.
	const other =
		given.fill !== undefined && given.follow === undefined
			? { follow: null, full: null }
			: given.follow !== undefined && given.fill === undefined
				? { fill: null }
				: {};
	const bar = before.type === 'bar' ? other : {};
	const until = lifetime == null ? before.until : untilOf(world, lifetime);
	const element = parsed({ ...before, ...bar, ...given, id, until });
	setElements(world, elements.with(at, element));
	return element;
}

/** A field may be one that only elements of other kinds have. */
function requireField({ id, type }: HudElement, name: string): void {
	const types = typesWithField(name);
	if (types.length === 0 || types.includes(type)) return;
	throw new ApiError('invalid_ui', `The element "${id}" is a ${type}, which has no "${name}".`, {
		path: name,
		fix: `Omit "${name}". Only elements of type ${types.join(', ')} have it.`,
	});
}

/** Changes the words of a text or button, or makes a text where there is none of that name. Throws `invalid_ui`, `ui_full`. */
export function setText(world: World, id: string, change: SentElement): void {
	const existing = elementsOf(world).find((element) => element.id === id);
	const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value != null));
	if (existing === undefined) putElement(world, 'text', { ...given, id });
	else if (existing.type === 'text' || existing.type === 'button') changeElement(world, id, given);
	else throw new ApiError('invalid_ui', `The element "${id}" is a ${existing.type} and shows no text.`);
}

function indexOf(elements: readonly HudElement[], id: string): number {
	const at = elements.findIndex((element) => element.id === id);
	if (at >= 0) return at;
	const fix = suggestion(
		id,
		elements.map((element) => element.id),
	);
	throw new ApiError('unknown_element', `There is no element "${id}" on the HUD.`, fix ? { fix } : {});
}

/** Removes an element. Throws `unknown_element`. */
export function removeElement(world: World, id: string): HudElement {
	const elements = elementsOf(world);
	const at = indexOf(elements, id);
	setResource(world, Hud, elements.toSpliced(at, 1));
	return elements[at]!;
}

/** Removes the elements for which `goes` holds. Returns their number. */
export function removeElements(world: World, goes: (element: HudElement) => boolean): number {
	const elements = elementsOf(world);
	const remaining = elements.filter((element) => !goes(element));
	if (remaining.length < elements.length) setResource(world, Hud, remaining);
	return elements.length - remaining.length;
}

/** Presses a button: rules hear of it in the coming tick. Throws `unknown_element` and `not_a_button`. */
export function pressButton(world: World, id: string): void {
	const elements = elementsOf(world);
	const { type } = elements[indexOf(elements, id)]!;
	if (type !== 'button')
		throw new ApiError('not_a_button', `The element "${id}" is a ${type}, not a button.`);
	emit(world, UiPress, { button: id });
}
