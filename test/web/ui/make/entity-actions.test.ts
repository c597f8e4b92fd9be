/**
 * Actions on the selected entities, on a real engine in this process.
 * Owns: cut and paste, and the effect of a lock.
 */

import { signal } from '@preact/signals';
import { expect, onTestFinished, test } from 'vitest';
import type { EntityRef } from '../../../../web/render/messages.ts';
import type { ViewHandle } from '../../../../web/render/view-host.ts';
import { EntitiesState } from '../../../../web/ui/entities/entities-state.ts';
import { EditSender } from '../../../../web/ui/make/edit-sender.ts';
import { EntityActions } from '../../../../web/ui/make/entity-actions.ts';
import { shapes } from '../../../../web/ui/make/library-items.ts';
import { createRules } from '../../../../web/ui/make/rules/rules-state.ts';
import { createDoings } from '../../../../web/ui/state/doings.ts';
import { WorldsState } from '../../../../web/ui/worlds/worlds-state.ts';
import { startPanels } from '../../../support/panels.ts';

/** Starts the actions. `click` selects entities as a click in the picture does. */
async function startActions() {
	const panels = await startPanels(0, 'make');
	let click = (_: readonly EntityRef[]): void => {};
	const view = {
		onSelected(onSelect: (clicked: readonly EntityRef[], isAdding: boolean) => void) {
			click = (clicked) => onSelect(clicked, false);
		},
		select() {},
		setShown() {},
		setWorld() {},
		cancel() {},
	} as unknown as ViewHandle;
	const { navigation } = panels;
	const services = { ...panels.services, view: signal<ViewHandle | null>(view) };
	const worlds = new WorldsState(services, navigation, createDoings());
	const entities = new EntitiesState(services, navigation, worlds);
	const rules = createRules(services, navigation, worlds, entities);
	const sender = new EditSender(services, navigation, worlds, entities);
	const placeFor = async () => [0, 0, 0] as const;
	const actions = new EntityActions({ services, navigation, worlds, entities, rules, sender, placeFor });
	onTestFinished(() => {
		rules.stop();
		entities.stop();
		worlds.stop();
		return panels.started.engine.close();
	});
	await panels.started.must('POST', '/spawn', { name: 'Oak', mesh: 'cube', position: [1, 0, 0] });
	await panels.started.must('POST', '/spawn', { name: 'Elm', mesh: 'cube', position: [5, 0, 0] });
	await entities.readNow();
	const names = async (): Promise<string[]> => {
		const { entities: all } = await panels.started.must('POST', '/observe');
		return (all as { name: string }[]).map(({ name }) => name);
	};
	return { ...panels, entities, actions, names, click: (clicked: readonly EntityRef[]) => click(clicked) };
}

test('a cut entity is missing until it is pasted', async () => {
	const { entities, actions, names, refused } = await startActions();
	entities.select(0);
	await actions.cut();
	expect([await names(), entities.selectedId.value]).toEqual([['Elm'], null]);
	await entities.readNow();
	await actions.paste();
	expect(await names()).toEqual(expect.arrayContaining(['Elm', expect.stringMatching(/^Oak/)]));
	expect(refused).toEqual([]);
});

test('a locked entity cannot be clicked, cut or deleted', async () => {
	const { entities, actions, names, refused, click } = await startActions();
	const [oak, elm] = entities.list.value;
	entities.locks.set([oak!], true);
	click([oak!]);
	expect(entities.selectedIds.value).toEqual([]);
	click([oak!, elm!]);
	expect(entities.selectedIds.value).toEqual([elm!.id]);
	// The list of entities can still select it.
	entities.select(oak!.id);
	await actions.remove();
	await actions.cut();
	expect(refused).toEqual(['Delete: Oak is locked.', 'Cut: Oak is locked.']);
	entities.locks.set([oak!], false);
	await actions.remove();
	expect(await names()).toEqual(['Elm']);
});

test('the first thing that is placed without dragging is selected, and its notice explains dragging', async () => {
	const { entities, actions, notices } = await startActions();
	const [box] = shapes('none');
	await actions.put(box!, null);
	expect([entities.selectedId.value, notices.splice(0)]).toEqual([
		2,
		[expect.stringMatching(/^Box stands near the middle of the picture\. .*drag it/)],
	]);
	await actions.put(box!, null);
	expect(notices).toEqual([]);
	const other = await startActions();
	await other.actions.put(box!, [5, 5]);
	await other.actions.put(box!, null);
	expect(other.notices).toEqual([]);
});
