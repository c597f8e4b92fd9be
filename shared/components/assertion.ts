/** An assertion about the world, as an entity of its own. */

import * as z from 'zod';
import { component, json, words } from '../contract/component.ts';

export const SEVERITIES = ['error', 'warning', 'info'] as const;
export const HELD = ['end', 'throughout'] as const;

export const Assertion = component({
	name: 'assertion',
	title: 'Assertion',
	scope: 'state',
	summary: 'Something that should hold of the world; POST /assert/evaluate says whether it does',
	fields: {
		name: json<string>(z.string(), '', 'Its name; several may have the same'),
		condition: json<unknown>(z.unknown(), null, 'What should hold, in typed form'),
		severity: words(SEVERITIES, 'How bad it is when it does not'),
		held: words(HELD, 'end: when it is evaluated; throughout: also before and after every tick of a probe'),
	},
	inEntries: false,
});
