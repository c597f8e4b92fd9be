/**
 * The view of the interface: the live log of calls, and a console to send one's own.
 * Owns: nothing but their places.
 */

import { CallLog } from '../calls/call-log.tsx';
import type { PageView } from '../chrome/views.ts';
import { later } from '../state/later.tsx';

/** A person who only watches sends no calls. */
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
