/**
 * The page: rail, bar, the shown view, and the plates that can cover it.
 * Owns: the choice of the whole-page state.
 */

import { Bar } from './chrome/bar.tsx';
import { HeldElsewhere } from './chrome/held-elsewhere.tsx';
import { JournalNote } from './chrome/journal-note.tsx';
import { KeyListener } from './chrome/key-listener.tsx';
import { KeysDialog } from './chrome/keys-dialog.tsx';
import { NoticePlate } from './chrome/notice-plate.tsx';
import { Rail } from './chrome/rail.tsx';
import { Stopped } from './chrome/stopped.tsx';
import { type PageView, VIEWS } from './chrome/views.ts';
import { VisitNote } from './chrome/visit-note.tsx';
import { SignInDialog } from './session/sign-in-dialog.tsx';
import { usePanels } from './state/panels.ts';

export function Page() {
	const { navigation, services } = usePanels();
	const view = navigation.view.value;
	const { around } = navigation.shown.value;
	const failure = services.failure.value;
	const isHeld = services.holding.value !== 'waiting';
	const isCovered = failure !== null || !isHeld;
	return (
		<>
			<div class="app" data-view={view} inert={isCovered}>
				<button type="button" class="skip" onClick={focusView}>
					To the view
				</button>
				{around !== 'nothing' && <Rail />}
				{around === undefined && <Bar />}
				{services.holding.value === 'visiting' && !navigation.isVisitNoteClosed.value && <VisitNote />}
				<JournalNote />
				{Object.entries<PageView>(VIEWS).map(
					([name, { Component, stays }]) => (stays || name === view) && <Component key={name} />,
				)}
				<NoticePlate />
				<KeysDialog />
				<SignInDialog />
				<KeyListener />
			</div>
			{failure !== null ? <Stopped reason={failure} /> : !isHeld && <HeldElsewhere />}
		</>
	);
}

/** Moves the focus past rail and bar into the view. */
function focusView(): void {
	const view = document.querySelector<HTMLElement>('.view:not(.away)');
	view?.querySelector<HTMLElement>('a, button:not([disabled]), input, [tabindex="0"]')?.focus();
}
