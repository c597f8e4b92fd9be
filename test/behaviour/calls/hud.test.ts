/** The HUD: its elements over the picture, placeholders, bars, buttons, and rules that read or change it. */

import { describe, expect, test } from 'vitest';
import { createEngine } from '../../../web/host/engine.ts';
import { clientOf } from '../../support/engine.ts';
import { PIXEL } from '../../support/pixel.ts';
import { playing } from '../../support/playing.ts';

const { post, get, remove, spawn, step, digest, world } = playing();

interface ShownHudElement {
	readonly id: string;
	readonly [field: string]: unknown;
}

const readElements = async (where = ''): Promise<ShownHudElement[]> =>
	(await get(`/ui/list${where}`)).elements;
const readTexts = async (where = '') => (await readElements(where)).map(({ text }) => text);

describe('elements', () => {
	test('of every kind are listed with all their fields, in the order in which they are drawn', async () => {
		const { hash } = await post('/asset/upload?name=emblem.png', { data: PIXEL });
		expect(await post('/ui/text', { text: 'Hello', x: 0.5, y: 0.05 })).toMatchObject({
			ok: true,
			id: 'text-1',
			replaced: false,
		});
		await post('/ui/bar', { type: 'bar', x: 0.1, y: 0.9, fill: 0.25 });
		await post('/ui/bar', { type: 'rect', x: 0, y: 0, width: 1, height: 0.1, color: 'black' });
		await post('/ui/image', { id: 'emblem', image: 'emblem.png', x: 0.9, y: 0.1 });
		await post('/ui/button', { id: 'start', text: 'Start', anchor: 'Bottom-Right' });
		const { elements, count } = await get('/ui/list');
		expect(count).toBe(5);
		expect(elements).toEqual([
			{
				type: 'text',
				id: 'text-1',
				text: 'Hello',
				template: 'Hello',
				x: 0.5,
				y: 0.05,
				size: 20,
				color: 'white',
				anchor: 'top',
				lifetime: null,
			},
			{
				type: 'bar',
				id: 'bar-1',
				x: 0.1,
				y: 0.9,
				width: 0.2,
				height: 0.03,
				fill: 0.25,
				color: 'white',
				anchor: 'top-left',
				lifetime: null,
			},
			{
				type: 'rect',
				id: 'rect-1',
				x: 0,
				y: 0,
				width: 1,
				height: 0.1,
				color: 'black',
				opacity: 1,
				anchor: 'top-left',
				lifetime: null,
			},
			{
				type: 'image',
				id: 'emblem',
				image: hash,
				x: 0.9,
				y: 0.1,
				width: 0.1,
				opacity: 1,
				anchor: 'top-left',
				lifetime: null,
			},
			{
				type: 'button',
				id: 'start',
				text: 'Start',
				template: 'Start',
				x: 0.5,
				y: 0.8,
				size: 20,
				color: 'white',
				anchor: 'bottom-right',
				lifetime: null,
			},
		]);
		expect(await remove(`/asset/${hash}`)).toMatchObject({ code: 'asset_in_use' });
	});

	test('are replaced if they have the same id or, without an id, the same position; they can be changed and removed', async () => {
		await post('/ui/text', { id: 'score', text: 'one' });
		await post('/ui/text', { text: 'other', x: 0.1 });
		expect(await post('/ui/text', { id: 'score', text: 'two', x: 0.3 })).toMatchObject({ replaced: true });
		expect(await post('/ui/text', { text: 'third', x: 0.1 })).toMatchObject({ id: 'text-1', replaced: true });
		expect(await readTexts()).toEqual(['two', 'third']);
		expect(await post('/ui/update', { id: 'score', color: 'red' })).toMatchObject({
			element: { text: 'two', x: 0.3, color: 'red' },
		});
		expect(await post('/ui/update', { id: 'score', fill: 1 })).toMatchObject({
			code: 'invalid_ui',
			error: 'The element "score" is a text, which has no "fill".',
			fix: 'Omit "fill". Only elements of type bar have it.',
		});
		expect(await post('/ui/update', { id: 'scor', text: '' })).toMatchObject({
			code: 'unknown_element',
			fix: 'Did you mean "score"?',
		});
		expect(await remove('/ui/score')).toEqual({ ok: true, deleted: 'score' });
		expect(await remove('/ui/score')).toMatchObject({ ok: false, code: 'unknown_element' });
		expect(await readTexts()).toEqual(['third']);
		expect(await post('/ui/clear')).toMatchObject({ ok: true, removed: 1 });
		expect(await get('/ui/list')).toEqual({ ok: true, elements: [], count: 0 });
	});

	test('expire', async () => {
		await post('/ui/text', { text: 'soon', lifetime: 3 });
		await post('/ui/text', { text: 'stays', x: 0.1 });
		expect((await readElements())[0]).toMatchObject({ lifetime: 3 });
		await step(2);
		expect((await readElements())[0]).toMatchObject({ lifetime: 1 });
		await step(1);
		expect(await readTexts()).toEqual(['stays']);
	});

	test('are state: a world whose elements are removed equals one that never had any', async () => {
		const before = await digest();
		await post('/ui/text', { text: 'a' });
		expect(await digest()).not.toBe(before);
		await post('/ui/clear');
		expect(await digest()).toBe(before);
	});

	test('of type bar stop following the world when a number is set, and the other way round', async () => {
		await spawn({ health: 50, tags: ['hero'] });
		await post('/ui/bar', { id: 'b', follow: 'count:any', full: 4 });
		expect((await readElements())[0]).toMatchObject({ fill: 0.25, follow: 'count:any', full: 4 });
		expect(await post('/ui/update', { id: 'b', fill: 0.5 })).toMatchObject({
			element: { fill: 0.5, follow: null, full: null },
		});
		expect(await post('/ui/update', { id: 'b', follow: 'health:tag:hero' })).toMatchObject({
			element: { fill: 1, follow: 'health:tag:hero' },
		});
	});
});

describe('placeholders', () => {
	test('follow the world', async () => {
		const hero = await spawn({ health: 100, team: 1, tags: ['hero'], gold: 7 });
		await spawn({ team: 2 });
		await spawn({ team: 2 });
		await post('/game/create', { score_limit: 10, auto_start: true });
		const text =
			'{score:team:1} {score} {score:tag:hero} {health.current:tag:hero} {HEALTH.percent:tag:hero} {count:team:2} {gold:entity:0} {position.x:tag:hero} {mana:tag:hero} {tick} {time} {phase} {{x}} }';
		await post('/ui/text', { text });
		expect(await readTexts()).toEqual(['0 0 0 100 100 2 7 0 - 0 0:00 playing {x} }']);
		await post('/rule/create', {
			when: { kind: 'tick', every: 1 },
			once: true,
			do: ['score tag:hero 3', 'set_field tag:hero health.current 33.333', 'set_field tag:hero x 2.5'],
		});
		await step(65);
		expect(await readTexts()).toEqual(['3 3 3 33.33 33.33 2 7 2.5 - 65 0:01 playing {x} }']);
		expect((await readElements())[0]).toMatchObject({ template: text });
		await post('/despawn', { entity_id: hero });
		await step(1);
		expect((await readTexts())[0]).toMatch(/^3 3 0 - - 2 - - - 66/);
	});

	test.for([
		['{helth.current:tag:hero}', 'Did you mean "health.current"?'],
		['{scor:team:1}', 'Did you mean "score"?'],
		['{health.current}', 'Write {health.current:FILTER}, such as {health.current:tag:hero}'],
		['{count:taem:2}', 'Did you mean "team:2"?'],
		['{tick:team:1}', 'Write {tick}.'],
		['{tick', 'Close the placeholder'],
		['{}', 'Use the placeholders'],
	])('%s is refused everywhere, with what to send instead', async ([text, fix]) => {
		const before = await digest();
		const refused = { ok: false, fix: expect.stringContaining(fix!) };
		expect(await post('/ui/text', { text })).toMatchObject({ ...refused, code: 'invalid_ui', path: 'text' });
		expect(await post('/ui/button', { text })).toMatchObject({ ...refused, code: 'invalid_ui' });
		for (const action of ['text', 'set_text'])
			expect(
				await post('/rule/create', {
					when: 'tick:1',
					do: [{ action, text, ...(action === 'text' ? {} : { id: 'a' }) }],
				}),
			).toMatchObject({ ...refused, code: 'invalid_rule', path: 'do[0].text' });
		const hud = [{ type: 'text', id: 'a', text }];
		expect(await post('/scenario', { resources: { hud } })).toMatchObject({
			code: 'invalid_scenario',
			path: 'resources.hud[0].text',
		});
		expect(await digest()).toBe(before);
	});

	test('refer to the entities of their document', async () => {
		await spawn({});
		const level = {
			version: 1,
			entities: [{ id: 10, health: 8, tags: ['x'] }],
			rules: [
				{
					when: { kind: 'tick', every: 1 },
					do: [{ action: 'text', text: 'entity:10 {health.current:entity:10}' }],
				},
			],
		};
		await post('/level/load', { level });
		await step(1);
		expect(await readElements()).toMatchObject([
			{ template: 'entity:10 {health.current:entity:1}', text: 'entity:10 8' },
		]);
	});
});

describe('bars', () => {
	test('follow a number, also without a text that shows it', async () => {
		await spawn({ health: 80, tags: ['hero'] });
		await spawn({ team: 1 });
		await post('/game/create', { score_limit: 10, auto_start: true });
		await post('/ui/bar', { id: 'a', follow: 'health.current:tag:hero' });
		await post('/ui/bar', { id: 'b', follow: 'health.percent:tag:hero' });
		await post('/ui/bar', { id: 'c', follow: 'count:team:1', full: 'count:any' });
		await post('/ui/bar', { id: 'd', follow: 'mana:tag:nobody' });
		await post('/entity/damage', { entity_id: 0, amount: 20 });
		await step(1);
		expect((await readElements()).map(({ fill }) => fill)).toEqual([0.75, 0.75, 0.5, 0]);
	});

	test.for<[object, string, string]>([
		[{}, 'fill', 'Send "fill" from 0 to 1, or "follow".'],
		[{ fill: 1, follow: 'health:any' }, 'fill', 'Send "fill" from 0 to 1, or "follow".'],
		[{ follow: 'gold:tag:hero' }, 'full', 'Send "full", the number that fills the bar.'],
		[{ follow: 'golb:tag:hero', full: 10 }, 'follow', 'Did you mean "gold"?'],
		[{ follow: 'time', full: 10 }, 'follow', 'Name a number'],
		[{ follow: 'health:tag:hero', full: 'nothing' }, 'full', 'Use the placeholders'],
		[{ fill: 1, full: 3 }, 'full', 'Omit "full"'],
	])('%j is refused', async ([body, path, fix]) => {
		expect(await post('/ui/bar', body)).toMatchObject({
			code: 'invalid_ui',
			path,
			fix: expect.stringContaining(fix),
		});
		expect(await readElements()).toEqual([]);
	});
});

describe('buttons', () => {
	test('pressed by a call send one event in the next tick', async () => {
		await post('/ui/button', { id: 'more', text: 'More' });
		await post('/ui/text', { id: 'label', text: 'x' });
		await post('/rule/create', {
			when: { kind: 'event', event: 'ui_press', where: [{ field: 'button', value: 'more' }] },
			do: ['emit pressed', { action: 'set_text', id: 'label', text: 'at {tick}' }],
		});
		await post('/ui/press', { id: 'more' });
		expect((await get('/events')).events).toEqual([{ type: 'UiPressEvent', tick: 0, button: 'more' }]);
		await step(3);
		expect((await readElements())[1]).toMatchObject({ template: 'at {tick}', text: 'at 3' });
		expect(await post('/ui/press', { id: 'label' })).toMatchObject({ ok: false, code: 'not_a_button' });
		expect(await post('/ui/press', { id: 'mroe' })).toMatchObject({
			ok: false,
			code: 'unknown_element',
			fix: 'Did you mean "more"?',
		});
		expect(await post('/events', { type: 'UiPressEvent', button: 'more' })).toMatchObject({ ok: false });
	});

	test('in short form', async () => {
		await post('/ui/button', { id: 'go', text: 'Go' });
		await post('/rule/create', { when: 'event:ui_press button==go', do: ['set_text out Went at last'] });
		await post('/ui/press', { id: 'go' });
		await step(1);
		expect(await readTexts()).toEqual(['Go', 'Went at last']);
	});
});

describe('rules', () => {
	test('set and clear texts by name', async () => {
		const once = (...actions: unknown[]) => post('/rule/create', { when: 'tick:1', once: true, do: actions });
		await once(
			{ action: 'text', id: 'a', text: 'one', color: 'red' },
			'text two',
			{ action: 'set_text', id: 'a', text: 'three', x: 0.2 },
			{ action: 'set_text', id: 'b', text: 'four', lifetime: 2 },
		);
		await step(1);
		expect(await readElements()).toMatchObject([
			{ id: 'a', text: 'three', x: 0.2, color: 'red' },
			{ text: 'two' },
			{ id: 'b', text: 'four', x: 0.5, lifetime: 2 },
		]);
		await once('clear_text a');
		await step(2);
		expect(await readTexts()).toEqual(['two']);
		await post('/ui/button', { text: 'stays' });
		await once('clear_text', 'clear_text nothing');
		await step(1);
		expect(await readTexts()).toEqual(['stays']);
	});

	test('get an event for a text that cannot be shown', async () => {
		await post('/ui/bar', { id: 'a', fill: 1 });
		await post('/rule/create', { when: 'tick:1', once: true, do: ['set_text a words', 'text after'] });
		await step(1);
		expect((await get('/events')).events).toMatchObject([
			{ type: 'ActionFailedEvent', action: 'set_text', reason: 'invalid_ui' },
		]);
		expect(await readTexts()).toEqual([undefined, 'after']);
	});

	test('and assertions read the shown texts', async () => {
		await spawn({ gold: 3, tags: ['hero'] });
		await post('/ui/text', { id: 'purse', text: 'Gold {gold:tag:hero}' });
		const holds = async (condition: unknown) => {
			const result = await post('/assert/create', { name: 'shown', condition });
			const { results } = await post('/assert/evaluate');
			await remove(`/assert/${result.id}`);
			return results[0].passed;
		};
		expect(await holds({ type: 'text', contains: 'Gold 3' })).toBe(true);
		expect(await holds({ kind: 'text', id: 'purse', equals: 'Gold 3' })).toBe(true);
		expect(await holds('text:purse')).toBe(true);
		expect(await holds('text purse contains Gold 3')).toBe(true);
		expect(await holds('text purse equals Gold')).toBe(false);
		expect(await holds('text other')).toBe(false);
		expect(await post('/assert/create', { name: 'a', condition: { type: 'text' } })).toMatchObject({
			ok: false,
		});
		await post('/rule/create', { when: 'text purse contains Gold 5', do: ['text rich'] });
		await post('/rule/create', { when: 'tick:2', once: true, do: ['set_field tag:hero gold 5'] });
		await step(1);
		expect(await readTexts()).toEqual(['Gold 3']);
		await step(1);
		expect(await readTexts()).toEqual(['Gold 5', 'rich']);
	});

	test('draw a text by chance, and peek distinguishes the worlds', async () => {
		await post('/rule/create', {
			when: 'tick:1',
			once: true,
			outcomes: [
				{ label: 'hit', weight: 3, do: ['text hit'] },
				{ label: 'miss', weight: 1, do: ['text miss'] },
			],
		});
		const { distribution } = await post('/peek');
		expect(new Set(distribution.map((item: { state_digest: string }) => item.state_digest)).size).toBe(2);
		const { state_digest } = await post('/step');
		expect(distribution.map((item: { state_digest: string }) => item.state_digest)).toContain(state_digest);
	});
});

describe('worlds', () => {
	test('a fork has its own HUD', async () => {
		await post('/ui/text', { id: 'a', text: 'main {tick}' });
		await post('/fork', { fork_id: 'plan' });
		await post('/ui/text?world=plan', { id: 'a', text: 'plan {tick}' });
		await post('/fork/plan/step', { ticks: 2 });
		expect([await readTexts(), await readTexts('?world=plan')]).toEqual([['main 0'], ['plan 2']]);
		await post('/fork/plan/promote');
		expect(await readTexts()).toEqual(['plan 2']);
	});

	test('a reset keeps it and reports that, and a fresh reset does not', async () => {
		await post('/ui/text', { text: 'a' });
		expect((await post('/reset')).kept).toContain('hud');
		expect(await readTexts()).toEqual(['a']);
		expect((await post('/reset', { fresh: true })).kept).not.toContain('hud');
		expect(await readTexts()).toEqual([]);
	});

	test('a scenario carries it, with the ticks that are left', async () => {
		await spawn({ health: 4 });
		await step(5);
		await post('/ui/text', { id: 'a', text: 'Health {health.current:entity:0}', lifetime: 10 });
		await post('/ui/bar', { id: 'b', follow: 'health.current:entity:0' });
		const whole = await get('/scenario');
		const plain = await get('/scenario?exact=false');
		const before = [await digest(), await readElements()];
		const other = clientOf((await createEngine()).handle);
		await other.post('/scenario', whole);
		expect([(await other.get('/digest')).state_digest, (await other.get('/ui/list')).elements]).toEqual(
			before,
		);
		const third = clientOf((await createEngine()).handle);
		await third.post('/step', { ticks: 100 });
		await third.post('/scenario', plain);
		expect((await third.get('/ui/list')).elements).toEqual(before[1]);
		await third.post('/scenario', {});
		expect((await third.get('/ui/list')).elements).toEqual([]);
	});

	test('snapshots and failed batches restore it', async () => {
		await post('/ui/text', { text: 'a' });
		await post('/snapshot', { label: 's' });
		await post('/ui/clear');
		await post('/snapshot/s/restore');
		expect(await readTexts()).toEqual(['a']);
		const before = await digest();
		const batch = [
			{ method: 'POST', path: '/ui/text', body: { text: 'b', x: 0.1 } },
			{ method: 'DELETE', path: '/ui/nothing' },
		];
		expect((await post('/batch', { requests: batch, atomic: true })).ok).toBe(false);
		expect(await digest()).toBe(before);
	});

	test('a bare host has it as well', async () => {
		const bare = clientOf((await createEngine({ profile: 'bare' })).handle);
		await bare.post('/ui/text', { text: 'at {tick}' });
		await bare.post('/step', { ticks: 2 });
		expect((await bare.get('/ui/list')).elements).toMatchObject([{ text: 'at 2' }]);
	});
});

describe('bad input changes nothing', () => {
	const long = 'x'.repeat(1_000_000);
	test.for<[string, object, string]>([
		['/ui/text', { text: long }, 'invalid_body'],
		['/ui/text', { text: 'a', anchor: 'middle' }, 'invalid_body'],
		['/ui/text', { text: 'a', lifetime: 0 }, 'invalid_body'],
		['/ui/text', { text: 'a', size: 0 }, 'invalid_body'],
		['/ui/text', { txt: 'a' }, 'invalid_body'],
		['/ui/text', { type: 'undefined', text: 'a' }, 'invalid_body'],
		['/ui/rect', { x: 0, y: 0, width: 1e9, height: 1 }, 'invalid_body'],
		['/ui/rect', { type: 'text', text: 'a' }, 'invalid_body'],
		['/ui/image', { image: 'nothing.png', x: 0, y: 0 }, 'asset_missing'],
		['/ui/press', {}, 'invalid_body'],
	])('%s %#', async ([path, body, code]) => {
		const before = await digest();
		const refused = await post(path, body);
		expect(refused).toMatchObject({ ok: false, code, fix: expect.any(String) });
		expect(JSON.stringify(refused).length).toBeLessThan(5000);
		expect(await digest()).toBe(before);
	});

	test('an asset that is not a picture', async () => {
		await post('/asset/upload?name=a.bin', { data: 'AAAA' });
		expect(await post('/ui/image', { image: 'a.bin', x: 0, y: 0 })).toMatchObject({ code: 'asset_refused' });
	});

	test('more elements, or more numbers to follow, than the limit', async () => {
		for (let i = 0; i < 500; i++) await post('/ui/text', { id: `t${i}`, text: 'a' });
		const before = await digest();
		expect(await post('/ui/text', { id: 'more', text: 'a' })).toMatchObject({ ok: false, code: 'ui_full' });
		expect(await digest()).toBe(before);
		expect(await post('/ui/text', { id: 't7', text: 'b' })).toMatchObject({ ok: true });
		const hud = Array.from({ length: 501 }, (_, i) => ({ type: 'text', id: `t${i}`, text: 'a' }));
		expect(await post('/scenario', { resources: { hud } })).toMatchObject({ code: 'invalid_scenario' });
		await post('/ui/clear');
		const many = (from: number) => Array.from({ length: 25 }, (_, i) => `{count:team:${from + i}}`).join('');
		for (let i = 0; i < 4; i++) await post('/ui/text', { id: `t${i}`, text: many(i * 25) });
		expect(await post('/ui/text', { id: 'more', text: many(100) })).toMatchObject({ code: 'ui_full' });
		expect(await post('/ui/text', { id: 'same', text: many(0) })).toMatchObject({ ok: true });
	});

	test('an unknown colour becomes white, with a warning', async () => {
		expect((await post('/ui/text', { text: 'a', color: 'mauve' })).warnings).toEqual([
			expect.stringContaining('shown as white'),
		]);
		expect((await post('/ui/text', { text: 'a', color: '1,0,0.5' })).warnings).toBeUndefined();
		expect(world().resources.get('hud')!.value).toHaveLength(1);
	});
});
