/**
 * The view API: the live log of calls, and a console that sends calls.
 * Owns: the layout of both.
 */

import { CallLog } from '../calls/call-log.tsx';
import type { PageView } from '../chrome/views.ts';
import { later } from '../state/later.tsx';

/** Loaded when the view is first shown, because a person who only watches sends no calls. */
const Console = later(
	async () => (await import('./console.tsx')).Console,
	(words) => (
		<section class="pane console" aria-label="Console">
			<p class="empty">{words}</p>
		</section>
	),
);

export const api: PageView = {
	label: 'API',
	icon: 'api',
	undoes: true,
	Component: ApiView,
};

function ApiView() {
	return (
		<main class="view view-api" aria-label="API">
			<h1 class="only-said">API</h1>
			<CallLog />
			<Console />
		</main>
	);
}
