/**
 * The list of entities in the panels, with a real engine in this process.
 * Owns: the cases of entities-state.ts.
 */

import { expect, onTestFinished, test } from 'vitest';
import { JournalMemory, MemoryJournal } from '../../../../shared/transport/memory-journal.ts';
import { EntitiesState } from '../../../../web/ui/entities/entities-state.ts';
import { createDoings } from '../../../../web/ui/state/doings.ts';
import { WorldsState } from '../../../../web/ui/worlds/worlds-state.ts';
import { startPanels } from '../../../support/panels.ts';

test('an undo shows the list that it gives, without the rest between two reads', async () => {
	const { started, services, navigation, calls, notices } = await startPanels(0, 'make', {
		journal: new MemoryJournal(new JournalMemory()),
	});
	const worlds = new WorldsState(services, navigation, createDoings());
	const entities = new EntitiesState(services, navigation, worlds);
	onTestFinished(() => {
		entities.stop();
		worlds.stop();
		return started.engine.close();
	});
	await started.must('POST', '/spawn', { name: 'Oak' });
	await entities.readNow();
	expect(entities.list.value.map(({ name }) => name)).toEqual(['Oak']);
	calls.length = 0;
	await entities.undo(false);
	expect([entities.list.value, notices]).toEqual([[], ['Undone: Spawn an entity.']]);
	expect(calls.slice(0, 2)).toEqual(['POST /undo', 'POST /observe']);
	await entities.undo(true);
	expect(entities.list.value.map(({ name }) => name)).toEqual(['Oak']);
	navigation.go('forks');
	calls.length = 0;
	await entities.undo(false);
	expect(calls).not.toContain('POST /observe');
});
