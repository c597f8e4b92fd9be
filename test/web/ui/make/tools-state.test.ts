/**
 * Settings of the tools of Make for the view, with a real engine in this process.
 * Owns: the cases of tools-state.ts.
 */

import { signal } from '@preact/signals';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ToolSettings } from '../../../../web/render/messages.ts';
import type { ViewHandle } from '../../../../web/render/view-host.ts';
import { EntitiesState } from '../../../../web/ui/entities/entities-state.ts';
import { shapes } from '../../../../web/ui/make/library-items.ts';
import { createRules } from '../../../../web/ui/make/rules/rules-state.ts';
import { Tools } from '../../../../web/ui/make/tools-state.ts';
import { createDoings } from '../../../../web/ui/state/doings.ts';
import { WorldsState } from '../../../../web/ui/worlds/worlds-state.ts';
import { startPanels } from '../../../support/panels.ts';

/** Starts the tools. `land` returns the place of a thing at a height of the picture, which is 100 pixels high. */
async function startTools(land: (y: number) => readonly [number, number, number] | null = () => null) {
	const panels = await startPanels(0, 'make');
	const settings: (ToolSettings | null)[] = [];
	const ignored = vi.fn();
	const view = new Proxy(
		{
			setTool: (value: ToolSettings | null) => settings.push(value),
			land: async (_: number, y: number) => land(y),
		},
		{ get: (target, key) => Reflect.get(target, key) ?? ignored },
	) as unknown as ViewHandle;
	const { navigation } = panels;
	const services = { ...panels.services, view: signal<ViewHandle | null>(view) };
	const worlds = new WorldsState(services, navigation, createDoings());
	const entities = new EntitiesState(services, navigation, worlds);
	const rules = createRules(services, navigation, worlds, entities);
	const canvas = { clientWidth: 100, clientHeight: 100 } as HTMLCanvasElement;
	const tools = new Tools({ services, navigation, worlds, entities, rules, canvas });
	onTestFinished(() => {
		tools.stop();
		rules.stop();
		entities.stop();
		worlds.stop();
		return panels.started.engine.close();
	});
	await panels.started.must('POST', '/spawn', { name: 'Oak', mesh: 'cube', position: [1, 0, 0] });
	await entities.readNow();
	return { ...panels, worlds, entities, tools, settings };
}

test('settings are sent when they change, and not for each list of entities, which would end a drag', async () => {
	const { started, entities, worlds, tools, settings } = await startTools();
	entities.select(0);
	tools.choose('move');
	const before = settings.length;
	expect(settings.at(-1)).toEqual({ tool: 'move', space: 'world', step: 0.5, radius: 3 });
	await started.must('POST', '/entities/0/components', { gold: 5 });
	await started.must('POST', '/step', { ticks: 3 });
	await vi.waitFor(() => expect(worlds.main.value?.tick).toBe(3));
	await entities.readNow();
	expect(entities.chosen.value[0]).toMatchObject({ gold: 5 });
	expect(settings).toHaveLength(before);
	entities.locks.set(entities.chosen.value, true);
	expect(settings.at(-1)).toMatchObject({ tool: 'select' });
});

test('a thing that is placed under the sky comes to rest on the ground in the lower part of the picture', async () => {
	const heights: number[] = [];
	const { started, tools } = await startTools((y) => {
		heights.push(y);
		return y < 70 ? null : [2, 0.5, 3];
	});
	await tools.actions.put(shapes('none')[0]!, null);
	expect(heights).toEqual([50, 65, 80]);
	expect((await started.entity(1)).local_transform).toMatchObject({ position: [2, 0.5, 3] });
});
