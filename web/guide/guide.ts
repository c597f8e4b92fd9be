/**
 * Script of the guide's pages: theme, search, copy buttons, and the service worker that keeps the guide.
 * The rest of a page works without it.
 */

import './guide.css';
import { findEntries, type SearchEntry } from './search.ts';

/** Storage key of the chosen theme, which the page also uses. */
const THEME_KEY = 'orrery.theme';
const MAX_RESULTS = 12;

const root = document.documentElement;

/** Returns the stored theme; null if there is none, or if storage is forbidden. */
function storedTheme(): string | null {
	try {
		return localStorage.getItem(THEME_KEY);
	} catch {
		return null;
	}
}

// The theme is set before the first paint, because this script is loaded in the head.
const theme = storedTheme();
if (theme === 'dark' || theme === 'light') root.dataset.theme = theme;

document.addEventListener('DOMContentLoaded', () => {
	setUpThemeButton();
	addCopyButtons();
	setUpSearch();
	scrollContentsToCurrent();
	void keepOffline();
});

/** Makes the service worker keep the guide. Without a service worker, the guide needs its server. */
async function keepOffline(): Promise<void> {
	try {
		await navigator.serviceWorker.register('../sw.js');
		const { active } = await navigator.serviceWorker.ready;
		active?.postMessage({ orrery: 'keep-guide' });
	} catch (error) {
		console.info('The guide is not kept for reading without its server.', error);
	}
}

function setUpThemeButton(): void {
	const button = document.querySelector<HTMLButtonElement>('.theme')!;
	button.hidden = false;
	button.addEventListener('click', () => {
		const isDark = root.dataset.theme
			? root.dataset.theme === 'dark'
			: matchMedia('(prefers-color-scheme: dark)').matches;
		const theme = isDark ? 'light' : 'dark';
		root.dataset.theme = theme;
		try {
			localStorage.setItem(THEME_KEY, theme);
		} catch {
			// Without storage, the choice lasts until the page is closed.
		}
	});
}

function addCopyButtons(): void {
	for (const figure of document.querySelectorAll('figure.code')) {
		const button = document.createElement('button');
		button.type = 'button';
		button.className = 'button small';
		button.textContent = 'Copy';
		button.addEventListener('click', async () => {
			const isCopied = await navigator.clipboard.writeText(figure.querySelector('pre')!.textContent).then(
				() => true,
				() => false,
			);
			button.textContent = isCopied ? 'Copied' : 'Not allowed';
			setTimeout(() => {
				button.textContent = 'Copy';
			}, 2000);
		});
		figure.append(button);
	}
}

/** Scrolls a long list of pages to the current one. */
function scrollContentsToCurrent(): void {
	const list = document.querySelector<HTMLElement>('.contents')!;
	const current = list.querySelector<HTMLElement>('[aria-current]');
	if (current === null) return;
	const { top } = current.getBoundingClientRect();
	list.scrollTop = Math.max(0, top - list.getBoundingClientRect().top - list.clientHeight / 2);
}

function setUpSearch(): void {
	const box = document.querySelector<HTMLElement>('.search')!;
	const field = box.querySelector('input')!;
	const list = box.querySelector('ul')!;
	box.hidden = false;
	let entries: Promise<readonly SearchEntry[]> | undefined;
	let active = -1;
	/** Query whose results are listed. */
	let listedQuery = '';

	const load = (): Promise<readonly SearchEntry[]> => {
		entries ??= fetch('search.json').then((answer) => answer.json() as Promise<SearchEntry[]>);
		// If the server does not answer, the next key tries again.
		entries.catch(() => {
			entries = undefined;
		});
		return entries;
	};
	const markResult = (index: number): void => {
		active = index;
		for (const [i, item] of [...list.children].entries())
			item.setAttribute('aria-selected', String(i === index));
		const item = list.children[index];
		if (item === undefined) field.removeAttribute('aria-activedescendant');
		else {
			field.setAttribute('aria-activedescendant', item.id);
			item.scrollIntoView({ block: 'nearest' });
		}
	};
	const setListOpen = (isOpen: boolean): void => {
		list.hidden = !isOpen;
		field.setAttribute('aria-expanded', String(isOpen));
		if (!isOpen) markResult(-1);
	};
	const update = async (): Promise<void> => {
		const query = field.value;
		if (query.trim() === '') return setListOpen(false);
		const results = await load().then(
			(all) => findEntries(all, query, MAX_RESULTS),
			() => null,
		);
		if (field.value !== query) return;
		listedQuery = query;
		list.replaceChildren(
			...(results === null
				? [createNote('The list of pages cannot be loaded.')]
				: results.length === 0
					? [createNote('No page has these words.')]
					: results.map(createResult)),
		);
		setListOpen(true);
		markResult(results === null || results.length === 0 ? -1 : 0);
	};
	/** Opens the marked result. Updates the list first, because a fast typist presses Enter before it is listed. */
	const open = async (): Promise<void> => {
		if (listedQuery !== field.value) await update();
		list.querySelectorAll('a')[active]?.click();
	};
	field.addEventListener('focus', () => void load().catch(() => {}));
	field.addEventListener('input', () => void update());
	field.addEventListener('keydown', (event) => {
		const links = list.querySelectorAll('a');
		if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
			if (list.hidden) void update();
			else if (links.length > 0)
				markResult((active + (event.key === 'ArrowDown' ? 1 : links.length - 1)) % links.length);
			event.preventDefault();
		} else if (event.key === 'Enter') void open();
		else if (event.key === 'Escape') {
			if (list.hidden) field.blur();
			else setListOpen(false);
			event.preventDefault();
		}
	});
	box.addEventListener('focusout', (event) => {
		if (!box.contains(event.relatedTarget as Node | null)) setListOpen(false);
	});
	list.addEventListener('click', () => setListOpen(false));
	document.addEventListener('keydown', (event) => {
		const isTyping = (event.target as Element).closest('input, textarea, select') !== null;
		if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
		event.preventDefault();
		field.focus();
		field.select();
	});
}

function createNote(text: string): HTMLLIElement {
	const item = document.createElement('li');
	item.className = 'none';
	item.textContent = text;
	return item;
}

function createResult([file, anchor, page, heading, words]: SearchEntry, index: number): HTMLLIElement {
	const item = document.createElement('li');
	item.id = `found-${index}`;
	item.role = 'option';
	const link = document.createElement('a');
	link.href = anchor === '' ? file : `${file}#${anchor}`;
	link.className = 'result';
	link.tabIndex = -1;
	const title = document.createElement('b');
	title.textContent = heading || page;
	const subtitle = document.createElement('small');
	subtitle.textContent = heading === '' ? words.slice(0, 90) : page;
	link.append(title, subtitle);
	item.append(link);
	return item;
}
