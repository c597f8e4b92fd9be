/** Warnings about parts of a rule that can never act, on both routes that create rules. */

import { describe, expect, test } from 'vitest';
import { playing } from '../../support/playing.ts';

const { post, get, spawn, step, digest } = playing();

const act = { action: 'heal', target: 'this', amount: 1 };
const timer = { kind: 'timer', interval: 1 };
const signal = { kind: 'event', event: 'signal' };
const match = { kind: 'event', event: 'match' };
const poor = { kind: 'field', field: 'gold', op: '<', value: 5 };
const zone = { center: [0, 0, 0], radius: 1 };

const cases: [string, object, string[]][] = [
	['this in a timer', { when: 'timer:1', do: [act] }, ['do[0].target: the rule has no subject entity']],
	[
		'this on a tick',
		{ when: 'tick:9', actions: ['despawn this'] },
		['do[0].target: the rule has no subject entity'],
	],
	['this of a score', { when: 'score:1', actions: ['despawn this'] }, ['do[0].target']],
	['this of a phase', { when: 'phase:playing', actions: ['text hi', 'despawn this'] }, ['do[1].target']],
	['this of the match', { when: match, do: [act] }, ['do[0].target']],
	[
		'nearest without a subject',
		{ when: timer, actions: ['despawn nearest:team:1'] },
		[
			'do[0].target: the rule has no subject entity, so there is no "this" to measure from; use tag:NAME or all:FILTER',
		],
	],
	[
		'unknown colours',
		{ when: timer, do: ['color tag:a purple', { action: 'text', text: 'x', color: '#ff0000' }] },
		['do[0]: color "purple" is unknown and shown as white; known: red,', 'do[1]: color "#ff0000"'],
	],
	['known colours', { when: timer, do: ['color tag:a 0.5,0,1', 'set_color tag:a RED'] }, []],
	[
		'the source of a timer',
		{ when: timer, actions: ['score source 1'] },
		['do[0].target: the condition of this rule has no source'],
	],
	[
		'the source of an entrance',
		{ when: { kind: 'enter', zone }, actions: ['score source 1'] },
		['do[0].target'],
	],
	[
		'a filter on a timer',
		{ when: timer, filter: 'team:1', actions: ['text x'] },
		['filter: a rule on timer'],
	],
	[
		'this in a compound without a subject',
		{ when: { kind: 'all', of: [timer, { kind: 'not', of: match }] }, do: [act] },
		['do[0].target'],
	],
	[
		'an outcome',
		{
			when: timer,
			outcomes: [
				{ label: 'a', weight: 1 },
				{ label: 'b', weight: 1, do: [act] },
			],
		},
		['outcomes[1].do[0].target'],
	],
	[
		'an entity to credit or to aim at',
		{
			when: timer,
			do: [
				{ action: 'damage', target: { team: 1 }, amount: 1, by: 'source' },
				{ action: 'cast', target: { team: 1 }, slot: 'Q', at: 'this' },
				{ action: 'emit', name: 'x', about: 'this' },
				{ action: 'spawn', mesh: 'cube', at: 'this' },
			],
		},
		['do[0].by', 'do[1].at', 'do[2].about', 'do[3].at'],
	],
	[
		'an empty zone, and health that no entity has',
		{
			when: {
				kind: 'any',
				of: [
					{ kind: 'enter', zone: { ...zone, radius: 0 } },
					{ kind: 'health_below', threshold: 0 },
				],
			},
			do: [act],
		},
		['when.of[0].zone', 'when.of[1]'],
	],
	[
		'an entity that does not exist',
		{ when: 'enter:entity:77:2', actions: ['heal entity:78 1', 'cast this Q entity:79'] },
		[
			'when.zone: there is currently no entity 77',
			'do[0].target: there is currently no entity 78',
			'do[1].at: there is currently no entity 79',
		],
	],
	[
		'an item that is not defined',
		{ when: 'death', actions: ['give_item source 7'] },
		['do[0].item_id: there is currently no item 7'],
	],
	[
		'a template that does not exist',
		{ when: timer, do: [{ action: 'spawn', template: 'orc', position: [0, 0, 0] }] },
		['do[0]: currently this spawns nothing: There is no template "orc"'],
	],
	[
		'fields of a spawn without effect',
		{
			when: timer,
			do: [{ action: 'spawn', mesh: 'cub', position: [0, 0, 0], combat_damage: 4, lane: 'top' }],
		},
		['do[0]: mesh "cub"', 'do[0]: combat_damage', 'do[0]: lane'],
	],
	['nothing: a death has a killer', { when: 'death', actions: ['score source 1', 'despawn this'] }, []],
	[
		'nothing: damage has a source',
		{ when: 'event:damage', filter: 'team:1', actions: ['score source 1'] },
		[],
	],
	['nothing: a signal may have a subject', { when: signal, filter: 'team:1', do: [act] }, []],
	[
		'nothing: all of a timer and a field',
		{ when: { kind: 'all', of: [timer, poor] }, filter: 'team:1', do: [act] },
		[],
	],
	['nothing: not of a field', { when: { kind: 'not', of: poor }, do: [act] }, []],
	[
		'nothing: a timer that names its targets',
		{ when: timer, actions: ['heal team:1 5', 'despawn tag:x'] },
		[],
	],
];

describe('a rule is accepted with warnings of', () => {
	test.each(cases)('%s', async (_, document, expected) => {
		const entity = { tags: ['a', 'x'], team: 1 };
		await spawn(entity);
		const warnings: string[] = (await post('/rule/create', document)).warnings ?? [];
		expect(warnings, warnings.join('\n')).toHaveLength(expected.length);
		for (const start of expected) expect(warnings).toContainEqual(expect.stringContaining(start));
		const applied = await post('/scenario', { entities: [entity], rules: [document] });
		expect(applied.warnings ?? []).toEqual(warnings.map((warning) => `rules[0].${warning}`));
	});

	test('and its warned parts have no effect', async () => {
		const first = await spawn({ health: 10, gold: 0 });
		await post('/rule/create', { when: 'tick:1', actions: ['add_field this gold 1', 'damage source 1'] });
		await step(3);
		expect(await get(`/entities/${first}`)).toMatchObject({ gold: 0, health: [10, 10] });
	});

	test('trying a spawn changes the world only by its rule', async () => {
		await spawn({ health: 1 });
		await post('/fork', { fork_id: 'f' });
		const rule = { when: 'death', actions: ['spawn cube 0,0,0 red 5 1 true'] };
		await post('/rule/create', rule);
		await post('/scenario?world=f', await get('/scenario'));
		expect(await digest('f')).toBe(await digest());
		expect((await get('/')).entity_count).toBe(2);
	});
});

test('a number or word without effect gives a warning at a zone, a projectile and a goal', async () => {
	const id = await spawn({});
	const calls: [string, object, string | undefined][] = [
		['/trigger/create', { action: 'heal:5', category: 'magical' }, 'category does nothing with heal'],
		['/trigger/create', { action: 'damage:5', category: 'magical', per: 'second' }, undefined],
		['/trigger/create', { action: 'teleport:1,2,3', per: 'second' }, 'per does nothing with teleport'],
		['/projectile/spawn', { lifetime: 0 }, 'disappears before it moves'],
		['/projectile/spawn', { lifetime: 1 / 60 }, undefined],
		['/projectile/spawn', { radius: 0 }, 'hits nothing'],
		['/ai/set', { entity_id: id, behavior: 'chase', target: id }, 'its own target'],
	];
	for (const [path, body, warning] of calls) {
		const { ok, warnings } = await post(path, body);
		expect(ok).toBe(true);
		if (warning === undefined) expect(warnings).toBeUndefined();
		else expect(warnings).toEqual([expect.stringContaining(warning)]);
	}
});
