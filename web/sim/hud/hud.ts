/**
 * What is written over the picture. View scope: saved and forked, never digested.
 * Owns: the list of elements.
 */

import * as z from 'zod';
import { integer, number, text } from '../../../shared/contract/values.ts';
import { type Resource, resource, setResource } from '../core/resource.ts';
import type { World } from '../core/world.ts';

const element = z.strictObject({
	type: z.literal('text'),
	id: integer('Number of the element'),
	text: text('What is shown', 500),
	x: number('Horizontal position: 0 is the left edge, 1 the right edge'),
	y: number('Vertical position: 0 is the top edge, 1 the bottom edge'),
	size: number('Height of the letters', { unit: 'pixels' }),
	color: text('Colour'),
});

export type HudElement = z.output<typeof element>;

export const Hud: Resource<readonly HudElement[]> = {
	name: 'hud',
	scope: 'view',
	summary: 'What is written over the picture',
	schema: z.array(element),
	initial: () => [],
};

/** Most elements kept; the oldest goes when another comes. */
const MOST = 200;

/** Shows a text. One at the same place is replaced. */
export function showText(world: World, shown: Omit<HudElement, 'id' | 'type'>): HudElement {
	const elements = resource(world, Hud) ?? [];
	const added: HudElement = { type: 'text', id: (elements.at(-1)?.id ?? 0) + 1, ...shown };
	const others = elements.filter(({ x, y }) => x !== shown.x || y !== shown.y);
	setResource(world, Hud, [...others, added].slice(-MOST));
	return added;
}
