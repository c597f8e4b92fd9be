/** The condition `text`. */

import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import { elementsOf } from '../../hud/hud.ts';
import { createFinding, type Statement } from './condition.ts';
import { HudReading } from './hud-reading.ts';

const MAX_TEXTS = 3;

export const text: Statement<ConditionOf<'text'>> = {
	find: ({ id, contains, equals }, scope) => {
		const reading = new HudReading(scope);
		const texts = elementsOf(scope.world)
			.filter((element) => id == null || element.id === id)
			.map((element) => reading.readElement(element))
			.flatMap((element) => (element.type === 'text' || element.type === 'button' ? [element.text] : []));
		const holds = texts.some(
			(text) => (contains == null || text.includes(contains)) && (equals == null || text === equals),
		);
		const subject = id == null ? 'No text' : `No text "${id}"`;
		if (texts.length === 0) return createFinding(false, `${subject} is shown.`);
		const more = texts.length > MAX_TEXTS ? ` and ${texts.length - MAX_TEXTS} more` : '';
		return createFinding(
			holds,
			`Shown: ${texts
				.slice(0, MAX_TEXTS)
				.map((text) => `"${text}"`)
				.join(', ')}${more}.`,
		);
	},
	names: ({ id }) => (id == null ? [] : [{ kind: 'element', name: id }]),
};
