/**
 * Dialog with the keys of the current view. The focus then returns to where it was.
 * Owns: the dialog. Never: names a key; they are all in `keys.ts`.
 */

import { usePanels } from '../state/panels.ts';
import { Dialog } from './dialog.tsx';
import { type KeyLine, keyLinesIn } from './keys.ts';
import { VIEWS } from './views.ts';

export function KeysDialog() {
	const { navigation } = usePanels();
	const view = navigation.view.value;
	const { own, common } = keyLinesIn(view);
	return (
		<Dialog popup="keys" title="Keys">
			{own.length > 0 && (
				<>
					<h3 class="caps">In {VIEWS[view].label}</h3>
					<Lines lines={own} />
				</>
			)}
			<h3 class="caps">{view === 'play' ? 'Also' : 'In all views but Play'}</h3>
			<Lines lines={common} />
			<p class="faint">
				Letters do nothing while a field has focus. Everything else is in the <a href="guide/">guide</a>.
			</p>
		</Dialog>
	);
}

function Lines({ lines }: { readonly lines: readonly KeyLine[] }) {
	return (
		<dl class="key-list">
			{lines.map(({ caps, does }) => (
				<div key={does}>
					<dt>
						{caps.map((cap) => (
							<kbd key={cap}>{cap}</kbd>
						))}
					</dt>
					<dd>{does}</dd>
				</div>
			))}
		</dl>
	);
}
