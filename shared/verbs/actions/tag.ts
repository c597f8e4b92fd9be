/** The action `tag`: adds labels to entities and removes labels. */

import { tagList } from '../../components/tags.ts';
import { Refusal } from '../../contract/errors.ts';
import { writeTarget } from '../targets/index.ts';
import { AT_ONCE, action, readTargetField, target } from './action.ts';

export const tag = action({
	kind: 'tag',
	when: AT_ONCE,
	fields: { target, add: tagList.default([]), remove: tagList.default([]) },
	doc: 'Adds labels, then removes labels',
	form: 'TARGET +LABEL -LABEL ...',
	read: ([target, ...labels]) => {
		const signed = (sign: string) =>
			labels.flatMap((label) => (label?.startsWith(sign) === true ? [label.slice(1)] : []));
		const [add, remove] = [signed('+'), signed('-')];
		if (add.length + remove.length < Math.max(1, labels.length))
			throw new Refusal('labels must be written as +LABEL to add or -LABEL to remove');
		return { ...readTargetField(target), add, remove };
	},
	write: ({ target, add, remove }) => [
		writeTarget(target),
		...add.map((label) => `+${label}`),
		...remove.map((label) => `-${label}`),
	],
	provides: ({ add }) => ({ tag: add }),
	access: { reads: ['tags'], writes: ['tags'] },
});
