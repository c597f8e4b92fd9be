/** Reference page of all components. */

import { components } from '../../../shared/components/index.ts';
import {
	type Component,
	type ComponentScope,
	type Field,
	fieldSchema,
	readoutKey,
	readoutSchema,
} from '../../../shared/contract/component.ts';
import { jsonSchema } from '../../../shared/contract/json-schema.ts';
import type { GuidePage } from '../page.ts';
import { PAGES, schemaLink } from './declarations.ts';
import { fieldTables, plainText, table, typeText } from './schema-rows.ts';

const SCOPES: Readonly<Record<ComponentScope, string>> = {
	state: 'Forked, in the digest, saved.',
	view: 'Forked and saved, not in the digest.',
	derived: 'Rebuilt from other components: not in the digest, not saved.',
};

export const componentsPage: GuidePage = {
	name: PAGES.components,
	title: 'Components',
	summary: `All ${components.length} components: fields, units, initial values, and how documents and answers show them`,
	markdown: () =>
		[
			'# Components',
			'',
			'An entity is a row; each component gives it columns. Conditions and actions name a number as `component.field`.',
			'',
			...components.flatMap(componentText),
		].join('\n'),
};

function initialOf(field: Field): string {
	if (!('initial' in field)) return '';
	const { initial } = field;
	const value =
		field.kind !== 'json' && Array.isArray(initial) && initial.length === 1 ? initial[0] : initial;
	return `\`${JSON.stringify(value)}\``;
}

function rangeOf(field: Field): string {
	return 'range' in field && field.range !== undefined ? ` (${field.range.join(' to ')})` : '';
}

function componentText(component: Component): string[] {
	const key = readoutKey(component);
	const fields = Object.entries(component.fields)
		.filter(([, field]) => !('hidden' in field && field.hidden))
		.map(([name, field]) => {
			const { description, ...schema } = jsonSchema(fieldSchema(field), 'output');
			return [
				`\`${name}\``,
				typeText(schema, schemaLink),
				initialOf(field),
				plainText(String(description ?? '')) + rangeOf(field),
			];
		});
	const spawn = Object.entries(component.spawn?.fields ?? {}).map(([name, schema]) => [
		name,
		jsonSchema(schema, 'input'),
	]);
	const properties = Object.fromEntries(spawn);
	return [
		`## ${component.title}`,
		'',
		`${plainText(component.summary)}. ${SCOPES[component.scope]}${component.removable === false ? ' It cannot be removed.' : ''}`,
		'',
		...table(['field', 'type', 'initially', 'meaning'], fields),
		...(spawn.length > 0
			? ['**In a spawn document**', '', ...fieldTables({ type: 'object', properties }, 'input', schemaLink)]
			: []),
		key === null
			? 'Answers do not show it.'
			: `Answers show it as \`${key}\`: ${typeText(jsonSchema(readoutSchema(component), 'output'), schemaLink)}.`,
		'',
	];
}
