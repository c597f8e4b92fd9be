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
import { checkElement, measuresFollowedBy } from './check-element.ts';

/** Maximum number of elements. */
export const MAX_ELEMENTS = 500;
/** Maximum number of different measures that elements follow. Each is read for every picture. */
export const MAX_FOLLOWED_MEASURES = 100;

const NONE: readonly HudElement[] = [];

export const Hud: Resource<readonly HudElement[]> = {
	name: 'hud',
	scope: 'state',
	summary: 'Elements of the HUD; absent if it is empty',
	schema: z.array(hudElement).superRefine((elements, context) => {
		const refuse = (path: (string | number)[], message: string) =>
			context.addIssue({ code: 'custom', message, path });
		for (const [i, element] of elements.entries()) {
			const firstIndex = elements.findIndex(({ id }) => id === element.id);
			if (firstIndex < i) refuse([i, 'id'], `two elements have the id "${element.id}"`);
			catchRefusal(
				() => checkElement(element),
				({ path = '', message }) => refuse([i, path], message),
			);
		}
		const fault = context.issues.length > 0 ? undefined : limitFault(elements);
		if (fault !== undefined) refuse([], fault);
	}),
	entriesOf: (elements = []) => keyedBy(elements, ({ id }) => id),
	limits: [{ noun: 'HUD elements', max: MAX_ELEMENTS }],
	initial: () => undefined,
	isEmpty: (elements) => elements.length === 0,
};

/** Returns the elements, in the order in which they are drawn. */
export function elementsOf(world: World): readonly HudElement[] {
	return resource(world, Hud) ?? NONE;
}

/** Returns the limit that the elements exceed, as a clause; undefined if they exceed none. */
function limitFault(elements: readonly HudElement[]): string | undefined {
	if (elements.length > MAX_ELEMENTS)
		return `there would be ${elements.length} elements; the limit is ${MAX_ELEMENTS}`;
	const followed = new Set(elements.flatMap(measuresFollowedBy));
	if (followed.size <= MAX_FOLLOWED_MEASURES) return undefined;
	return `the elements would follow ${followed.size} different numbers; the limit is ${MAX_FOLLOWED_MEASURES}`;
}

function setElements(world: World, elements: readonly HudElement[]): void {
	const fault = limitFault(elements);
	if (fault !== undefined) throw new ApiError('ui_full', `On the HUD, ${fault}.`);
	setResource(world, Hud, elements);
}

/** Returns true if an unnamed element replaces another unnamed one: they have the same type, position and size. */
function isReplacement(a: HudElement, b: HudElement): boolean {
	if (!isUnnamed(a) || a.type !== b.type) return false;
	const isEqualIn = (key: string) =>
		(a as Readonly<Record<string, unknown>>)[key] === (b as Readonly<Record<string, unknown>>)[key];
	const keys = a.type === 'text' || a.type === 'button' ? ['x', 'y'] : ['x', 'y', 'width', 'height'];
	return ['anchor', ...keys].every(isEqualIn);
}

/** Returns true if an element was sent without a name. */
const isUnnamed = ({ id, type }: HudElement): boolean =>
	/^-\d+$/.test(id.slice(type.length)) && id.startsWith(type);

/** Returns a name that no element has. */
function freeId(elements: readonly HudElement[], type: string): string {
	const usedIds = new Set(elements.map(({ id }) => id));
	for (let number = 1; ; number++) if (!usedIds.has(`${type}-${number}`)) return `${type}-${number}`;
}

/** Returns the first tick on which an element with a lifetime of `ticks` is no longer shown; null without a lifetime. */
const untilOf = (world: World, ticks: number | null | undefined): number | null =>
	ticks == null ? null : comingTick(world) + ticks;

/** Returns an element after checking its placeholders and measures. Throws `invalid_ui`. */
function requireValidElement(element: HudElement): HudElement {
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

/** Returns a stored element from its fields. Throws `invalid_body` for fields that its type does not have, and `invalid_ui`. */
function parseElement(fields: Readonly<Record<string, unknown>>): HudElement {
	const result = hudElement.safeParse(fields);
	if (!result.success) throw shapeError('invalid_body', hudElement, result.error, fields);
	return requireValidElement(result.data);
}

/** Result of `putElement`. */
export interface PutResult {
	readonly element: HudElement;
	/** True if it replaced another. */
	readonly replaced: boolean;
}

/**
 * Shows an element. It replaces the element of its name. Without a name, it replaces an unnamed element of its type at
 * its position. Throws `invalid_ui` and `ui_full`.
 */
export function putElement(world: World, type: HudElement['type'], sent: SentElement): PutResult {
	const elements = elementsOf(world);
	const { id, lifetime, type: sentType, ...fields } = sent;
	const present = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
	const kind = sentType ?? type;
	const until = untilOf(world, lifetime);
	const draft = parseElement({ ...present, type: kind, id: id ?? freeId(elements, kind), until });
	const index = elements.findIndex((other) => (id == null ? isReplacement(other, draft) : other.id === id));
	const element = index < 0 ? draft : { ...draft, id: elements[index]!.id };
	setElements(world, index < 0 ? [...elements, element] : elements.with(index, element));
	return { element, replaced: index >= 0 };
}

/** Changes fields of an element. Omitted or null fields do not change. Throws `unknown_element` and `invalid_ui`. */
export function changeElement(world: World, id: string, change: SentElement): HudElement {
	const elements = elementsOf(world);
	const index = indexOf(elements, id);
	const { lifetime, ...fields } = change;
	const changes = Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null));
	const current = elements[index]!;
	for (const name of Object.keys(changes)) requireField(current, name);
	// A bar either has a value of its own or follows a measure.
	const cleared =
		changes.fill !== undefined && changes.follow === undefined
			? { follow: null, full: null }
			: changes.follow !== undefined && changes.fill === undefined
				? { fill: null }
				: {};
	const clearedOfBar = current.type === 'bar' ? cleared : {};
	const until = lifetime == null ? current.until : untilOf(world, lifetime);
	const element = parseElement({ ...current, ...clearedOfBar, ...changes, id, until });
	setElements(world, elements.with(index, element));
	return element;
}

/** Throws `invalid_ui` for a field that only elements of other types have. */
function requireField({ id, type }: HudElement, name: string): void {
	const types = typesWithField(name);
	if (types.length === 0 || types.includes(type)) return;
	throw new ApiError('invalid_ui', `The element "${id}" is a ${type}, which has no "${name}".`, {
		path: name,
		fix: `Omit "${name}". Only elements of type ${types.join(', ')} have it.`,
	});
}

/** Changes a text or button. Creates a text if no element has the name. Throws `invalid_ui`, `ui_full`. */
export function setText(world: World, id: string, change: SentElement): void {
	const existing = elementsOf(world).find((element) => element.id === id);
	const changes = Object.fromEntries(Object.entries(change).filter(([, value]) => value != null));
	if (existing === undefined) putElement(world, 'text', { ...changes, id });
	else if (existing.type === 'text' || existing.type === 'button') changeElement(world, id, changes);
	else throw new ApiError('invalid_ui', `The element "${id}" is a ${existing.type} and shows no text.`);
}

/** Returns the index of an element. Throws `unknown_element`. */
function indexOf(elements: readonly HudElement[], id: string): number {
	const index = elements.findIndex((element) => element.id === id);
	if (index >= 0) return index;
	const fix = suggestion(
		id,
		elements.map((element) => element.id),
	);
	throw new ApiError('unknown_element', `There is no element "${id}" on the HUD.`, fix ? { fix } : {});
}

/** Removes an element. Throws `unknown_element`. */
export function removeElement(world: World, id: string): HudElement {
	const elements = elementsOf(world);
	const index = indexOf(elements, id);
	setResource(world, Hud, elements.toSpliced(index, 1));
	return elements[index]!;
}

/** Removes the elements for which `isRemoved` returns true. Returns their number. */
export function removeElements(world: World, isRemoved: (element: HudElement) => boolean): number {
	const elements = elementsOf(world);
	const remaining = elements.filter((element) => !isRemoved(element));
	if (remaining.length < elements.length) setResource(world, Hud, remaining);
	return elements.length - remaining.length;
}

/** Presses a button. Rules receive the event on the coming tick. Throws `unknown_element` and `not_a_button`. */
export function pressButton(world: World, id: string): void {
	const elements = elementsOf(world);
	const { type } = elements[indexOf(elements, id)]!;
	if (type !== 'button')
		throw new ApiError('not_a_button', `The element "${id}" is a ${type}, not a button.`);
	emit(world, UiPress, { button: id });
}
