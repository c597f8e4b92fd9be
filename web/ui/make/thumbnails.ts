/**
 * Pictures of library items, drawn by the engine.
 * Owns: drawing each once, when its tile is first visible, one at a time.
 */

import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { PanelServices } from '../services.ts';
import { ask } from '../state/ask.ts';
import { usePanels } from '../state/panels.ts';

/** Size in device pixels. */
const SIZE = 96;

/** Spawn document of the shown entity. */
export type Shown = Readonly<Record<string, unknown>>;

/** Address of each picture by its spawn document; null if the engine could not draw it. */
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

/** Returns the picture of an item; null before it is drawn, and for items without a picture. */
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
