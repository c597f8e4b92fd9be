/**
 * The list of routes by group, or those that a search finds.
 * Owns: the field, and the keys that walk from it through the list.
 */

import type { RefObject } from 'preact';
import { useMemo } from 'preact/hooks';
import { Icon } from '../ui/drawn/icon.tsx';
import { tagAnchor } from './anchors.ts';
import type { ApiDocument, DocRoute } from './document.ts';
import { Method } from './method.tsx';
import { searcher } from './search.ts';

interface RouteNavProps {
	readonly api: ApiDocument;
	/** Anchor in the address, without `#`. */
	readonly current: string;
	readonly typed: string;
	readonly setTyped: (text: string) => void;
	readonly search: RefObject<HTMLInputElement | null>;
}

export function RouteNav({ api, current, typed, setTyped, search }: RouteNavProps) {
	const find = useMemo(() => searcher(api), [api]);
	const isSearch = typed.trim() !== '';
	const found = useMemo(() => (isSearch ? find(typed) : []), [find, typed, isSearch]);
	const walk = (event: KeyboardEvent) => {
		const list = event.currentTarget as HTMLElement;
		const stops = [...list.querySelectorAll<HTMLElement>('input, .nav-list a')];
		const at = stops.indexOf(document.activeElement as HTMLElement);
		if (event.key === 'ArrowDown') stops[Math.min(stops.length - 1, at + 1)]?.focus();
		else if (event.key === 'ArrowUp') stops[Math.max(0, at - 1)]?.focus();
		else if (event.key === 'Escape' && isSearch) {
			setTyped('');
			search.current?.focus();
		} else if (event.key === 'Enter' && event.target === search.current && found[0] !== undefined)
			location.hash = found[0].route.anchor;
		else return;
		event.preventDefault();
	};
	return (
		<nav class="docs-nav" aria-label="Routes" onKeyDown={walk}>
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
					{isSearch ? `${found.length} of ${api.routes.length} routes` : `${api.routes.length} routes`}
				</p>
			</div>
			<div class="nav-list">
				{isSearch ? (
					<ul>
						{found.map(({ route, why }) => (
							<NavRoute
								key={route.id}
								route={route}
								why={why === '' ? route.summary : why}
								current={current}
							/>
						))}
						{found.length === 0 && <li class="faint">No route has all of these words.</li>}
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
