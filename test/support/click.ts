/**
 * Clicks in a page, like those of a person.
 * Owns: waiting until an element can be clicked: it is enabled, does not move, and is not covered.
 */

import type { ElementHandle, Page } from 'puppeteer';
import { PATIENCE } from './patience.ts';

/** Clicks the first element of a selector, when a click reaches it. After a timeout, rejects with the obstacle. */
export async function clickOn(page: Page, selector: string): Promise<void> {
	// A tab in the background has no animation frames, and gets no click.
	await page.bringToFront();
	const element = (await page.waitForSelector(selector)) as ElementHandle<HTMLElement>;
	// Times out before the browser command does.
	const obstacle = await element.evaluate(untilClear, PATIENCE / 2);
	if (obstacle !== null) throw new Error(`A click does not reach "${selector}": ${obstacle}`);
	await element.click();
}

/** Runs in the page. Resolves to null when a click in the middle reaches the element, or to the obstacle after `patience`. */
async function untilClear(element: HTMLElement, patience: number): Promise<string | null> {
	const control = element.closest('button, select, input') ?? element;
	const end = performance.now() + patience;
	for (let lastPosition = ''; ; ) {
		element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
		const { x, y, width, height } = element.getBoundingClientRect();
		const position = [x, y, width, height].join();
		const top = document.elementFromPoint(x + width / 2, y + height / 2);
		let obstacle: string | null = null;
		if (!element.isConnected) return 'It is gone.';
		if (control.matches(':disabled')) obstacle = 'It is disabled.';
		else if (position !== lastPosition) obstacle = 'It moves.';
		else if (top === null) obstacle = 'It is outside of the window.';
		else if (!control.contains(top) && !top.contains(element))
			obstacle = `It is below ${top.outerHTML.slice(0, 200)}`;
		if (obstacle === null || performance.now() > end) return obstacle;
		lastPosition = position;
		await new Promise(requestAnimationFrame);
	}
}
