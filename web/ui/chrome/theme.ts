/**
 * Dark or light theme: the preference of the system, until a person chooses.
 * Owns: the choice in this browser's local storage, and the mark on the document.
 */

import { type ReadonlySignal, signal } from '@preact/signals';

export type Theme = 'dark' | 'light';

const KEY = 'orrery.theme';

export interface ThemeState {
	readonly theme: ReadonlySignal<Theme>;
	/** Changes to the other theme and stores the choice. */
	toggle(): void;
	stop(): void;
}

/** Returns the stored choice, or null. If the browser blocks storage, a choice lasts as long as the page. */
function loadTheme(): Theme | null {
	try {
		const value = localStorage.getItem(KEY);
		return value === 'dark' || value === 'light' ? value : null;
	} catch {
		return null;
	}
}

function saveTheme(theme: Theme): void {
	try {
		localStorage.setItem(KEY, theme);
	} catch (error) {
		console.warn(
			'The theme is not remembered, because this browser blocks local storage for the page.',
			error,
		);
	}
}

export function createTheme(): ThemeState {
	const light = matchMedia('(prefers-color-scheme: light)');
	const system = (): Theme => (light.matches ? 'light' : 'dark');
	let chosen = loadTheme();
	const theme = signal<Theme>(chosen ?? system());
	const mark = () => {
		if (chosen === null) delete document.documentElement.dataset.theme;
		else document.documentElement.dataset.theme = chosen;
	};
	const follow = () => {
		if (chosen === null) theme.value = system();
	};
	mark();
	light.addEventListener('change', follow);
	return {
		theme,
		toggle() {
			chosen = theme.value === 'dark' ? 'light' : 'dark';
			theme.value = chosen;
			saveTheme(chosen);
			mark();
		},
		stop: () => light.removeEventListener('change', follow),
	};
}
