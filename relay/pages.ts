/**
 * The pages of one world that are connected.
 * Owns: the admission of pages, their news of the owner, and the page whose engine a caller ended.
 * Never: decides which engine is the owner: it passes on what happened, as events of the lease.
 */

import type { WebSocket } from 'ws';
import type { LeaseEvent } from '../shared/transport/lease.ts';
import { CLOSE_REFUSED, type Holder } from '../shared/transport/link.ts';
import { Page } from './page.ts';
import type { Tokens } from './tokens.ts';

/** The page of an engine that a caller ended. It is to reload, which one that hangs never does. */
interface EndedPage {
	readonly page: Page;
	/** In milliseconds on the steady clock. */
	readonly since: number;
}

export class Pages {
	readonly #tokens: Tokens;
	readonly #tell: (event: LeaseEvent) => void;
	readonly #pages = new Map<string, Page>();
	#endedPage: EndedPage | undefined;

	constructor(tokens: Tokens, tell: (event: LeaseEvent) => void) {
		this.#tokens = tokens;
		this.#tell = tell;
	}

	get(key: string): Page | undefined {
		return this.#pages.get(key);
	}

	get all(): readonly Page[] {
		return [...this.#pages.values()];
	}

	/** True if a page of the relay's own browser is connected. */
	get keeperHere(): boolean {
		return this.all.some(({ keeper }) => keeper);
	}

	/** Lets in the page that shows a one-time token, or closes its socket. `holds`: it has an engine with the world. */
	admit(socket: WebSocket, token: string, holds: boolean): void {
		const issued = this.#tokens.use(token);
		if (issued === undefined) {
			socket.close(CLOSE_REFUSED, 'token');
			return;
		}
		const { keeper } = issued;
		const page = new Page(socket, keeper);
		this.#pages.set(page.key, page);
		if (keeper && this.#endedPage?.page.keeper === true) this.#endedPage = undefined;
		page.listen(
			() => this.#tell({ event: 'claimed', page: page.key }),
			(code) => this.#removePage(page, isOrderly(code)),
		);
		this.#tell({ event: 'page-came', page: { id: page.key, keeper, holds } });
	}

	/** Ends the connection of a page. */
	remove(page: Page): void {
		page.end();
		this.#removePage(page, false);
	}

	#removePage(page: Page, orderly: boolean): void {
		this.#pages.delete(page.key);
		this.#tell({ event: 'page-left', page: page.key, orderly });
	}

	/** Tells every page what it is. `own`: key of the page whose engine is the owner. */
	tellRoles(own: string | undefined, holder: Holder): void {
		for (const page of this.#pages.values())
			if (page !== this.#endedPage?.page) page.tellRole(page.key === own ? 'hold' : 'visit', holder);
	}

	/** Has the page of an engine that was ended reload. */
	replace(page: Page): void {
		page.send({ kind: 'replaced' });
		this.#endedPage = { page, since: performance.now() };
	}

	/**
	 * Ends a page that was to reload and has not, and returns it: it is of no use. If it is the relay's own, neither is its browser.
	 * `here`, `gone`: milliseconds that it has while it is connected, and when it is not.
	 */
	endHung(here: number, gone: number): Page | undefined {
		if (this.#endedPage === undefined) return undefined;
		const { page, since } = this.#endedPage;
		if (performance.now() - since <= (this.#pages.has(page.key) ? here : gone)) return undefined;
		this.#endedPage = undefined;
		page.end();
		return page;
	}

	clear(): void {
		this.#pages.clear();
	}
}

/**
 * Returns true if a socket was closed by the tab itself, or by the browser when a person closes or reloads the page.
 */
export const isOrderly = (code: number): boolean => code === 1000 || code === 1001;
