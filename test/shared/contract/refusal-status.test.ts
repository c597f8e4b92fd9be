/**
 * The status of every refusal: 4xx or 5xx, except refusals that clients of the reference engine expect inside a 200.
 * Owns: the list of the exceptions, each with its reason. The declarations of the routes must match it.
 */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorsOf } from '../../../shared/contract/api-documents.ts';
import { ERRORS } from '../../../shared/contract/errors.ts';
import { routes } from '../../../shared/routes/index.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';

const ENTITY = 'entity_not_found stale_handle';
const FILE = 'file_missing file_refused file_failed';
const WRITE = 'file_refused file_failed too_large_to_save';

/** Codes that a route reports inside a 200, and the failure that the interface or the reference engine names there. */
const REFUSALS_INSIDE_200: Readonly<Record<string, readonly [codes: string, why: string]>> = {
	'POST /entities/{id}/components': ['not_owner', 'reference: permission denied'],
	'POST /despawn': [
		`${ENTITY} not_owner`,
		'interface: documented endpoints; reference: permission denied, not found',
	],
	'POST /entity/heal': [ENTITY, 'reference: id unresolved'],
	'POST /tag': [ENTITY, 'reference: id unresolved'],
	'POST /ai/set': [ENTITY, 'reference: id unresolved'],
	'POST /view-filter/set': [ENTITY, 'reference: id unresolved'],
	'GET /game/state': ['no_match', 'reference: no match'],
	'POST /rule/create': ['invalid_body invalid_rule', 'reference: condition unknown, no valid action'],
	'POST /fork': ['fork_exists', 'reference: id taken'],
	'DELETE /fork/{id}': ['unknown_fork', 'reference: unknown fork'],
	'POST /fork/{id}/step': ['unknown_fork', 'reference: unknown fork'],
	'POST /fork/{id}/probe': ['unknown_fork', 'reference: unknown fork'],
	'GET /fork/{id}/observe': ['unknown_fork', 'reference: unknown fork'],
	'POST /fork/{id}/scenario': ['unknown_fork', 'interface: table of errors'],
	'GET /snapshot/latest': ['snapshot_missing', 'reference: none yet'],
	'GET /snapshot/diff': ['snapshot_missing', 'reference: label unknown'],
	'POST /assert/create': ['invalid_body invalid_assertion', 'reference: no name, bad or missing condition'],
	'DELETE /assert/{id}': ['unknown_assertion', 'reference: not an assertion'],
	'POST /manifest': ['invalid_body', 'reference: shape error'],
	'GET /manifest': ['no_manifest', 'reference: none set'],
	'POST /manifest/feature': [
		'invalid_body no_manifest unknown_feature',
		'reference: no name, none set, unknown feature',
	],
	'POST /template/create': ['invalid_body', 'reference: no name, shape error'],
	'POST /template/spawn': ['invalid_body unknown_template', 'reference: no name, unknown template'],
	'POST /prefab/spawn': ['unknown_prefab', 'reference: unknown prefab'],
	'POST /scene/save': [WRITE, 'reference: write error'],
	'POST /level/save': [WRITE, 'reference: write error'],
	'POST /scene/load': [`${FILE} invalid_scene`, 'reference: unreadable, not JSON'],
	'POST /level/load': [`${FILE} invalid_level`, 'reference: unreadable, not JSON'],
	'POST /ability/use': [ENTITY, 'reference: id unresolved'],
	'GET /ability/list/{id}': ['entity_not_found', 'reference: id unresolved'],
	'POST /hero/select': [
		`invalid_body ${ENTITY} unknown_hero`,
		'reference: no hero name, id unresolved, unknown hero',
	],
	'POST /camera/focus': [ENTITY, 'reference: entity not found'],
	'POST /material/set': [ENTITY, 'reference: entity not found'],
	'POST /foliage/scatter': ['unknown_mesh no_registry', 'interface: table of errors'],
	'POST /terrain/edit': ['no_terrain', 'reference: no terrain'],
	'POST /animation/load': ['asset_missing asset_refused file_refused file_failed', 'reference: load error'],
	'POST /animation/play': [ENTITY, 'reference: entity not found'],
	'POST /animation/stop': [ENTITY, 'reference: entity not found'],
	'POST /animation/state-machine': [ENTITY, 'reference: entity not found'],
	'POST /animation/montage': [ENTITY, 'interface: documented endpoints; reference: entity not found'],
	'POST /audio/play': ['asset_missing asset_refused', 'interface: table of errors'],
	'POST /audio/stop': [ENTITY, 'reference: entity not found'],
	'POST /particle/stop': [`${ENTITY} no_emitter`, 'reference: not found, not an emitter'],
	'POST /path/compute': ['no_navmesh no_way', 'reference: no navmesh, no route'],
	'POST /path/set': [ENTITY, 'reference: entity not found'],
	'POST /input/unbind': ['unbound_key', 'reference: not bound'],
	'POST /input/context/pop': ['last_context', 'reference: one context left'],
	'POST /script/load': [
		`${ENTITY} no_script_engine script_failed ${FILE}`,
		'interface: table of errors; reference: entity not found, file unreadable, error in the script',
	],
	'POST /asset/generate': ['unknown_provider no_provider_key', 'reference: unknown provider, no key'],
	'GET /asset/status/{task_id}': ['unknown_task', 'reference: unknown task'],
	'GET /engine/gpu': ['no_gpu', 'interface: table of errors'],
	'POST /item/give': [ENTITY, 'reference: entity not found'],
	'POST /item/equip': [
		`${ENTITY} no_inventory item_missing`,
		'reference: entity not found, no inventory, item not in it',
	],
	'GET /item/list/{entity_id}': ['entity_not_found', 'reference: entity not found'],
	'POST /shop/buy': [
		`${ENTITY} entity_dead unknown_item no_price components_missing no_gold not_enough_gold inventory_full`,
		'reference: failures in the order checked',
	],
	'POST /shop/sell': [
		`${ENTITY} unknown_item no_price item_missing no_gold`,
		'reference: failures of a sale',
	],
	'POST /effect/apply': [ENTITY, 'reference: entity not found'],
	'GET /effect/list/{id}': ['entity_not_found', 'reference: entity not found'],
	'POST /effect/cleanse': [ENTITY, 'reference: entity not found'],
};

let testEngine: TestEngine;
beforeAll(async () => {
	testEngine = await startEngine();
	await testEngine.must('POST', '/spawn', {});
});
afterAll(() => testEngine.engine.close());

const sorted = (codes: readonly string[]) => [...codes].sort();

test('every code has the status of an error', () => {
	for (const [code, [status]] of Object.entries(ERRORS)) expect(status, code).toBeGreaterThanOrEqual(400);
});

test('a route reports inside a 200 the refusals that the interface lists for it, and no others', () => {
	const declaredCodes = routes.flatMap((route) => {
		const codes = Object.entries(errorsOf(route)).flatMap(([code, status]) => (status < 400 ? [code] : []));
		return codes.length === 0 ? [] : [[`${route.method} ${route.path}`, sorted(codes)]];
	});
	const listedCodes = Object.entries(REFUSALS_INSIDE_200).map(([route, [codes]]) => [
		route,
		sorted(codes.split(' ')),
	]);
	expect(Object.fromEntries(declaredCodes)).toEqual(Object.fromEntries(listedCodes));
});

test.each([
	['POST', '/rule/create', { when: 'sometimes', do: ['despawn this'] }, 200, 'invalid_rule'],
	['POST', '/entity/heal', { entity_id: 9, amount: 1 }, 200, 'entity_not_found'],
	['POST', '/entity/heal', { entity_id: 0, amount: 1 }, 409, 'no_health'],
	['POST', '/entity/damage', { entity_id: 9, amount: 1 }, 404, 'entity_not_found'],
	['POST', '/scenario', { rules: [{ when: 'sometimes', do: ['despawn this'] }] }, 422, 'invalid_rule'],
	['GET', '/path/0', undefined, 404, 'no_path'],
	['DELETE', '/rule/0', undefined, 404, 'rule_not_found'],
	['POST', '/fork', { fork_id: 'plan', from: 'nowhere' }, 404, 'unknown_fork'],
	['POST', '/game/start', {}, 404, 'no_match'],
	['POST', '/game/end', {}, 404, 'no_match'],
] as const)('%s %s %j is %i %s, alone and in a batch', async (method, path, body, status, code) => {
	expect(await testEngine.call(method, path, body)).toMatchObject({ status, body: { ok: false, code } });
	const { results } = (await testEngine.must('POST', '/batch', { requests: [{ method, path, body }] })) as {
		results: { status: number; ok: boolean }[];
	};
	expect(results).toMatchObject([{ status, ok: false }]);
});
