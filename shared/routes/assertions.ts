/** Routes of the tag Assertions and manifest: conditions that should be true, and the plan of the game. */

import * as z from 'zod';
import { CHECK_TIMES, SEVERITIES } from '../components/assertion.ts';
import { route } from '../contract/route.ts';
import { namesThing } from '../contract/thing.ts';
import {
	entityId,
	flag,
	generation,
	isGiven,
	isTrue,
	listLength,
	message,
	nullMeansDefault,
	optional,
	text,
	ticks,
} from '../contract/values.ts';
import { assertionNames, featureStatus, manifestDocument, STATUSES } from '../documents/manifest.ts';
import { checkTime, reading, sentCondition, severity, shorthandFields, vacuous } from '../rules/assertion.ts';
import { conditionDocument } from '../verbs/conditions/index.ts';
import { worldStamp } from './entity-view.ts';
import { warnings } from './world.ts';

const name = text('Name', 200).min(1);
const shared = { tag: 'Assertions and manifest' } as const;
const given = [
	{ path: '/spawn', body: { health: 100, team: 1 } },
	{ path: '/assert/create', body: { name: 'team1-lives', condition: 'alive', filter: 'team:1' } },
] as const;

const heldWord = z
	.enum(CHECK_TIMES)
	.describe(
		'Time of the check: at the end of a probe, or throughout it. Ticks of /step and of play are not checked',
	);

const verdict = z.strictObject({
	entity_id: entityId,
	name: z.string(),
	severity: z.string(),
	passed: z.boolean(),
	vacuous,
	message: z.string().describe('Explanation'),
});

export const createAssertion = route({
	...shared,
	id: 'assertions.create',
	method: 'POST',
	path: '/assert/create',
	cli: ['assert', 'create'],
	summary: 'Registers a condition that should hold; POST /assert/evaluate checks it',
	description:
		'`condition` is typed, a short word with its parameters, or one text such as "count team:2 max=0". A parameter that the condition does not take is refused. An assertion is an entity and counts as one, but rules affect it only if they name its id.',
	effect: 'write',
	body: z.strictObject(
		nullMeansDefault({ name, condition: sentCondition, severity, held: checkTime, ...shorthandFields }),
	),
	answer: z.strictObject({
		ok: z.literal(true),
		id: entityId,
		generation,
		entity_id: entityId,
		entity_generation: generation,
		name: z.string(),
		severity: z.enum(SEVERITIES),
		held: heldWord,
		condition: conditionDocument,
		reading,
		warnings,
	}),
	makes: { thing: 'assertion', named: { assertion: '$response.body#/id' } },
	errors: ['world_full'],
	inside: ['invalid_body', 'invalid_assertion'],
	examples: [
		{ name: 'A short word', body: { name: 'team1-lives', condition: 'alive', filter: 'team:1' } },
		{
			name: 'Typed',
			body: {
				name: 'healthy',
				severity: 'warning',
				condition: {
					type: 'field_check',
					filter: { type: 'team', team: 1 },
					field: 'health.percent',
					op: 'greater',
					value: 50,
				},
			},
		},
	],
});

export const evaluateAssertions = route({
	...shared,
	id: 'assertions.evaluate',
	method: 'POST',
	path: '/assert/evaluate',
	cli: ['assert', 'evaluate'],
	summary: 'Evaluates every assertion now and stores the verdicts',
	description: 'Verdicts are not part of the state: the digest does not change.',
	effect: 'view',
	owner: [{ none: 'verdicts are not part of the world' }],
	answer: z.strictObject({
		ok: z.literal(true),
		...worldStamp,
		total: z.int().describe('Assertions evaluated'),
		passed: z.int().describe('Assertions that hold'),
		failed: z.int().describe('Assertions that fail'),
		results: z.array(verdict),
		warnings,
	}),
	errors: [],
	examples: [{ name: 'Evaluate', given, body: {} }],
});

export const assertionResults = route({
	...shared,
	id: 'assertions.results',
	method: 'GET',
	path: '/assert/results',
	cli: ['assert', 'results'],
	summary: 'Latest verdict on every assertion, without evaluating',
	effect: 'read',
	answer: z.strictObject({
		ok: z.literal(true),
		assertions: z.array(
			z.strictObject({
				entity_id: entityId,
				name: z.string(),
				severity: z.string(),
				last_result: z
					.strictObject({ passed: z.boolean(), vacuous, message: z.string(), tick: ticks })
					.nullable(),
			}),
		),
		count: listLength,
	}),
	errors: [],
	examples: [{ name: 'Read the verdicts', given: [...given, { path: '/assert/evaluate', body: {} }] }],
});

export const listAssertions = route({
	...shared,
	id: 'assertions.list',
	method: 'GET',
	path: '/assert/list',
	cli: ['assert', 'list'],
	summary: 'Every assertion with its condition',
	effect: 'read',
	answer: z.strictObject({
		ok: z.literal(true),
		assertions: z.array(
			z.strictObject({
				entity_id: entityId,
				name: z.string(),
				severity: z.string(),
				held: heldWord,
				condition: conditionDocument,
				reading,
				has_result: z.boolean(),
				last_passed: z.boolean().nullable(),
			}),
		),
		count: listLength,
	}),
	errors: [],
	examples: [{ name: 'List them', given }],
});

export const deleteAssertion = route({
	...shared,
	id: 'assertions.delete',
	method: 'DELETE',
	path: '/assert/{id}',
	cli: ['assert', 'delete'],
	summary: 'Removes an assertion',
	effect: 'write',
	params: z.strictObject({ id: entityId.meta(namesThing('assertion')) }),
	answer: z.strictObject({ ok: z.literal(true), message: z.string() }),
	errors: [],
	inside: ['unknown_assertion'],
	examples: [{ name: 'Remove one', given, path: '/assert/1' }],
});

const manifest = {
	name: 'Arena',
	genre: 'arena',
	description: 'Two teams, one winner',
	features: [
		{ name: 'combat', description: 'They fight', status: 'in_progress', assertions: ['team1-lives'] },
	],
};
const withManifest = [...given, { path: '/manifest', body: manifest }] as const;

export const setManifest = route({
	...shared,
	id: 'manifest.set',
	method: 'POST',
	path: '/manifest',
	cli: ['manifest', 'set'],
	summary: 'Sets the manifest of the game and replaces an earlier one',
	effect: 'view',
	owner: ['settings'],
	body: manifestDocument,
	answer: message.extend({ warnings }),
	makes: { thing: 'feature', named: { feature: '$request.body#/features/0/name' } },
	errors: [],
	inside: ['invalid_body'],
	examples: [{ name: 'Describe the plan', body: manifest }],
});

export const removeManifest = route({
	...shared,
	id: 'manifest.remove',
	method: 'DELETE',
	path: '/manifest',
	cli: ['manifest', 'delete'],
	summary: 'Removes the manifest; assertions are kept',
	effect: 'view',
	owner: ['settings'],
	answer: message,
	errors: ['no_manifest'],
	examples: [{ name: 'Remove it', given: withManifest }],
});

export const getManifest = route({
	...shared,
	id: 'manifest.get',
	method: 'GET',
	path: '/manifest',
	cli: ['manifest', 'get'],
	summary: 'Manifest, with the status of each feature from the latest verdicts',
	description:
		'A feature is verified if it has assertions and all of them passed. A feature that was only declared verified is shown as complete.',
	effect: 'read',
	answer: z.strictObject({
		ok: z.literal(true),
		manifest: z.strictObject({
			name: z.string(),
			genre: z.string(),
			description: z.string(),
			features: z.array(
				z.strictObject({
					name: z.string(),
					description: z.string(),
					status: z
						.enum(STATUSES)
						.describe(
							'Status from the verdicts: verified if all its assertions pass, and in_progress instead of complete while one fails',
						),
					declared_status: z.enum(STATUSES),
					assertions: z.array(
						z.strictObject({ name: z.string(), status: z.enum(['pass', 'fail', 'not_evaluated']) }),
					),
					failing: z.array(z.string()).describe('Its assertions that fail in the latest verdict'),
					all_assertions_pass: z.boolean(),
				}),
			),
			total_features: z.int().describe('Number of features'),
			verified_features: z.int().describe('Number of verified features'),
			completion_pct: z.int().describe('Share of verified features, 0 to 100, rounded down'),
		}),
	}),
	errors: [],
	inside: ['no_manifest'],
	examples: [{ name: 'Read it', given: withManifest }],
});

const changes = ['status', 'description', 'assertions', 'remove_assertions'].map(isGiven);
/** JSON Schema of a valid change: at least one field, and no other with `remove`. */
const validChange = {
	allOf: [{ anyOf: [isTrue('remove'), isTrue('add'), ...changes] }],
	not: { allOf: [isTrue('remove'), { anyOf: [isTrue('add'), ...changes] }] },
};

export const changeFeature = route({
	...shared,
	id: 'manifest.feature',
	method: 'POST',
	path: '/manifest/feature',
	cli: ['manifest', 'feature'],
	summary: 'Changes, adds or removes a feature of the manifest',
	effect: 'view',
	owner: ['settings'],
	body: z
		.strictObject(
			nullMeansDefault({
				name: name.meta(namesThing('feature')),
				status: optional(featureStatus),
				description: optional(text('Description of the feature', 5000)),
				assertions: optional(assertionNames.describe('Assertions to add')),
				remove_assertions: optional(assertionNames.describe('Assertions to remove')),
				add: flag('Adds it as a new feature').default(false),
				remove: flag('Removes the feature').default(false),
			}),
		)
		.refine(
			({ remove, add, status, description, assertions, remove_assertions }) =>
				!remove ||
				(!add && [status, description, assertions, remove_assertions].every((each) => each == null)),
			'"remove" removes the whole feature, so no other change is possible with it',
		)
		.refine(
			({ remove, add, status, description, assertions, remove_assertions }) =>
				remove || add || [status, description, assertions, remove_assertions].some((each) => each != null),
			'send at least one change',
		)
		.meta(validChange)
		.describe('A name, with "status", "description", "assertions", "remove_assertions", "add" or "remove"'),
	answer: message.extend({
		feature: manifestDocument.shape.features.element
			.nullable()
			.describe('The feature as declared now; null if it was removed'),
		warnings,
	}),
	errors: ['feature_exists'],
	inside: ['invalid_body', 'no_manifest', 'unknown_feature'],
	examples: [
		{ name: 'Mark as done', given: withManifest, body: { name: 'combat', status: 'complete' } },
		{
			name: 'Add one',
			given: withManifest,
			body: { name: 'economy', add: true, status: 'planned', description: 'Gold and a shop' },
		},
	],
});
