/**
 * The table of keys.
 * Owns: the cases of keys.ts.
 */

import { describe, expect, it } from 'vitest';
import {
	actionFor,
	KEY_LINES,
	type KeyFocus,
	keyLinesIn,
	VIEW_NAMES,
} from '../../../../web/ui/chrome/keys.ts';
import type { ViewName } from '../../../../web/ui/chrome/views.ts';

const press = (
	key: string,
	more: Partial<Record<'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey', boolean>> = {},
) => ({
	key,
	shiftKey: false,
	ctrlKey: false,
	altKey: false,
	metaKey: false,
	...more,
});
const actionOn = (key: string, view: ViewName = 'make', focus: KeyFocus = 'page') =>
	actionFor(press(key), view, focus);

describe('actionFor', () => {
	it('opens the existing views', () => {
		expect(actionOn('1')).toEqual({ do: 'view', view: 'start' });
		expect(actionOn('2')).toEqual({ do: 'view', view: 'play' });
		expect(actionOn('4')).toEqual({ do: 'view', view: 'odds' });
		expect(actionOn('6')).toEqual({ do: 'view', view: 'api' });
		expect(actionOn('7')).toBeNull();
		expect(actionOn('0')).toBeNull();
		expect(actionOn('12')).toBeNull();
	});

	it('steps 1 and 60, with any character of Shift and full stop', () => {
		expect(actionOn('.')).toEqual({ do: 'step', ticks: 1 });
		for (const key of ['>', ':', '.'])
			expect(actionFor(press(key, { shiftKey: true }), 'api', 'page')).toEqual({ do: 'step', ticks: 60 });
	});

	it('has a letter for the odds in every view except Play', () => {
		for (const view of VIEW_NAMES.filter((name) => name !== 'play'))
			expect(actionOn('o', view)).toEqual({ do: 'view', view: 'odds' });
		expect(actionOn('o', 'make', 'field')).toBeNull();
	});

	it('leaves all keys except two to the game', () => {
		for (const key of ['1', ' ', '.', '/', 'n', 'f', 'b', 'o', 'Delete', 'ArrowUp'])
			expect(actionOn(key, 'play')).toBeNull();
		expect(actionOn('?', 'play')).toEqual({ do: 'keys' });
		expect(actionOn('Escape', 'play')).toEqual({ do: 'back' });
	});

	it('undoes and redoes the changes of a person, except text in a field', () => {
		for (const more of [{ ctrlKey: true }, { metaKey: true }]) {
			expect(actionFor(press('z', more), 'make', 'page')).toEqual({ do: 'undo', redo: false });
			expect(actionFor(press('Z', { ...more, shiftKey: true }), 'forks', 'control')).toEqual({
				do: 'undo',
				redo: true,
			});
			expect(actionFor(press('z', more), 'make', 'field')).toBeNull();
			expect(actionFor(press('z', more), 'play', 'page')).toBeNull();
		}
		expect(actionOn('z')).toBeNull();
	});

	it('limits some keys to their view', () => {
		expect(actionOn('f', 'odds')).toEqual({ do: 'frame' });
		expect(actionOn('f', 'forks')).toBeNull();
		expect(actionOn('n')).toEqual({ do: 'spawn' });
		expect(actionOn('n', 'api')).toBeNull();
		expect(actionOn('b', 'forks')).toEqual({ do: 'branch' });
		expect(actionOn('b')).toEqual({ do: 'tool', tool: 'brush' });
		expect(actionOn('b', 'odds')).toBeNull();
		expect(actionOn('p', 'api')).toEqual({ do: 'hold' });
		for (const key of ['Delete', 'Backspace', 'F2']) expect(actionOn(key, 'forks')).toBeNull();
		expect([actionOn('Backspace'), actionOn('F2')]).toEqual([{ do: 'despawn' }, { do: 'rename' }]);
	});

	it('does not handle keys of fields, buttons and the browser', () => {
		for (const key of ['1', ' ', '.', '/', 'n', 'Delete', '?'])
			expect(actionOn(key, 'make', 'field')).toBeNull();
		expect(actionOn('Escape', 'make', 'field')).toEqual({ do: 'back' });
		expect(actionOn(' ', 'make', 'control')).toBeNull();
		expect(actionOn(' ')).toEqual({ do: 'time' });
		expect(actionFor(press('f', { ctrlKey: true }), 'make', 'page')).toBeNull();
		for (const letter of ['a', 'c', 'd', 'g', 'v']) {
			expect(actionFor(press(letter, { ctrlKey: true }), 'make', 'field')).toBeNull();
			expect(actionFor(press(letter, { ctrlKey: true }), 'forks', 'page')).toBeNull();
		}
		expect(actionFor(press('1', { metaKey: true }), 'make', 'page')).toBeNull();
	});
});

it('lists the own keys of a view, and the common keys of all views except Play', () => {
	const caps = (view: ViewName) => {
		const { own, common } = keyLinesIn(view);
		return [own, common].map((lines) => lines.map(({ caps }) => caps.join(' ')));
	};
	expect(caps('play')[1]).toEqual(['?']);
	expect(caps('play')[0]).toContain('Q W E R');
	expect(caps('make')[0]).toContain('Ctrl D');
	expect(caps('make')[1]).toContain('1 2 3 4 5 6');
	expect(caps('start')[0]).toEqual([]);
	for (const view of VIEW_NAMES)
		for (const { views } of Object.values(keyLinesIn(view)).flat()) expect(views ?? [view]).toContain(view);
	const listed = new Set(VIEW_NAMES.flatMap((view) => Object.values(keyLinesIn(view)).flat()));
	expect(listed).toEqual(new Set(KEY_LINES));
});

it('chooses tools and edits the selection only in Make', () => {
	const tools = ['q', 'g', 'r', 's'].map((letter) => actionOn(letter));
	expect(tools).toEqual(['select', 'move', 'turn', 'scale'].map((tool) => ({ do: 'tool', tool })));
	expect(actionOn('g', 'odds')).toBeNull();
	const ctrl = (key: string, shiftKey = false) =>
		actionFor(press(key, { ctrlKey: true, shiftKey }), 'make', 'page');
	expect([ctrl('d'), ctrl('c'), ctrl('x'), ctrl('v'), ctrl('g'), ctrl('G', true), ctrl('a')]).toEqual(
		['duplicate', 'copy', 'cut', 'paste', 'group', 'ungroup', 'select-all'].map((deed) => ({ do: deed })),
	);
});
