/**
 * Pictures of things of the library, as the engine draws them.
 * Owns: that each is drawn once, when its tile is first seen, one at a time.
 */

import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { PanelServices } from '../services.ts';
import { ask } from '../state/ask.ts';
import { usePanels } from '../state/panels.ts';

/** Device pixels. */
const SIZE = 96;

/** Entity as POST /spawn takes it. */
export type Shown = Readonly<Record<string, unknown>>;

/** Address of each picture, or null if the engine drew none, by what it shows. */
const cache = new Map<string, string | null>();
let before: Promise<unknown> = Promise.resolve();

async function draw(services: PanelServices, shown: Shown): Promise<string | null> {
	const outcome = await ask(services, 'POST', '/screenshot', {
		query: { width: SIZE, height: SIZE, hud: 'false', format: 'webp' },
		body: { spawn: [shown] } as never,
		on: 'panels',
	});
	const picture = outcome.ok ? outcome.body.pictures?.[0] : undefined;
	return picture === undefined ? null : `data:${picture.type};base64,${picture.data}`;
}

/** Returns the picture of a thing, once its tile was seen and it is drawn; null before, and for what is not drawn. */
export function useThumbnail(shown: Shown | undefined, tile: RefObject<Element | null>): string | null {
	const { services } = usePanels();
	const key = shown === undefined ? '' : JSON.stringify(shown);
	const canDraw = services.picture.value.kind === 'drawing';
	const [, redraw] = useState('');
	useEffect(() => {
		if (shown === undefined || !canDraw || cache.has(key)) return;
		let isSeen = false;
		const observer = new IntersectionObserver((entries) => {
			isSeen = entries.at(-1)!.isIntersecting;
			if (!isSeen) return;
			before = before.then(async () => {
				if (!isSeen || cache.has(key)) return;
				cache.set(key, await draw(services, shown));
				redraw(key);
			});
		});
		observer.observe(tile.current!);
		return () => {
			isSeen = false;
			observer.disconnect();
		};
	}, [services, key, canDraw]);
	return cache.get(key) ?? null;
}
