/**
 * Every key, in a dialog. Focus goes back to where it was.
 * Owns: the dialog. Never: a key; they are all in keys.ts.
 */

import { Dialog } from './dialog.tsx';
import { KEY_LINES, VIEW_LABELS } from './keys.ts';

export function KeysDialog() {
	return (
		<Dialog popup="keys" title="Keys">
			<dl class="key-list">
				{KEY_LINES.map(({ caps, does, views }) => (
					<div key={does}>
						<dt>
							{caps.map((cap) => (
								<kbd key={cap}>{cap}</kbd>
							))}
						</dt>
						<dd>
							{does}
							{views && <span class="faint"> in {views.map((view) => VIEW_LABELS[view]).join(' and ')}</span>}
						</dd>
					</div>
				))}
			</dl>
			<p class="faint">Letters do nothing while a field has the focus.</p>
		</Dialog>
	);
}
