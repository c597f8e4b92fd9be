/**
 * The reference: the list of routes, and beside it the selected route or group.
 * Owns: the selection (the address after the `#`), the search, and the keys.
 */

import type { ReadonlySignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ThemeState } from '../ui/chrome/theme.ts';
import { Icon } from '../ui/drawn/icon.tsx';
import { Wordmark } from '../ui/drawn/wordmark.tsx';
import type { PageIdentity } from '../ui/session/page-session.ts';
import { tagAnchor } from './anchors.ts';
import type { ApiDocument } from './document.ts';
import { Overview, TagView } from './overview.tsx';
import { RouteNav } from './route-nav.tsx';
import { RouteView } from './route-view.tsx';
import type { SendCall } from './run-example.ts';

export type Loading =
	| { readonly kind: 'waiting' }
	| { readonly kind: 'failed'; readonly why: string }
	| { readonly kind: 'ready'; readonly document: ApiDocument };

interface DocsPageProps {
	readonly loading: ReadonlySignal<Loading>;
	readonly load: () => void;
	readonly send: SendCall;
	readonly who: ReadonlySignal<PageIdentity>;
	readonly theme: ThemeState;
	/** Path of the folder that has the page of the world. */
	readonly root: string;
	/** Address to which other programs send their calls. */
	readonly address: string;
}

function useHash(): string {
	const [hash, setHash] = useState(location.hash.slice(1));
	useEffect(() => {
		const onHashChange = () => setHash(location.hash.slice(1));
		addEventListener('hashchange', onHashChange);
		return () => removeEventListener('hashchange', onHashChange);
	}, []);
	return hash;
}

export function DocsPage(props: DocsPageProps) {
	const { loading, theme, root } = props;
	const state = loading.value;
	const otherTheme = theme.theme.value === 'dark' ? 'light' : 'dark';
	return (
		<div class="docs">
			<button type="button" class="skip" onClick={() => document.getElementById('content')?.focus()}>
				To the content
			</button>
			<header class="docs-bar">
				<a class="home" href={root} aria-label="Orrery: to the world">
					<Wordmark />
				</a>
				<span class="docs-title">API reference</span>
				<span class="grow" />
				<nav aria-label="Other pages">
					<a href={root}>World</a>
					<a href={`${root}guide`}>Guide</a>
					<a href={`${root}openapi.json`}>OpenAPI</a>
				</nav>
				<button
					type="button"
					class="button quiet square"
					aria-label={`Change to ${otherTheme}`}
					title={`Change to ${otherTheme}`}
					onClick={() => theme.toggle()}
				>
					<Icon name={otherTheme === 'light' ? 'sun' : 'moon'} />
				</button>
			</header>
			{state.kind === 'ready' ? (
				<Reference {...props} document={state.document} />
			) : (
				<LoadingView state={state} load={props.load} root={root} />
			)}
		</div>
	);
}

function LoadingView({
	state,
	load,
	root,
}: {
	readonly state: Loading;
	readonly load: () => void;
	readonly root: string;
}) {
	return (
		<main class="docs-empty" id="content" tabIndex={-1} aria-live="polite">
			<h1>API reference</h1>
			{state.kind === 'failed' ? (
				<>
					<p>
						The reference is read from a running world. {state.why} Open the world in a tab of this browser
						and leave it open, then try again here.
					</p>
					<p class="docs-actions">
						{/* biome-ignore lint/security/noBlankTarget: the page of the world, which takes the session along */}
						<a class="button primary" href={root} target="_blank" rel="opener">
							Open the world
						</a>
						<button type="button" class="button" onClick={load}>
							Try again
						</button>
					</p>
				</>
			) : (
				<p class="soft">Reading the routes of the running world.</p>
			)}
		</main>
	);
}

function Reference({
	document: api,
	send,
	who,
	address,
}: DocsPageProps & { readonly document: ApiDocument }) {
	const hash = useHash();
	const [typed, setTyped] = useState('');
	const main = useRef<HTMLElement>(null);
	const search = useRef<HTMLInputElement>(null);
	const route = useMemo(() => api.routes.find(({ anchor }) => anchor === hash), [api, hash]);
	const tag = useMemo(() => api.tags.find(({ name }) => tagAnchor(name) === hash), [api, hash]);
	useEffect(() => {
		const subject = route === undefined ? (tag?.name ?? 'API reference') : `${route.method} ${route.path}`;
		document.title = `Orrery: ${subject}`;
		main.current?.scrollTo(0, 0);
		scrollTo(0, 0);
	}, [route, tag]);
	// Keys must work as soon as the list is shown. An effect after the paint is late on a busy machine.
	useLayoutEffect(() => {
		const onKeyDown = (event: KeyboardEvent) => {
			const target = event.target as HTMLElement;
			if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
			if (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return;
			event.preventDefault();
			// The field must get the next key. On a small screen, the list is shown only without a route.
			if (search.current?.checkVisibility() !== false) search.current?.select();
			else {
				location.hash = 'routes';
				requestAnimationFrame(() => search.current?.select());
			}
		};
		addEventListener('keydown', onKeyDown);
		return () => removeEventListener('keydown', onKeyDown);
	}, []);
	const isHome = route === undefined && tag === undefined;
	return (
		<div class={`docs-body${isHome ? ' at-home' : ''}`}>
			<RouteNav api={api} current={hash} typed={typed} setTyped={setTyped} search={search} />
			<main ref={main} id="content" tabIndex={-1}>
				{!isHome && (
					<a class="back" href="#routes">
						<Icon name="right" small />
						All routes
					</a>
				)}
				{route !== undefined ? (
					<RouteView key={route.id} api={api} route={route} send={send} who={who} address={address} />
				) : tag !== undefined ? (
					<TagView tag={tag} />
				) : (
					<Overview api={api} address={address} />
				)}
			</main>
		</div>
	);
}
