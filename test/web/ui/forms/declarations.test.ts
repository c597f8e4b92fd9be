/**
 * Declarations from answers of the engine.
 * Owns: the cases of forms/declarations.
 */

import { expect, it } from 'vitest';
import { type Control, fieldsOf } from '../../../../web/ui/forms/control.ts';
import { createDeclarations } from '../../../../web/ui/forms/declarations.ts';
import { startEngine } from '../../../support/engine.ts';

async function declarationsOf(refuses: () => boolean = () => false) {
	const { call } = await startEngine();
	const asked: string[] = [];
	const declarations = createDeclarations({
		async call(method, path, body) {
			asked.push(path);
			if (refuses()) throw new Error('gone');
			const reply = await call(method, path, body);
			return { status: reply.status, body: reply.body, ms: 0 };
		},
	});
	return { declarations, asked };
}

it('has the fields of a route, and the nullable settings of its answer', async () => {
	const { declarations, asked } = await declarationsOf();
	const writes = await declarations.of('POST /sky/settings');
	const reads = await declarations.of('GET /sky/settings');
	expect(writes.fields.map(({ key }) => key)).toContain('time_of_day');
	expect(writes.fields.every(({ says }) => says !== '')).toBe(true);
	expect([...reads.nullable].sort()).toEqual([
		'ground_color',
		'horizon_color',
		'sun_direction',
		'time_of_day',
		'zenith_color',
	]);
	expect(asked).toEqual(['/schema?path=%2Fsky%2Fsettings']);
});

it('resolves a reference that the schema omits for size', async () => {
	const { declarations, asked } = await declarationsOf();
	const { fields } = await declarations.of('POST /entities/{id}/components', 'light');
	expect(fields.map(({ key }) => key)).toEqual(['light']);
	const control = fields[0]!.control as Extract<Control, { kind: 'record' }>;
	expect(control.kind).toBe('record');
	expect(control.fields.map(({ key }) => key)).toEqual(expect.arrayContaining(['kind', 'color', 'shadows']));
	expect(asked).toContain('/schema?definition=Light');
	expect(await declarations.of('POST /entities/{id}/components', 'no_such')).toMatchObject({ fields: [] });
});

it('asks again after a failure, and rejects for an unknown route', async () => {
	let gone = true;
	const { declarations } = await declarationsOf(() => gone);
	await expect(declarations.of('POST /fog/settings')).rejects.toThrow('gone');
	gone = false;
	expect((await declarations.of('POST /fog/settings')).fields.length).toBe(8);
	await expect(declarations.of('POST /fog/nowhere')).rejects.toThrow();
});

it('has no fields for a value that is not a record', () => {
	expect(fieldsOf({ type: 'string' })).toEqual([]);
});
