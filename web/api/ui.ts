/** Handlers of the tag UI and HUD. */

import { colorWarning } from '../../shared/components/color.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import type { HudElement, HudType, SentElement } from '../../shared/documents/hud.ts';
import { parseColor } from '../../shared/media/palette.ts';
import * as routes from '../../shared/routes/ui.ts';
import type { World } from '../sim/core/world.ts';
import * as hud from '../sim/hud/hud.ts';
import type { ShownElement } from '../sim/rules/conditions/hud-reading.ts';
import { shownHud } from '../sim/rules/shown-hud.ts';
import type { Context, Host } from './context.ts';
import { handler } from './handler.ts';
import { warningsField } from './warnings-field.ts';

/** Returns an element as answers show it. */
function elementView(world: World, { until, ...element }: ShownElement) {
	return { ...element, lifetime: until === null ? null : until - world.tick };
}

function currentElementView(world: World, { id }: HudElement) {
	return elementView(world, shownHud(world).find((element) => element.id === id)!);
}

/**
 * Returns an element whose picture is named by its hash. Throws `asset_missing` and `asset_refused`.
 */
async function withImageHash({ assets }: Host, sent: SentElement): Promise<SentElement> {
	if (typeof sent.image !== 'string') return sent;
	const { hash, mediaType } = await assets.load(sent.image);
	if (mediaType.startsWith('image/')) return { ...sent, image: hash };
	throw new ApiError('asset_refused', `The asset "${sent.image}" is ${mediaType}, not a picture.`, {
		path: 'image',
		fix: 'Upload a PNG, JPEG or WebP picture with POST /asset/upload and send its name or hash.',
	});
}

const colorWarnings = ({ color }: SentElement): string[] =>
	typeof color === 'string' && parseColor(color) === null ? [colorWarning(color)] : [];

const createShowHandler =
	(defaultType: HudType) =>
	async ({ world, host }: Context, { body }: { readonly body: SentElement }) => {
		const { element, replaced } = hud.putElement(world, defaultType, await withImageHash(host, body));
		return {
			message: `The ${element.type} "${element.id}" is shown.`,
			id: element.id,
			replaced,
			element: currentElementView(world, element),
			...warningsField(colorWarnings(body)),
		};
	};

export const handlers = [
	handler(routes.showText, createShowHandler('text')),
	handler(routes.showBar, createShowHandler('bar')),
	handler(routes.showRect, createShowHandler('rect')),
	handler(routes.showImage, createShowHandler('image')),
	handler(routes.showButton, createShowHandler('button')),

	handler(routes.pressButton, ({ world }, { body: { id } }) => {
		hud.pressButton(world, id);
		return { message: `Pressed "${id}" at tick ${world.tick}.` };
	}),

	handler(routes.updateElement, async ({ world, host }, { body }) => {
		const { id, ...change } = body;
		const element = hud.changeElement(world, id, await withImageHash(host, change));
		return {
			message: `The ${element.type} "${id}" was changed.`,
			id,
			element: currentElementView(world, element),
			...warningsField(colorWarnings(change)),
		};
	}),

	handler(routes.removeElement, ({ world }, { params: { id } }) => ({
		deleted: hud.removeElement(world, id).id,
	})),

	handler(routes.clearUi, ({ world }) => {
		const removed = hud.removeElements(world, () => true);
		return { message: `Removed ${removed} elements.`, removed };
	}),

	handler(routes.listElements, ({ world }) => {
		const elements = shownHud(world).map((element) => elementView(world, element));
		return { elements, count: elements.length };
	}),
];
