/**
 * Listens to the keyboard and performs the actions of the table of keys.
 * Owns: finding the kind of element that has the focus. Never: names a key itself.
 */

import { useLayoutEffect } from 'preact/hooks';
import { showsWorld } from '../services.ts';
import { type Panels, usePanels } from '../state/panels.ts';
import { actionFor, type KeyFocus } from './keys.ts';

function focusOf(target: EventTarget | null): KeyFocus {
	if (!(target instanceof Element)) return 'page';
	if (target.closest('input, textarea, select, [contenteditable]')) return 'field';
	// Space does nothing on a link, such as those of the rail, where the focus stays after a click.
	return target.closest('button, summary, [role=menu]') ? 'control' : 'page';
}

/** Goes back one level: leaves a field, closes a popup or a notice, stops a tool, or clears the selection. */
function goBack({ navigation, entities, tools }: Panels, focus: KeyFocus): void {
	if (focus === 'field' && document.activeElement instanceof HTMLElement) document.activeElement.blur();
	else if (navigation.popup.value !== null) navigation.popup.value = null;
	else if (navigation.notice.value !== null) navigation.notice.value = null;
	else if (entities.stopPicking()) return;
	else if (navigation.view.value === 'make' && tools.back()) return;
	else if (navigation.shown.value.selects && entities.selectedId.value !== null) entities.select(null);
}

/** Performs the action of a key press. Returns true if the page used the key. */
function perform(panels: Panels, event: KeyboardEvent): boolean {
	const { navigation, worlds, compare, entities, tools, calls, services } = panels;
	const focus = focusOf(event.target);
	const action = actionFor(event, navigation.view.value, focus);
	if (action === null) return false;
	// A dialog closes itself and keeps the other keys away.
	if (navigation.popup.value === 'keys' || navigation.popup.value === 'sign-in') return false;
	switch (action.do) {
		case 'view':
			navigation.go(action.view);
			return true;
		case 'time':
			void worlds.time.toggle();
			return true;
		case 'step':
			void compare.step(action.ticks);
			return true;
		case 'undo':
			void entities.undo(action.redo);
			return true;
		case 'keys':
			navigation.popup.value = 'keys';
			return true;
		case 'search': {
			const field = document.querySelector<HTMLInputElement>(`.view-${navigation.view.value} [data-search]`);
			field?.focus();
			return field !== null;
		}
		case 'spawn': {
			const first = document.querySelector<HTMLInputElement>('.library input');
			first?.select();
			return first !== null;
		}
		case 'despawn':
			void tools.actions.remove();
			return entities.selectedId.value !== null;
		case 'rename': {
			const heading = document.querySelector<HTMLElement>('.entity-name');
			heading?.click();
			return heading !== null;
		}
		case 'tool':
			tools.choose(action.tool);
			return true;
		case 'select-all':
			entities.selectAll(entities.list.value.map(({ id }) => id));
			return true;
		case 'copy':
		case 'cut':
			// A person who has marked a text means that.
			if (entities.selectedId.value === null || getSelection()?.isCollapsed === false) return false;
			void tools.actions[action.do]();
			return true;
		case 'duplicate':
		case 'paste':
		case 'group':
		case 'ungroup':
			void tools.actions[action.do]();
			return true;
		case 'frame': {
			services.view.value?.focus();
			return entities.selectedId.value !== null;
		}
		case 'chance':
			if (panels.worlds.selectedInfo.value?.playing === false) void panels.odds.run.toggle();
			return true;
		case 'branch':
			void worlds.forking.branch(worlds.selected.value);
			return true;
		case 'hold':
			calls.toggleHold();
			return true;
		case 'back':
			goBack(panels, focus);
			return false;
	}
}

/** Marks the document after a key press outside of a field. Only a device with a keyboard gets words about keys. */
function markKeyboard({ target }: KeyboardEvent): void {
	if (focusOf(target) !== 'field') document.documentElement.dataset.keyboard = '';
}

export function KeyListener() {
	const panels = usePanels();
	// Keys work from the moment the page is shown: an effect after the paint is late on a busy machine.
	useLayoutEffect(() => {
		const onKeyDown = (event: KeyboardEvent) => {
			if (event.defaultPrevented || event.isComposing) return;
			if (!showsWorld(panels.services.holding.value)) return;
			if (perform(panels, event)) event.preventDefault();
		};
		document.addEventListener('keydown', onKeyDown);
		// In the capture phase, so that keys which a game handles count, too.
		addEventListener('keydown', markKeyboard, { capture: true });
		return () => {
			document.removeEventListener('keydown', onKeyDown);
			removeEventListener('keydown', markKeyboard, { capture: true });
		};
	}, [panels]);
	return null;
}
