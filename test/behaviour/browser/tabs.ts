/**
 * Tabs of the run's Chromium, for test files that need no browser of their own.
 * Owns: a browser context, so that no other file shares its storage, service workers or tabs.
 */

import puppeteer, { type Page } from 'puppeteer';
import { inject } from 'vitest';
import { newTab } from '../../support/browser.ts';
import { PATIENCE } from '../../support/patience.ts';

/** The common part of a browser and a context. */
export interface Tabs {
	newPage(): Promise<Page>;
	pages(): Promise<Page[]>;
	close(): Promise<void>;
}

/**
 * Opens a context whose tabs have this size (CSS pixels). By default, a pixel of the picture is two CSS pixels wide, because
 * the processor draws it. The caller closes it.
 */
export async function openTabs(width = 1280, height = 720, deviceScaleFactor = 0.5): Promise<Tabs> {
	const browserWSEndpoint = inject('browsers')[Number(process.env.VITEST_POOL_ID) - 1]!;
	const defaultViewport = { width, height, deviceScaleFactor };
	const browser = await puppeteer.connect({ browserWSEndpoint, defaultViewport, protocolTimeout: PATIENCE });
	const context = await browser.createBrowserContext();
	return {
		newPage: () => newTab(context),
		pages: () => context.pages(),
		async close() {
			await context.close();
			await browser.disconnect();
		},
	};
}

/**
 * Moves the world to a visiting tab. The script of the page clicks the button, because the layout may still move under
 * the mouse.
 */
export async function moveHere(page: Page): Promise<void> {
	const button = await page.waitForSelector('button::-p-text(Move the world here)');
	await button!.evaluate((element) => (element as HTMLElement).click());
}
