/**
 * Connected pages of one world.
 * Owns: the admission of pages, the roles that they are sent, and the page whose engine a caller ended.
 * Never: decides which engine is the owner. It passes events to the lease, which decides.
 */

import type { WebSocket } from 'ws';
import type { LeaseEvent } from '../shared/transport/lease.ts';
import { CLOSE_REFUSED, type Holder } from '../shared/transport/link.ts';
import { Page } from './page.ts';
import type { Tokens } from './tokens.ts';

/** Page of an engine that a caller ended. It must reload, which a hung page never does. */
interface EndedPage {
	readonly page: Page;
	/** Time at which its engine was ended (ms on the steady clock). */
	readonly since: number;
}

export class Pages {
	readonly #tokens: Tokens;
	readonly #apply: (event: LeaseEvent) => void;
	readonly #pages = new Map<string, Page>();
	#endedPage: EndedPage | undefined;

	constructor(tokens: Tokens, apply: (event: LeaseEvent) => void) {
		this.#tokens = tokens;
		this.#apply = apply;
	}

	get(key: string): Page | undefined {
		return this.#pages.get(key);
	}

	get all(): readonly Page[] {
		return [...this.#pages.values()];
	}

	/** True if a page of the relay's own browser is connected. */
	get isKeeperConnected(): boolean {
		return this.all.some(({ keeper }) => keeper);
	}

	/** Admits a page that shows a one-time token, or closes its socket. `holds`: its engine has the world. */
	admit(socket: WebSocket, token: string, holds: boolean): void {
		const issued = this.#tokens.redeem(token);
		if (issued === undefined) {
			socket.close(CLOSE_REFUSED, 'token');
			return;
		}
		const { keeper } = issued;
		const page = new Page(socket, keeper);
		this.#pages.set(page.key, page);
		if (keeper && this.#endedPage?.page.keeper === true) this.#endedPage = undefined;
		page.listen(
			() => this.#apply({ event: 'claimed', page: page.key }),
			(code) => this.#removePage(page, isOrderly(code)),
		);
		this.#apply({ event: 'page-came', page: { id: page.key, keeper, holds } });
	}

	/** Ends the connection of a page. */
	remove(page: Page): void {
		page.end();
		this.#removePage(page, false);
	}

	#removePage(page: Page, isClosedOrderly: boolean): void {
		this.#pages.delete(page.key);
		this.#apply({ event: 'page-left', page: page.key, orderly: isClosedOrderly });
	}

	/** Sends every page its role. `ownerKey`: key of the page whose engine is the owner. */
	sendRoles(ownerKey: string | undefined, holder: Holder): void {
		for (const page of this.#pages.values())
			if (page !== this.#endedPage?.page) page.sendRole(page.key === ownerKey ? 'hold' : 'visit', holder);
	}

	/** Makes the page of an ended engine reload. */
	replace(page: Page): void {
		page.send({ kind: 'replaced' });
		this.#endedPage = { page, since: performance.now() };
	}

	/**
	 * Ends and returns the page that should have reloaded and has not, if its time is over. If it is the relay's own page,
	 * its browser hangs too. `connectedWait`, `lostWait`: milliseconds that the page has while it is connected, and while
	 * it is not.
	 */
	endHung(connectedWait: number, lostWait: number): Page | undefined {
		if (this.#endedPage === undefined) return undefined;
		const { page, since } = this.#endedPage;
		if (performance.now() - since <= (this.#pages.has(page.key) ? connectedWait : lostWait)) return undefined;
		this.#endedPage = undefined;
		page.end();
		return page;
	}

	clear(): void {
		this.#pages.clear();
	}
}

/**
 * Returns true if the tab closed its socket, or the browser did because the page was closed or reloaded.
 */
export const isOrderly = (code: number): boolean => code === 1000 || code === 1001;
