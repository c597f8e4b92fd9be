/** The condition `text`: the HUD shows a text. */

import { Refusal } from '../../contract/errors.ts';
import { optional, text as textField } from '../../contract/values.ts';
import { elementId } from '../../documents/hud.ts';
import { ANYTHING } from '../access.ts';
import { inQuotes } from '../verb-text.ts';
import { ABOUT_WORLD, condition } from './condition.ts';

const COMPARISONS = ['contains', 'equals'] as const;

export const text = condition({
	name: 'text',
	fields: () => ({
		id: optional(elementId.describe('Name of the text or button; left out: any')),
		contains: optional(textField('Text that it contains, with numbers as shown', 500)),
		equals: optional(textField('All of its text, with numbers as shown', 500)),
	}),
	doc: 'While a text on the HUD, with placeholders filled in, contains or equals something. With only an id: while it is shown. `this` is unset',
	about: ABOUT_WORLD,
	colon: {
		form: 'text:ID',
		read: (value) => (value === undefined || value === '' ? null : { id: value }),
	},
	blank: {
		words: ['text'],
		form: 'text ID contains|equals WORDS',
		take: (reader) => {
			const comparison = COMPARISONS.find((candidate) => candidate === reader.next);
			if (comparison === undefined) return reader.fields.id === undefined && reader.set('id', reader.take());
			reader.take();
			const words: string[] = [];
			while (reader.next !== undefined) words.push(reader.take()!);
			return reader.set(comparison, words.join(' '));
		},
	},
	check: ({ id, contains, equals }) => {
		if (id == null && contains == null && equals == null)
			throw new Refusal(
				'a text condition needs "id", "contains" or "equals"',
				'Send at least one of them.',
				'contains',
			);
	},
	write: ({ id, contains, equals }) => {
		const words = equals == null ? ['contains', contains] : contains == null ? ['equals', equals] : null;
		if (words === null) return null;
		if (words[1] == null) return id == null ? null : `text:${inQuotes(id)}`;
		return ['text', ...(id == null ? [] : [id]), ...words].join(' ');
	},
	say: ({ id, contains, equals }) => {
		const subject = id == null ? 'a text' : `the text ${id}`;
		const tests = [
			...(contains == null ? [] : [`contains "${contains}"`]),
			...(equals == null ? [] : [`equals "${equals}"`]),
		];
		return `${subject} ${tests.length === 0 ? 'is shown' : tests.join(' and ')}`;
	},
	// A text can show any number of the world.
	reads: [ANYTHING],
});
