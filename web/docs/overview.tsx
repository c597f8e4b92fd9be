/**
 * Pages without a selected route: an overview of the interface, and the routes of a group.
 * Owns: the texts of the overview.
 */

import { tagAnchor } from './anchors.ts';
import type { ApiDocument, DocTag } from './document.ts';
import { Method } from './method.tsx';

export function Overview({ api, address }: { readonly api: ApiDocument; readonly address: string }) {
	return (
		<article class="docs-page">
			<h1>API reference</h1>
			<p class="lead">
				{api.routes.length} routes drive the world over HTTP, with JSON in both directions. Their examples run
				here: the page forks the live world, makes the call in the fork, shows the answer and the picture, and
				deletes the fork. The world itself stays as it is. If a fork cannot contain a call, a recorded answer
				is shown.
			</p>
			<dl class="facts">
				<div>
					<dt>Address</dt>
					<dd>
						<code>{address}</code>
					</dd>
				</div>
				<div>
					<dt>Body</dt>
					<dd>
						A JSON object, with <code>Content-Type: application/json</code>
					</dd>
				</div>
				<div>
					<dt>World</dt>
					<dd>
						<code>?world=ID</code> selects a fork; without it a call is about main
					</dd>
				</div>
				<div>
					<dt>Refusal</dt>
					<dd>
						<code>code</code>, a sentence in <code>message</code>, and what to send instead in{' '}
						<code>fix</code>
					</dd>
				</div>
			</dl>
			<ul class="tag-cards">
				{api.tags.map((tag) => (
					<li key={tag.name}>
						<a href={`#${tagAnchor(tag.name)}`}>
							<b>{tag.name}</b>
							<span>{tag.description}</span>
							<small>{tag.routes.length === 1 ? '1 route' : `${tag.routes.length} routes`}</small>
						</a>
					</li>
				))}
			</ul>
		</article>
	);
}

export function TagView({ tag }: { readonly tag: DocTag }) {
	return (
		<article class="docs-page">
			<h1>{tag.name}</h1>
			<p class="lead">{tag.description}</p>
			<ul class="tag-routes">
				{tag.routes.map((route) => (
					<li key={route.id}>
						<a href={`#${route.anchor}`}>
							<Method method={route.method} />
							<code>{route.path}</code>
							<span>{route.summary}</span>
						</a>
					</li>
				))}
			</ul>
		</article>
	);
}
