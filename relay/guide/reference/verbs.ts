/** Reference pages of conditions, actions and targets. */

import { jsonSchema } from '../../../shared/contract/json-schema.ts';
import { ACTIONS } from '../../../shared/verbs/actions/index.ts';
import { CONDITIONS, wordOf } from '../../../shared/verbs/conditions/index.ts';
import { TARGETS } from '../../../shared/verbs/targets/index.ts';
import type { GuidePage } from '../page.ts';
import { declarations, definitionOf, PAGES, schemaLink } from './declarations.ts';
import { fieldTables, plainText, table } from './schema-rows.ts';

/** Returns the fields of a kind without the word that names it. */
function fieldsOf(key: string, word: string): string[] {
	const { properties, ...schema } = definitionOf(key, word) as { properties: Record<string, unknown> };
	const { [key]: _, ...rest } = properties;
	return fieldTables({ ...schema, properties: rest }, 'input', schemaLink);
}

/** Returns true if the table of fields of a verb has rows. */
const hasFields = (key: string, word: string): boolean =>
	Object.keys((definitionOf(key, word).properties ?? {}) as object).length > 1;

export const conditionsPage: GuidePage = {
	name: PAGES.conditions,
	title: 'Conditions',
	summary: `All ${CONDITIONS.length} kinds of condition, as texts and as objects`,
	markdown: () => {
		const { definitions } = declarations();
		return [
			'# Conditions',
			'',
			'A condition is a text or an object. See [write conditions](conditions.md) for how to use them.',
			'',
			`As a text: ${plainText(String(definitions.ConditionText?.description ?? ''))}.`,
			'',
			...CONDITIONS.flatMap((kind) => {
				const { name, key, aliases = [], doc, colon, blank } = kind;
				const word = wordOf(kind);
				const forms = [colon?.form, blank?.form].filter((form) => form !== undefined);
				return [
					`## ${name}`,
					'',
					`${plainText(doc)}.`,
					'',
					`As an object: \`{"${key}": "${word}"${hasFields(key, word) ? ', ...' : ''}}\`${aliases.length > 0 ? `, or with the word ${aliases.map((other) => `\`${other}\``).join(' or ')}` : ''}.${forms.length > 0 ? ` As a text: ${forms.map((form) => `\`${form}\``).join(' or ')}.` : ''}`,
					'',
					...(hasFields(key, word) ? fieldsOf(key, word) : []),
				];
			}),
		].join('\n');
	},
};

export const actionsPage: GuidePage = {
	name: PAGES.actions,
	title: 'Actions and targets',
	summary: `All ${ACTIONS.length} kinds of action of rules and scripts, and the entities that they act on`,
	markdown: () =>
		[
			'# Actions and targets',
			'',
			'An action is a text or an object. See [write rules and actions](rules.md) for how to use them.',
			'',
			'## Targets',
			'',
			'The entities that an action acts on. In texts: the word alone, or `word:value`.',
			'',
			...table(
				['target', 'as an object', 'names'],
				TARGETS.map((target) =>
					'value' in target
						? [
								`\`${target.kind}:${target.form}\``,
								`\`{"${target.kind}": ...}\``,
								plainText(String(jsonSchema(target.value, 'input').description ?? '')),
							]
						: [
								`\`${target.kind}\``,
								`\`"${target.kind}"\``,
								target.kind === 'this' ? 'The entity for which the rule fired' : 'The entity that caused it',
							],
				),
			),
			...ACTIONS.flatMap(({ kind, alias, doc, when, form }) => [
				`## ${kind}`,
				'',
				`${doc === undefined ? '' : `${plainText(doc)}. `}Takes effect ${plainText(when)}.`,
				'',
				`As an object: \`{"action": "${kind}"${hasFields('action', kind) ? ', ...' : ''}}\`${alias === undefined ? '' : `, or with the word \`${alias}\``}. As a text: \`${`${kind} ${form}`.trim()}\`.`,
				'',
				...(hasFields('action', kind) ? fieldsOf('action', kind) : []),
			]),
		].join('\n'),
};
