/**
 * Clicks in a page, as a person makes them.
 * Owns: when an element can be clicked: it is enabled and still, and nothing is over it.
 */

import type { ElementHandle, Page } from 'puppeteer';
import { PATIENCE } from './patience.ts';

/** Clicks the first element that a selector finds, once a click reaches it. Rejects with what is in the way in the end. */
export async function clickOn(page: Page, selector: string): Promise<void> {
	// A tab behind another has no frames, and takes no click.
	await page.bringToFront();
	const element = (await page.waitForSelector(selector)) as ElementHandle<HTMLElement>;
	// Ends before the command itself does.
	const obstacle = await element.evaluate(untilClear, PATIENCE / 2);
	if (obstacle !== null) throw new Error(`A click does not reach "${selector}": ${obstacle}`);
	await element.click();
}

/** Runs in the page. Resolves with null when a click in the middle of an element reaches it, or in the end with the obstacle. */
async function untilClear(element: HTMLElement, patience: number): Promise<string | null> {
	const control = element.closest('button, select, input') ?? element;
	const end = performance.now() + patience;
	for (let before = ''; ; ) {
		element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
		const { x, y, width, height } = element.getBoundingClientRect();
		const place = [x, y, width, height].join();
		const top = document.elementFromPoint(x + width / 2, y + height / 2);
		let obstacle: string | null = null;
		if (!element.isConnected) return 'It is gone.';
		if (control.matches(':disabled')) obstacle = 'It is disabled.';
		else if (place !== before) obstacle = 'It moves.';
		else if (top === null) obstacle = 'It is outside of the window.';
		else if (!control.contains(top) && !top.contains(element))
			obstacle = `It is below ${top.outerHTML.slice(0, 200)}`;
		if (obstacle === null || performance.now() > end) return obstacle;
		before = place;
		await new Promise(requestAnimationFrame);
	}
}
