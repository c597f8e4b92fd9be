/**
 * The views of the page. Each is declared in its own file.
 * Owns: their list, in the order of the rail and of the number keys, and the properties of a view.
 */

import type { ComponentType } from 'preact';
import { api } from '../api/api-view.tsx';
import type { IconName } from '../drawn/icon.tsx';
import { forks } from '../forks/forks-view.tsx';
import { make } from '../make/make-view.tsx';
import { odds } from '../odds/odds-view.tsx';
import { play } from '../play/play-view.tsx';
import { start } from '../start/start-view.tsx';

export interface PageView {
	readonly label: string;
	readonly icon: IconName;
	readonly Component: ComponentType;
	/** Part of the page around the view. If the field is missing, rail and bar are shown. */
	readonly around?: 'rail' | 'nothing';
	/** The view stays on the page while another view is shown. */
	readonly stays?: true;
	/** The view shows the picture, which otherwise belongs to Make. */
	readonly stage?: true;
	/** The view shows the picture beside panels about the selection. */
	readonly selects?: true;
	/** A person changes the world in this view, and can undo the changes. */
	readonly undoes?: true;
}

/** Views by name. The name is also the hash of the view's address. */
export const VIEWS = {
	start,
	play,
	make,
	odds,
	forks,
	api,
};

export type ViewName = keyof typeof VIEWS;

export type PageViews = Readonly<Record<ViewName, PageView>>;
