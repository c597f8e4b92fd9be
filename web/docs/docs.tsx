/**
 * The API reference at /docs: the routes that GET /openapi.json of the running world describes, with examples that run there.
 * Owns: the sending of calls, and the state of loading the document. The page is an ordinary client without an engine.
 */

import { reasonOf } from '../../shared/contract/reason.ts';
import './docs.css';
import { signal } from '@preact/signals';
import { render } from 'preact';
import { createTheme } from '../ui/chrome/theme.ts';
import { createPageSession, type PageSession } from '../ui/session/page-session.ts';
import { refusalIn } from '../ui/state/ask.ts';
import { DocsPage, type Loading } from './docs-page.tsx';
import { readDocument } from './document.ts';
import type { DocAnswer, ExampleCallSent, SendCall } from './run-example.ts';

/** Folder of the world's page, which may be below a path of a static host. */
const rootPath = location.pathname.replace(/docs\/?(index\.html)?$/, '');
const urlOf = (path: string): string => rootPath + path.slice(1);

/** Forks of runs that have not ended. */
const openForks = new Set<string>();

const request = ({ method, path, body, accept }: ExampleCallSent): Promise<Response> =>
	fetch(urlOf(path), {
		method,
		headers: {
			accept: accept ?? 'application/json',
			'x-agent': 'docs',
			...session.headers(),
			...(body === undefined ? {} : { 'content-type': 'application/json' }),
		},
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
	});

const send: SendCall = async (call) => {
	const fork = call.path === '/fork' ? (call.body as { readonly fork_id: string }).fork_id : undefined;
	if (fork !== undefined) openForks.add(fork);
	const beginTime = performance.now();
	const answer = await read(await request(call));
	if (call.method === 'DELETE') openForks.delete(call.path.slice('/fork/'.length));
	return { ...answer, ms: performance.now() - beginTime };
};

async function read(response: Response): Promise<Omit<DocAnswer, 'ms'>> {
	const { status, headers } = response;
	if (headers.get('content-type')?.startsWith('image/') === true) {
		const picture = await response.blob();
		return { status, body: `${picture.type}, ${picture.size} bytes`, picture };
	}
	const text = await response.text();
	try {
		return { status, body: text === '' ? null : (JSON.parse(text) as unknown) };
	} catch {
		// A server without a world answers with its own page.
		return { status, body: text };
	}
}

const session: PageSession = createPageSession({
	call: (method, path, body) => send({ method, path, body }),
	kept: sessionStorage,
});

const loading = signal<Loading>({ kind: 'waiting' });

async function load(): Promise<void> {
	loading.value = { kind: 'waiting' };
	try {
		const { status, body } = await send({ method: 'GET', path: '/openapi.json' });
		const refusal = refusalIn(status, body);
		if (refusal !== null || typeof body === 'string') {
			const why = typeof body === 'string' ? 'No world answers here.' : (refusal?.sentence ?? '');
			loading.value = { kind: 'failed', why };
			return;
		}
		await session.refreshIdentity();
		loading.value = { kind: 'ready', document: readDocument(body) };
	} catch (error) {
		loading.value = { kind: 'failed', why: reasonOf(error) };
	}
}

// A page that is closed cannot wait for an answer.
addEventListener('pagehide', () => {
	for (const fork of openForks)
		void fetch(urlOf(`/fork/${fork}`), { method: 'DELETE', keepalive: true, headers: session.headers() });
});

const theme = createTheme();
render(
	<DocsPage
		loading={loading}
		load={() => void load()}
		send={send}
		who={session.who}
		theme={theme}
		root={rootPath}
		address={new URL(rootPath, location.href).href.replace(/\/$/, '')}
	/>,
	document.getElementById('docs')!,
);
void load();
