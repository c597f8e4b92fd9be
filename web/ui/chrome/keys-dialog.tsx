/**
 * Every key, in a dialog. Focus goes back to where it was.
 * Owns: the dialog. Never: a key; they are all in keys.ts.
 */

import { usePanels } from '../state/panels.ts';
import { Dialog } from './dialog.tsx';
import { keyLinesIn } from './keys.ts';
import { VIEWS, type ViewName } from './views.ts';

/** `Make, Odds and API`. */
function namesOf(views: readonly ViewName[]): string {
	const names = views.map((view) => VIEWS[view].label);
	const last = names.pop();
	return names.length === 0 ? (last ?? '') : `${names.join(', ')} and ${last}`;
}

export function KeysDialog() {
	const { navigation } = usePanels();
	return (
		<Dialog popup="keys" title="Keys">
			<dl class="key-list">
				{keyLinesIn(navigation.view.value).map(({ caps, does, views }) => (
					<div key={does}>
						<dt>
							{caps.map((cap) => (
								<kbd key={cap}>{cap}</kbd>
							))}
						</dt>
						<dd>
							{does}
							{views && <span class="faint"> in {namesOf(views)}</span>}
						</dd>
					</div>
				))}
			</dl>
			<p class="faint">
				Letters do nothing while a field has focus. Everything else is in the <a href="guide/">guide</a>.
			</p>
		</Dialog>
	);
}
