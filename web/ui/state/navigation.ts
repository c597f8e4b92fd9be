/**
 * Navigation of the page: the view, the open popup, and the last refusal or result.
 * Owns: the view in the hash of the address, popups and notices.
 */

import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { PageView, PageViews, ViewName } from '../chrome/views.ts';
import type { Refusal } from './ask.ts';

/** Refused action. */
export interface RefusedNotice {
	/** Action that was tried, such as "Spawn". */
	readonly what: string;
	readonly refusal: Refusal;
}

/** Completed action, if nothing else on the page shows it. */
export interface ResultNotice {
	readonly result: string;
	/** Further details. */
	readonly soft: string;
	/** Next steps that the notice offers. */
	readonly next: readonly NextStep[];
}

export interface NextStep {
	readonly label: string;
	readonly take: () => void;
}

export type Notice = { readonly number: number } & (RefusedNotice | ResultNotice);

export type Popup = 'worlds' | 'keys' | 'history' | 'sign-in';

export interface Navigation {
	readonly view: ReadonlySignal<ViewName>;
	/** Declaration of the view. */
	readonly shown: ReadonlySignal<PageView>;
	/** All views, in their order. */
	readonly names: readonly ViewName[];
	readonly popup: Signal<Popup | null>;
	readonly notice: Signal<Notice | null>;
	/** True if the person has closed the note about visiting. */
	readonly isVisitNoteClosed: Signal<boolean>;
	go(view: ViewName): void;
	/** Shows a refusal until it is closed, replaced or has been shown long enough. */
	refuse(what: string, refusal: Refusal): void;
	/** Shows what was done, in the same place, for a shorter time without a next step. */
	tell(result: string, soft: string, ...next: readonly NextStep[]): void;
	stop(): void;
}

export function createNavigation(views: PageViews): Navigation {
	const read = (): ViewName => {
		const name = location.hash.slice(1);
		return Object.hasOwn(views, name) ? (name as ViewName) : 'start';
	};
	const view = signal<ViewName>(read());
	const popup = signal<Popup | null>(null);
	const notice = signal<Notice | null>(null);
	let number = 0;
	const readHash = () => {
		view.value = read();
		popup.value = null;
	};
	addEventListener('hashchange', readHash);
	return {
		view,
		shown: computed(() => views[view.value]),
		names: Object.keys(views) as ViewName[],
		popup,
		notice,
		isVisitNoteClosed: signal(false),
		go(name) {
			popup.value = null;
			view.value = name;
			if (location.hash !== `#${name}`) history.pushState(null, '', `#${name}`);
		},
		refuse(what, refusal) {
			notice.value = { number: ++number, what, refusal };
		},
		tell(result, soft, ...next) {
			notice.value = { number: ++number, result, soft, next };
		},
		stop: () => removeEventListener('hashchange', readHash),
	};
}
