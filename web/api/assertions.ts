/** Handlers of the tag Assertions and manifest. */

import * as routes from '../../shared/routes/assertions.ts';
import { sayStatement } from '../../shared/verbs/conditions/reading.ts';
import * as store from '../sim/assertions/assertion.ts';
import { assertionWarnings, evaluationWarnings } from '../sim/assertions/assertion-warnings.ts';
import { conditionOf } from '../sim/assertions/condition.ts';
import {
	changeFeature,
	manifestWarnings,
	readManifest,
	removeManifest,
	requireManifest,
	setManifest,
} from '../sim/manifest/manifest.ts';
import { handler } from './handler.ts';
import { warningsField } from './warnings-field.ts';
import { stampOf } from './world-stamp.ts';

export const handlers = [
	handler(
		routes.createAssertion,
		({ world }, { body: { name, condition: sentCondition, severity, held, ...otherFields } }) => {
			const condition = conditionOf(sentCondition, otherFields);
			const { id, generation } = store.createAssertion(world, name, condition, severity, held);
			return {
				id,
				generation,
				entity_id: id,
				entity_generation: generation,
				name,
				severity,
				held,
				condition,
				reading: sayStatement(condition),
				...warningsField(assertionWarnings(world, { condition, held })),
			};
		},
	),

	handler(routes.evaluateAssertions, async ({ host, world }) => {
		const verdicts = await host.inSlices(store.evaluateAll(world));
		const passed = verdicts.filter((verdict) => verdict.passed).length;
		return {
			...stampOf(world),
			total: verdicts.length,
			passed,
			failed: verdicts.length - passed,
			results: verdicts.map(({ id, ...verdict }) => ({ entity_id: id, ...verdict })),
			...warningsField(evaluationWarnings(world, verdicts)),
		};
	}),

	handler(routes.assertionResults, ({ world }) => {
		const list = store.assertionsOf(world);
		return {
			assertions: list.map(({ id, name, severity, last }) => ({
				entity_id: id,
				name,
				severity,
				last_result: last,
			})),
			count: list.length,
		};
	}),

	handler(routes.listAssertions, ({ world }) => {
		const list = store.assertionsOf(world);
		return {
			assertions: list.map(({ id, name, severity, held, condition, last }) => ({
				entity_id: id,
				name,
				severity,
				held,
				condition,
				reading: sayStatement(condition),
				has_result: last !== null,
				last_passed: last?.passed ?? null,
			})),
			count: list.length,
		};
	}),

	handler(routes.deleteAssertion, ({ world }, { params }) => {
		store.deleteAssertion(world, params.id);
		return { message: `Removed assertion ${params.id}.` };
	}),

	handler(routes.setManifest, ({ world }, { body }) => {
		setManifest(world, body);
		const warnings = manifestWarnings(world, body);
		return {
			message: `The manifest "${body.name}" has ${body.features.length} features.`,
			...warningsField(warnings),
		};
	}),

	handler(routes.removeManifest, ({ world }) => {
		const { name } = removeManifest(world);
		return { message: `The manifest "${name}" was removed.` };
	}),

	handler(routes.getManifest, ({ world }) => ({ manifest: readManifest(world) })),

	handler(routes.changeFeature, ({ world }, { body }) => {
		const { message, feature } = changeFeature(world, body);
		const warnings =
			feature === null ? [] : manifestWarnings(world, { ...requireManifest(world), features: [feature] });
		return { message, feature, ...warningsField(warnings) };
	}),
];
