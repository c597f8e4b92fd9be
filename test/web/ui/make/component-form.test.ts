/**
 * Components as forms: sending the read values back changes nothing.
 * Owns: the tests of make/component-form with a real engine.
 */

import { expect, it } from 'vitest';
import { createDeclarations } from '../../../../web/ui/forms/declarations.ts';
import { editable, sendable } from '../../../../web/ui/make/component-form.tsx';
import { startEngine } from '../../../support/engine.ts';

type Read = Readonly<Record<string, unknown>>;

/** Entities that together have most fields of a document. */
const DOCUMENTS: readonly Read[] = [
	{
		mesh: 'sphere',
		color: 'gold',
		material: { roughness: 0.25, albedo: [0.5, 0.25, 1, 0.5], alpha_mode: 'blend' },
		light: { kind: 'spot', color: 'orange', intensity: 3, range: 8, shadows: false },
		listener: true,
	},
	{ health: 80, team: 2, role: 'hero', mana: 40, combat: true, armor: 4, magic_resist: 0.25, player: true },
	{ building_type: 'tier1_tower', lane: 'mid', team: 1, gold: 30, gold_bounty: 20, xp_bounty: 5 },
	{ physics_body: 'Dynamic', collider: { shape: 'Sphere', radius: 1 }, velocity: { linear: [1, 2, 3] } },
	{ spawn_point: 2, tags: ['north'], march: [4, 0, 4], combat: true, team: 2, respawns: true },
];

it('changes nothing if it sends back the values that it read', async () => {
	const { call, spawn, entity, must } = await startEngine();
	const declarations = createDeclarations({
		async call(method, path, body) {
			const { status, body: answer } = await call(method, path, body);
			return { status, body: answer, ms: 0 };
		},
	});
	const edited = new Set<string>();
	for (const document of DOCUMENTS) {
		const id = await spawn(document);
		const before = (await entity(id)) as Read;
		for (const key of Object.keys(before)) {
			if (key === 'ok' || key === 'id') continue;
			const { fields } = await declarations.of('POST /entities/{id}/components', key);
			const field = editable(fields[0], before[key]);
			if (field === null) continue;
			edited.add(key);
			const { control } = field;
			const sent = control.kind === 'record' ? sendable(control.fields, before[key] as Read) : before[key];
			await must('POST', `/entities/${id}/components`, { [key]: sent });
			expect([key, await entity(id)]).toEqual([key, before]);
		}
	}
	for (const key of ['material', 'light', 'listener', 'color', 'team']) expect(edited).toContain(key);
});

it('is read-only if a value would be lost or is unknown', async () => {
	const field = {
		key: 'thing',
		says: '',
		required: false,
		initial: undefined,
		control: {
			kind: 'record',
			fields: [
				{ key: 'on', says: '', required: true, initial: undefined, control: { kind: 'flag' } },
				{ key: 'by', says: '', required: false, initial: undefined, control: { kind: 'flag' } },
			],
		},
	} as const;
	expect(editable(field, { on: 1 })).toBe(field);
	expect(sendable(field.control.fields, { on: 1, by: null })).toEqual({ on: true });
	expect(editable(field, { on: true, other: 3 })).toBeNull();
	expect(editable(field, { by: true })).toBeNull();
	expect(editable(field, 7)).toBeNull();
	expect(editable(undefined, 7)).toBeNull();
});
