/**
 * The API reference reads tables of fields and search hits out of the OpenAPI document.
 */

import { expect, test } from 'vitest';
import { openApiDocument } from '../../../shared/contract/api-documents.ts';
import { routes } from '../../../shared/routes/index.ts';
import { readDocument } from '../../../web/docs/document.ts';
import { type DocField, groupsOf } from '../../../web/docs/schema.ts';
import { createSearch } from '../../../web/docs/search.ts';

const api = readDocument(JSON.parse(JSON.stringify(openApiDocument(routes))));
const routeAt = (anchor: string) => api.routes.find((route) => route.anchor === anchor)!;

/** Returns the field that a path such as `collider.radius` leads to, in any form. */
function fieldAt(anchor: string, path: string, of: 'body' | 'answer' = 'body'): DocField | undefined {
	const [first, ...rest] = path.split('.');
	const within = (field: DocField | undefined, name: string) =>
		field &&
		groupsOf(field.schema, api.schemas)
			.flatMap(({ fields }) => fields)
			.find((field) => field.name === name);
	const own = groupsOf(routeAt(anchor)[of]!, api.schemas).flatMap(({ fields }) => fields);
	return rest.reduce(
		within,
		own.find(({ name }) => name === first),
	);
}

test('fields have their type, unit, default, range and meaning, also within records, lists and forms', () => {
	expect(fieldAt('post-spawn', 'position')).toMatchObject({ type: '3 numbers or null', unit: 'm' });
	expect(fieldAt('post-spawn', 'collider.radius')).toMatchObject({ unit: 'm', required: true });
	expect(fieldAt('post-step', 'ticks')).toMatchObject({ type: 'integer', unit: 'ticks', required: false });
	expect(fieldAt('post-batch', 'requests.method')).toMatchObject({
		type: 'word',
		initial: '"POST"',
		range: 'GET, POST, PATCH, DELETE',
	});
	expect(fieldAt('post-batch', 'requests')).toMatchObject({
		type: 'list of records',
		range: '1 to 1000 items',
	});
	expect(fieldAt('post-entity-damage', 'entity_id')).toMatchObject({ type: 'integer', required: true });
	const { meaning, unit } = fieldAt('post-spawn', 'position')!;
	expect(meaning).not.toContain(`(${unit})`);
	// An answer that can be a refusal shows the answer alone.
	expect(fieldAt('post-fork', 'fork_id', 'answer')).toBeDefined();
	expect(fieldAt('post-fork', 'fix', 'answer')).toBeUndefined();
});

test('each form of a value has a label, and a recursive record is shown one level at a time', () => {
	const when = fieldAt('post-rule-create', 'when')!;
	const labels = groupsOf(when.schema, api.schemas).map(({ label }) => label);
	expect(labels).toContain('kind: timer');
	expect(new Set(labels).size).toBe(labels.length);
	expect(fieldAt('post-rule-create', 'when.of.of.of')).toBeDefined();
});

test('a search finds paths, words, fields and errors, and says why', () => {
	const find = createSearch(api);
	const found = (typed: string) => find(typed).map(({ route, why }) => [route.anchor, why]);
	expect(found('spawn')[0]).toEqual(['post-spawn', '']);
	expect(found('post /spawn')[0]).toEqual(['post-spawn', '']);
	expect(found('half_height')).toContainEqual(['post-spawn', 'field half_height']);
	expect(found('world_full')).toContainEqual(['post-spawn', 'error world_full']);
	expect(found('spawn xyzzy')).toEqual([]);
	expect(found('')).toHaveLength(routes.length);
});
