/**
 * The view of the interface: the live log of calls, and a console to send one's own.
 * Owns: nothing but their places.
 */

import { CallLog } from '../calls/call-log.tsx';
import { Console } from './console.tsx';

export function ApiView() {
	return (
		<main class="view view-api" aria-label="API">
			<CallLog />
			<Console />
		</main>
	);
}
