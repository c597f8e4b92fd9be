/** An assertion about the world. Each assertion is an entity. */

import * as z from 'zod';
import { component, json, words } from '../contract/component.ts';

export const SEVERITIES = ['error', 'warning', 'info'] as const;
/** Times of the check. They are values of the field `held`. */
export const CHECK_TIMES = ['end', 'throughout'] as const;

export const Assertion = component({
	name: 'assertion',
	title: 'Assertion',
	scope: 'state',
	summary: 'A condition that the world should satisfy; POST /assert/evaluate checks it',
	fields: {
		name: json<string>(z.string(), '', 'Name; several assertions may have the same'),
		condition: json<unknown>(z.unknown(), null, 'The condition, in typed form'),
		severity: words(SEVERITIES, 'Severity of a failure'),
		held: words(
			CHECK_TIMES,
			'end: checked when evaluated; throughout: also before and after every tick of a probe, but not of a step or of play',
		),
	},
	inEntries: false,
});
