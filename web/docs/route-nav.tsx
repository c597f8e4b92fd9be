/**
 * List of routes by group, or the routes that a search finds.
 * Owns: the search field, and the keys that move from it through the list.
 */

import type { RefObject } from 'preact';
import { useMemo } from 'preact/hooks';
import { Icon } from '../ui/drawn/icon.tsx';
import { tagAnchor } from './anchors.ts';
import type { ApiDocument, DocRoute } from './document.ts';
import { Method } from './method.tsx';
import { createSearch } from './search.ts';

interface RouteNavProps {
	readonly api: ApiDocument;
	/** Anchor in the address, without `#`. */
	readonly current: string;
	readonly typed: string;
	readonly setTyped: (text: string) => void;
	readonly search: RefObject<HTMLInputElement | null>;
}

export function RouteNav({ api, current, typed, setTyped, search }: RouteNavProps) {
	const find = useMemo(() => createSearch(api), [api]);
	const isSearch = typed.trim() !== '';
	const hits = useMemo(() => (isSearch ? find(typed) : []), [find, typed, isSearch]);
	const onKeyDown = (event: KeyboardEvent) => {
		const list = event.currentTarget as HTMLElement;
		const targets = [...list.querySelectorAll<HTMLElement>('input, .nav-list a')];
		const index = targets.indexOf(document.activeElement as HTMLElement);
		if (event.key === 'ArrowDown') targets[Math.min(targets.length - 1, index + 1)]?.focus();
		else if (event.key === 'ArrowUp') targets[Math.max(0, index - 1)]?.focus();
		else if (event.key === 'Escape' && isSearch) {
			setTyped('');
			search.current?.focus();
		} else if (event.key === 'Enter' && event.target === search.current && hits[0] !== undefined)
			location.hash = hits[0].route.anchor;
		else return;
		event.preventDefault();
	};
	return (
		<nav class="docs-nav" aria-label="Routes" onKeyDown={onKeyDown}>
			<div class="nav-search">
				<span class="field">
					<Icon name="search" small />
					<input
						ref={search}
						type="search"
						aria-label="Search routes"
						placeholder="Path, word, field or error"
						autocomplete="off"
						spellcheck={false}
						value={typed}
						onInput={(event) => setTyped(event.currentTarget.value)}
					/>
					<kbd>/</kbd>
				</span>
				<p class="faint" role="status">
					{isSearch ? `${hits.length} of ${api.routes.length} routes` : `${api.routes.length} routes`}
				</p>
			</div>
			<div class="nav-list">
				{isSearch ? (
					<ul>
						{hits.map(({ route, why }) => (
							<NavRoute
								key={route.id}
								route={route}
								why={why === '' ? route.summary : why}
								current={current}
							/>
						))}
						{hits.length === 0 && <li class="faint">No route has all of these words.</li>}
					</ul>
				) : (
					api.tags.map((tag) => (
						<section key={tag.name}>
							<h2>
								<a
									href={`#${tagAnchor(tag.name)}`}
									aria-current={current === tagAnchor(tag.name) ? 'page' : undefined}
								>
									{tag.name}
								</a>
							</h2>
							<ul>
								{tag.routes.map((route) => (
									<NavRoute key={route.id} route={route} why="" current={current} />
								))}
							</ul>
						</section>
					))
				)}
			</div>
		</nav>
	);
}

function NavRoute({
	route,
	why,
	current,
}: {
	readonly route: DocRoute;
	readonly why: string;
	readonly current: string;
}) {
	return (
		<li>
			<a
				href={`#${route.anchor}`}
				title={route.summary}
				aria-current={route.anchor === current ? 'page' : undefined}
			>
				<Method method={route.method} />
				<span class="nav-path">
					<code>{route.path}</code>
					{why !== '' && <small>{why}</small>}
				</span>
			</a>
		</li>
	);
}
