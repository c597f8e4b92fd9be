/**
 * The list of worlds.
 * Owns: the cases of fork-list.ts.
 */

import { describe, expect, it } from 'vitest';
import {
	contentWords,
	freeForkName,
	readForks,
	type WorldInfo,
	wayName,
	worldStyle,
} from '../../../../web/ui/worlds/fork-list.ts';
import { worldInfo } from '../../../support/world-info.ts';

it('reads the answer of /fork/list', () => {
	const details = [
		{
			fork_id: 'a',
			world_name: 'Hills',
			parent: 'main',
			parent_tick: 5,
			entity_count: 3,
			rule_count: 1,
			playing: true,
			tick: 9,
			state_digest: 'ab',
		},
	];
	expect(readForks({ ok: true, details })).toEqual([
		{
			id: 'a',
			name: 'Hills',
			parent: 'main',
			parentTick: 5,
			parentGone: false,
			tick: 9,
			digest: 'ab',
			entityCount: 3,
			ruleCount: 1,
			playing: true,
			mark: 0,
		},
	]);
	expect(contentWords(worldInfo('a', { entityCount: 3, ruleCount: 1 }))).toBe('2 entities, 1 rule');
	expect(contentWords(worldInfo('a', { entityCount: 1 }))).toBe('1 entity');
	expect(readForks({ ok: false })).toEqual([]);
	expect(readForks(null)).toEqual([]);
});

describe('the order of forks', () => {
	const row = (fork_id: string, parent: string, parent_tick: number) => ({ fork_id, parent, parent_tick });
	const read = (rows: unknown[], before?: readonly WorldInfo[]) => readForks({ details: rows }, before);

	it('is that of a tree: forks are below their parent, the latest first, with numbers by value', () => {
		const forks = read([
			row('deeper', 'dive', 253),
			row('dive', 'main', 0),
			row('late', 'main', 90),
			row('lost', 'gone', 40),
			row('plan-10', 'main', 60),
			row('plan-2', 'main', 60),
		]);
		expect(forks.map(({ id }) => id)).toEqual(['late', 'plan-2', 'plan-10', 'lost', 'dive', 'deeper']);
	});

	it('keeps the colour and line of each fork while others are added and removed', () => {
		const first = read([row('b', 'main', 5), row('c', 'main', 5)]);
		expect(first.map(worldStyle)).toEqual(['one', 'two']);
		const second = read([row('a', 'main', 5), row('b', 'main', 5), row('c', 'main', 9)], first);
		expect(second.map((fork) => [fork.id, worldStyle(fork)])).toEqual([
			['c', 'two'],
			['a', 'three'],
			['b', 'one'],
		]);
		const third = read([row('a', 'main', 5), row('d', 'main', 5)], second);
		expect(third.map((fork) => [fork.id, worldStyle(fork)])).toEqual([
			['a', 'three'],
			['d', 'one'],
		]);
		expect(worldStyle(worldInfo('main', { parent: null, mark: -1 }))).toBe('main');
		// The old main must not get the colour of the promoted fork.
		expect(read([row('was-main-1', 'main', 5)], read([row('plan', 'main', 5)])).map(worldStyle)).toEqual([
			'two',
		]);
	});
});

it('names a fork after its draws', () => {
	const nameOf = (...labels: string[]) => wayName(labels.map((label) => ({ label })));
	expect(nameOf('Gold', 'no rune!')).toBe('gold-no-rune');
	expect(nameOf('a label that is much too long for a name')).toBe('a-label-that-is-much-too');
	expect(nameOf('—', '?')).toBe('way');
	expect(nameOf()).toBe('way');
});

it('finds a free name', () => expect(freeForkName(new Set(['plan-1', 'plan-3']))).toBe('plan-2'));
