/**
 * State of the page for its person: the view, what is open over it, and the last refusal or result.
 * Owns: the view in the address's hash, open popups and notices.
 */

import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { PageView, PageViews, ViewName } from '../chrome/views.ts';
import type { Refusal } from './ask.ts';

/** Reason that something was not done. */
export interface RefusedNotice {
	/** Action that was tried, such as "Spawn". */
	readonly what: string;
	readonly refusal: Refusal;
}

/** Completed action, if nothing else on the page shows it. */
export interface ToldNotice {
	readonly told: string;
	/** Further details. */
	readonly soft: string;
	/** A next step that the notice offers. */
	readonly next?: NextStep;
}

export interface NextStep {
	readonly label: string;
	readonly take: () => void;
}

export type Notice = { readonly number: number } & (RefusedNotice | ToldNotice);

export type Popup = 'worlds' | 'keys' | 'history' | 'sign-in';

export interface Navigation {
	readonly view: ReadonlySignal<ViewName>;
	/** Its declaration. */
	readonly shown: ReadonlySignal<PageView>;
	/** All views, in their order. */
	readonly names: readonly ViewName[];
	readonly popup: Signal<Popup | null>;
	readonly notice: Signal<Notice | null>;
	/** True if a visitor has closed the note about it. */
	readonly isVisitNoteClosed: Signal<boolean>;
	go(view: ViewName): void;
	/** Shows a refusal for a while, or until it is closed or another takes its place. */
	refuse(what: string, refusal: Refusal): void;
	/** Says what was done, in the same place, for a shorter while if there is no next step to choose. */
	tell(told: string, soft: string, next?: NextStep): void;
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
	const follow = () => {
		view.value = read();
		popup.value = null;
	};
	addEventListener('hashchange', follow);
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
		tell(text, soft, next) {
			notice.value = { number: ++number, told: text, soft, ...(next === undefined ? {} : { next }) };
		},
		stop: () => removeEventListener('hashchange', follow),
	};
}
