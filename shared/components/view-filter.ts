/** Rules for the entities that an observer entity sees. Owns: the text form of the rules. */

import * as z from 'zod';
import { component, json } from '../contract/component.ts';
import { namesBy } from '../contract/entity-mark.ts';

export type ViewRule =
	| { readonly kind: 'always' }
	| { readonly kind: 'same-team' }
	| { readonly kind: 'within'; readonly radius: number }
	| { readonly kind: 'tag'; readonly tag: string }
	| { readonly kind: 'zone'; readonly zone: number }
	| { readonly kind: 'not'; readonly rule: ViewRule };

/** Maximum number of `not:` prefixes in a rule. */
const MAX_DEPTH = 20;

/** Pattern of a rule in the schema. Parsing accepts more texts. */
export const VIEW_RULE = String.raw`^(?:not:){0,${MAX_DEPTH}}(?:always|same-team|within:\d{1,9}(?:\.\d+)?|tag:\S[\s\S]*|zone:\d{1,10})$`;

/** Parses a rule. Returns null for an invalid text. */
export function parseViewRule(text: string, depth = 0): ViewRule | null {
	const [word = '', ...rest] = text.trim().split(':');
	const kind = word.trim().toLowerCase();
	const argument = rest.join(':').trim();
	if (rest.length === 0) return kind === 'always' || kind === 'same-team' ? { kind } : null;
	if (argument === '' || depth > MAX_DEPTH) return null;
	switch (kind) {
		case 'within': {
			const radius = /^\d+(\.\d+)?(e\d{1,2})?$/i.test(argument) ? Number(argument) : Number.NaN;
			return radius <= 1e9 ? { kind, radius } : null;
		}
		case 'tag':
			return { kind, tag: argument };
		case 'zone':
			return /^\d{1,10}$/.test(argument) ? { kind, zone: Number(argument) } : null;
		case 'not': {
			const rule = parseViewRule(argument, depth + 1);
			return rule === null ? null : { kind, rule };
		}
	}
	return null;
}

const ruleTexts = z.array(
	z
		.string()
		.refine(
			(rule) => parseViewRule(rule) !== null,
			'it is not a rule of a view filter; send always, same-team, within:R, tag:NAME, zone:ID or not:RULE',
		)
		.meta(namesBy('view_rule')),
);

export const ViewFilter = component({
	name: 'view_filter',
	title: 'ViewFilter',
	scope: 'state',
	summary: 'Makes the entity an observer: it sees itself and the entities that pass all rules',
	fields: {
		rules: json<readonly string[]>(
			ruleTexts,
			[],
			'always, same-team, within:R, tag:NAME, zone:ID or not:RULE; all must hold',
		),
	},
	readout: { schema: ruleTexts, from: (row) => row.rules },
});
