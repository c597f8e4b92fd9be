/** Rules that are refused. */

import { describe, expect, test } from 'vitest';
import { encodeWorld } from '../../../web/sim/core/codec.ts';
import { playing } from '../../support/playing.ts';

const { world, call, spawn, rule } = playing();

describe('refusals change nothing and suggest the intended value', () => {
	const ok = ['despawn this'];
	const add = (field: string) => ({ action: 'add_field', target: 'this', field, value: 1 });
	const cases: [string, object, string][] = [
		['a condition', { when: 'timr:1', actions: ok }, 'timer'],
		['a condition without its number', { when: 'timer', actions: ok }, 'number'],
		['a word for a number', { when: 'timer:abc', actions: ok }, 'abc'],
		['infinite time', { when: 'timer:inf', actions: ok }, 'inf'],
		['negative time', { when: 'timer:-1', actions: ok }, 'at least 0'],
		['ticks below one', { when: 'tick:0', actions: ok }, 'at least 1'],
		['half a tick', { when: 'tick:1.5', actions: ok }, 'whole'],
		['a phase', { when: 'phase:plaing', actions: ok }, 'playing'],
		['an event', { when: 'event:damge', actions: ok }, 'damage'],
		['a typed event', { when: { kind: 'event', event: 'deth' }, actions: ok }, 'death'],
		[
			'a field of an event',
			{ when: { kind: 'event', event: 'damage', where: [{ field: 'amout', value: 1 }] }, actions: ok },
			'amount',
		],
		[
			'a missing field of an entity in an event',
			{
				when: { kind: 'event', event: 'damage', where: [{ field: 'target.heatlh', value: 1 }] },
				actions: ok,
			},
			'generation',
		],
		[
			'a number of an entity in an event, compared with a text',
			{ when: 'event:damage target.health==low', actions: ok },
			'number',
		],
		['a test of an event', { when: 'event:damage amount=5', actions: ok }, 'amount>=5'],
		['a zone', { when: 'enter:0,0:2', actions: ok }, 'x,y,z'],
		['a zone without a size', { when: 'enter:0,0,0', actions: ok }, 'RADIUS'],
		['a field without a value', { when: 'field:gold', actions: ok }, 'field:health.current<50'],
		['one equals sign', { when: 'field:health=5', actions: ok }, 'equality is written =='],
		['one equals sign in a test', { when: 'event:damage amount=5', actions: ok }, 'equality is written =='],
		['a comparison alone', { when: 'health<10', actions: ok }, 'field:health<10'],
		['an equals sign for a colon', { when: 'tick=60', actions: ok }, 'write it as tick:60'],
		['two equals signs for a colon', { when: 'tick == 60', actions: ok }, 'write it as tick:60'],
		[
			'a digest that is compared',
			{ when: 'digest == 0123456789abcdef', actions: ok },
			'digest:0123456789abcdef',
		],
		['two conditions side by side', { when: 'dead team:2', actions: ok }, 'join its parts with & or |'],
		['the word not', { when: 'not dead', actions: ok }, 'write it as !dead'],
		['a blank for a colon', { when: 'timer 5', actions: ok }, 'write it as timer:5'],
		[
			'a field that is not similar to any',
			{ when: 'field:hp<10', actions: ok },
			'such as health.current, gold',
		],
		['an open bracket', { when: '(death & tick:3', actions: ok }, '")" is missing'],
		['a closing bracket too many', { when: 'death) & tick:3', actions: ok }, 'is unexpected'],
		['half of a compound', { when: 'death &', actions: ok }, 'not understood'],
		['compounds too deep', { when: '!!!!!!!!!tick:2', actions: ok }, 'when'],
		['a slot of a cast', { when: 'death', actions: ['cast this T'] }, 'Q'],
		['a label without sign', { when: 'death', actions: ['tag this red'] }, '+LABEL'],
		['a modifier in words', { when: 'death', actions: ['apply_effect this x 1 speed=2'] }, 'stat:op:value'],
		['a kind', { when: { kind: 'feld', field: 'gold', value: 1 }, actions: ok }, 'field'],
		['a field', { when: { kind: 'field', field: 'helth', value: 1 }, actions: ok }, 'health'],
		[
			'a comparison',
			{ when: { kind: 'field', field: 'gold', op: 'graeter', value: 1 }, actions: ok },
			'greater',
		],
		['an edge', { when: { kind: 'field', field: 'gold', value: 1, edge: 'levl' }, actions: ok }, 'level'],
		[
			'a field in a compound',
			{ when: { kind: 'any', of: [{ kind: 'field', field: 'glod', value: 1 }] }, actions: ok },
			'gold',
		],
		['a filter', { when: 'death', filter: 'taem:1', actions: ok }, 'team'],
		['a role in a filter', { when: 'death', filter: 'role:heroo', actions: ok }, 'hero'],
		['a component in a filter', { when: 'death', filter: 'component:helth', actions: ok }, 'health'],
		['a team out of range', { when: 'death', filter: 'team:256', actions: ok }, '255'],
		['an action', { when: 'death', actions: ['despwan this'] }, 'despawn'],
		['a typed action', { when: 'death', actions: [{ action: 'despwan', target: 'this' }] }, 'despawn'],
		['one action among good ones', { when: 'death', actions: ['heal this 1', 'hael this 1'] }, 'heal'],
		['a target', { when: 'death', actions: ['despawn thsi'] }, 'this'],
		['a target without its id', { when: 'death', actions: ['despawn entity:'] }, 'number'],
		['a target below zero', { when: 'death', actions: ['despawn entity:-1'] }, '0'],
		['a team as target out of range', { when: 'death', actions: ['despawn team:999'] }, '255'],
		['a filter in a target', { when: 'death', actions: ['despawn nearest:tga:x'] }, 'tag'],
		[
			'a filter in a typed target',
			{ when: 'death', actions: [{ action: 'despawn', target: { all: 'tga:x' } }] },
			'tag',
		],
		['an action without its number', { when: 'death', actions: ['buy this'] }, 'as: buy TARGET ITEM'],
		['an action without a target', { when: 'death', actions: ['damage'] }, 'a target is missing'],
		[
			'an action without its place',
			{ when: 'death', actions: ['teleport this'] },
			'is missing and must be x,y,z',
		],
		['a word too many', { when: 'death', actions: ['despawn this now'] }, 'words'],
		['a number out of range', { when: 'death', actions: ['damage this 1e300'] }, '1000000000'],
		['a place out of range', { when: 'death', actions: ['teleport this 1e30,0,0'] }, '1000000'],
		['a place of two numbers', { when: 'death', actions: ['teleport this 1,2'] }, 'x,y,z'],
		['negative healing', { when: 'death', actions: ['heal this -1'] }, '0'],
		[
			'too many copies',
			{ when: 'death', actions: ['spawn cube 0,0,0 - - - - - - - - - - 99999999'] },
			'1000',
		],
		['a role of a spawn', { when: 'death', actions: ['spawn cube 0,0,0 - - - - - - - - - heroo'] }, 'hero'],
		['truth of a spawn', { when: 'death', actions: ['spawn cube 0,0,0 - - - yes'] }, 'true'],
		['a fourteenth word', { when: 'death', actions: ['spawn cube 0,0,0 - - - - - - - - - - 1 1'] }, '13'],
		['a team of endgame', { when: 'death', actions: ['endgame 256'] }, '255'],
		['a field of an action', { when: 'death', actions: [add('health.curent')] }, 'health.current'],
		['a computed field', { when: 'death', actions: [add('global_transform.position.x')] }, 'cannot be set'],
		['a field of rules', { when: 'death', actions: [add('rule.created')] }, 'no field'],
		[
			'a modifier',
			{
				when: 'death',
				actions: [{ action: 'apply_effect', target: 'this', tag: 'x', modifiers: ['speed=2'] }],
			},
			'stat:op:value',
		],
		['no actions', { when: 'death', actions: [] }, 'actions'],
		['neither actions nor outcomes', { when: 'death' }, 'outcomes'],
		['do and actions', { when: 'death', do: ok, actions: ok }, 'one of them'],
		['actions and outcomes', { when: 'death', do: ok, outcomes: [{ label: 'a', weight: 1 }] }, 'not both'],
		[
			'a weight that is not a number',
			{ when: 'death', outcomes: [{ label: 'a', weight: 'half' }] },
			'weight',
		],
		['a weight below zero', { when: 'death', outcomes: [{ label: 'a', weight: -1 }] }, '0'],
		['a weight over nothing', { when: 'death', outcomes: [{ label: 'a', weight: '1/0' }] }, 'weight'],
		['no weight at all', { when: 'death', outcomes: [{ label: 'a', weight: 0 }] }, 'above 0'],
		['no outcomes', { when: 'death', outcomes: [] }, 'outcomes'],
		[
			'do and actions in an outcome',
			{ when: 'death', outcomes: [{ label: 'a', weight: 1, do: ok, actions: ok }] },
			'one of them',
		],
		['an outcome without label', { when: 'death', outcomes: [{ weight: 1 }] }, 'label'],
		[
			'an action of an outcome',
			{ when: 'death', outcomes: [{ label: 'a', weight: 1, do: ['hael this 1'] }] },
			'heal',
		],
		['an unknown key', { when: 'death', actions: ok, prority: 1 }, 'priority'],
		['no condition', { actions: ok }, 'when'],
	];

	test.each(cases)('%s', async (_, document, hint) => {
		await spawn({ gold: 1 });
		await rule({ when: 'tick:5', actions: ['despawn this'] });
		const before = encodeWorld(world());
		const { status, body } = await call('POST', '/rule/create', document);
		expect([200, 422]).toContain(status);
		expect(body.ok).toBe(false);
		expect(typeof body.code).toBe('string');
		expect(`${body.error} ${body.fix}`).toContain(hint);
		expect(encodeWorld(world())).toEqual(before);
	});
});
