/**
 * Where the person is on the page: the view, what is open over it, and what was refused last.
 * Owns: the view in the address's hash, open popups and notices.
 */

import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { VIEW_NAMES, type ViewName } from '../chrome/keys.ts';
import type { Refusal } from './ask.ts';

export interface Notice {
	readonly number: number;
	/** What was tried, such as "Spawn". */
	readonly what: string;
	readonly refusal: Refusal;
}

export type Popup = 'worlds' | 'keys' | 'history' | 'sign-in';

export interface Navigation {
	readonly view: ReadonlySignal<ViewName>;
	readonly popup: Signal<Popup | null>;
	readonly notice: Signal<Notice | null>;
	go(view: ViewName): void;
	/** Shows a refusal for a while, or until it is closed or another takes its place. */
	refuse(what: string, refusal: Refusal): void;
	stop(): void;
}

export function createNavigation(): Navigation {
	const read = (): ViewName => {
		const name = location.hash.slice(1);
		return VIEW_NAMES.find((view) => view === name) ?? 'start';
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
		popup,
		notice,
		go(name) {
			popup.value = null;
			view.value = name;
			if (location.hash !== `#${name}`) history.pushState(null, '', `#${name}`);
		},
		refuse(what, refusal) {
			notice.value = { number: ++number, what, refusal };
		},
		stop: () => removeEventListener('hashchange', follow),
	};
}
