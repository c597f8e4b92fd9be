/**
 * A dialog over the page, with a title and a button that closes it.
 * Owns: opening and closing it with the popup of the navigation.
 */

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { IconButton } from '../controls/icon-button.tsx';
import type { Navigation, Popup } from '../state/navigation.ts';
import { usePanels } from '../state/panels.ts';

interface DialogProps {
	/** Name of the popup that opens the dialog. */
	readonly popup: Popup;
	readonly title: string;
	/** Class beside the one of all dialogs. */
	readonly look?: string;
	readonly children: ComponentChildren;
}

export function Dialog({ popup, title, look = '', children }: DialogProps) {
	const { navigation } = usePanels();
	const open = navigation.popup.value === popup;
	const dialog = useRef<HTMLDialogElement>(null);
	useEffect(() => {
		const element = dialog.current!;
		if (open && !element.open) element.showModal();
		else if (!open && element.open) element.close();
	}, [open]);
	const close = (): void => closePopup(navigation, popup);
	const heading = `${popup}-title`;
	return (
		<dialog ref={dialog} class={`keys-dialog ${look}`.trim()} aria-labelledby={heading} onClose={close}>
			<header>
				<h2 id={heading}>{title}</h2>
				<IconButton icon="close" name="Close" title="Close (Esc)" onClick={close} />
			</header>
			{children}
		</dialog>
	);
}

/** Closes a popup, unless another one is open. */
export function closePopup(navigation: Navigation, popup: Popup): void {
	if (navigation.popup.value === popup) navigation.popup.value = null;
}
