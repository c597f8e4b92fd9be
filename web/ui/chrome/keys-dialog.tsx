/**
 * Every key, in a dialog. Focus goes back to where it was.
 * Owns: the dialog. Never: a key; they are all in keys.ts.
 */

import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../drawn/icon.tsx';
import { usePanels } from '../state/panels.ts';
import { KEY_LINES, VIEW_LABELS } from './keys.ts';

export function KeysDialog() {
	const { navigation } = usePanels();
	const open = navigation.popup.value === 'keys';
	const dialog = useRef<HTMLDialogElement>(null);
	useEffect(() => {
		const element = dialog.current!;
		if (open && !element.open) element.showModal();
		else if (!open && element.open) element.close();
	}, [open]);
	const closed = () => {
		if (navigation.popup.value === 'keys') navigation.popup.value = null;
	};
	return (
		<dialog ref={dialog} class="keys-dialog" aria-labelledby="keys-title" onClose={closed}>
			<header>
				<h2 id="keys-title">Keys</h2>
				<button
					type="button"
					class="button quiet square"
					aria-label="Close"
					title="Close (Esc)"
					onClick={closed}
				>
					<Icon name="close" />
				</button>
			</header>
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
		</dialog>
	);
}
