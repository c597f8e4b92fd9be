/**
 * The views of the page, each declared in its file.
 * Owns: their list, in the order of the rail and of the number keys, and what the page must know about one.
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
	/** The parts of the page around it; both unless given. */
	readonly around?: 'rail' | 'nothing';
	/** It stays on the page while another view is shown. */
	readonly stays?: true;
	/** It has the picture, which Make has otherwise. */
	readonly stage?: true;
	/** It shows the picture beside panels about the selection. */
	readonly selects?: true;
	/** A person changes the world in it call by call, and can undo that. */
	readonly undoes?: true;
}

/** By their names, which are the hashes of their addresses. */
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
