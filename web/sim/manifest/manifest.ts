/**
 * The manifest of the game: features and the assertions that say when they are done.
 * Owns: how verdicts decide what counts as verified. View scope: it says what people want, not what the world does.
 */

import type * as z from 'zod';
import { ApiError } from '../../../shared/contract/errors.ts';
import { suggestion } from '../../../shared/contract/nearest.ts';
import { type ManifestDocument, manifestDocument } from '../../../shared/documents/manifest.ts';
import { assertions, verdicts } from '../assertions/assertion.ts';
import { type Resource, resource, setResource } from '../core/resource.ts';
import type { World } from '../core/world.ts';

type Feature = ManifestDocument['features'][number];

export const Manifest: Resource<ManifestDocument | null> = {
	name: 'manifest',
	scope: 'view',
	summary: 'Features of the game, each with the assertions that define it as done',
	schema: manifestDocument.nullable() as unknown as z.ZodType<ManifestDocument | null>,
	initial: () => null,
};

/** Throws `no_manifest`. */
export function manifest(world: World): ManifestDocument {
	const declared = resource(world, Manifest);
	if (declared == null) throw new ApiError('no_manifest', 'There is no manifest.');
	return declared;
}

export function setManifest(world: World, document: ManifestDocument): void {
	setResource(world, Manifest, document);
}

/** Forgets the manifest and answers it. Throws `no_manifest`. */
export function removeManifest(world: World): ManifestDocument {
	const before = manifest(world);
	setResource(world, Manifest, null);
	return before;
}

/**
 * Finds the parts of a manifest that cannot work as they are: features that share a name, and assertions that do not
 * exist.
 */
export function looseEnds(world: World, { features }: ManifestDocument): string[] {
	const names = new Set(assertions(world).map(({ name }) => name));
	const visited = new Set<string>();
	return features.flatMap(({ name, assertions: wanted }) => {
		const twice = visited.has(name)
			? [`there are several features "${name}"; only the first can be changed`]
			: [];
		visited.add(name);
		const missing = wanted.filter((assertion) => !names.has(assertion));
		return [...twice, ...missing.map((item) => `feature "${name}": there is no assertion "${item}" yet`)];
	});
}

export interface FeatureChange {
	readonly name: string;
	readonly status?: Feature['status'] | null | undefined;
	readonly description?: string | null | undefined;
	readonly assertions?: readonly string[] | null | undefined;
	readonly remove_assertions?: readonly string[] | null | undefined;
	readonly add: boolean;
	readonly remove: boolean;
}

/**
 * Changes, adds or removes the first feature of a name. Returns a message, and the feature as it is declared now.
 * Throws `no_manifest`, `unknown_feature`, `feature_exists`.
 */
export function changeFeature(
	world: World,
	change: FeatureChange,
): { readonly message: string; readonly feature: Feature | null } {
	const before = manifest(world);
	const { name } = change;
	const at = before.features.findIndex((feature) => feature.name === name);
	if (change.add && at >= 0) throw new ApiError('feature_exists', `There is already a feature "${name}".`);
	if (!change.add && at < 0) {
		const fix = suggestion(
			name,
			before.features.map((feature) => feature.name),
		);
		throw new ApiError('unknown_feature', `There is no feature "${name}".`, { fix });
	}
	if (change.remove) {
		setManifest(world, { ...before, features: before.features.toSpliced(at, 1) });
		return { message: `Removed "${name}".`, feature: null };
	}
	const current: Feature = before.features[at] ?? {
		name,
		description: '',
		status: 'planned',
		assertions: [],
	};
	const dropped = change.remove_assertions ?? [];
	const feature: Feature = {
		name,
		description: change.description ?? current.description,
		status: change.status ?? current.status,
		assertions: [...new Set([...current.assertions, ...(change.assertions ?? [])])].filter(
			(assertion) => !dropped.includes(assertion),
		),
	};
	const features = at < 0 ? [...before.features, feature] : before.features.with(at, feature);
	setManifest(world, { ...before, features });
	return { message: change.add ? `Added "${name}".` : `Changed "${name}".`, feature };
}

/**
 * Returns the manifest with the last verdicts worked in; of several assertions with one name, the last counts. Throws
 * `no_manifest`.
 */
export function readManifest(world: World) {
	const document = manifest(world);
	const passed = new Map(verdicts(world).map((verdict) => [verdict.name, verdict.passed]));
	const features = document.features.map((feature) => {
		const assertions = feature.assertions.map((name) => {
			const verdict = passed.get(name);
			const status =
				verdict === undefined ? ('not_evaluated' as const) : verdict ? ('pass' as const) : ('fail' as const);
			return { name, status };
		});
		const verified = assertions.length > 0 && assertions.every(({ status }) => status === 'pass');
		const failing = assertions.filter(({ status }) => status === 'fail').map((assertion) => assertion.name);
		const done = feature.status === 'verified' || feature.status === 'complete';
		const claimed = !done
			? feature.status
			: failing.length > 0
				? ('in_progress' as const)
				: ('complete' as const);
		return {
			name: feature.name,
			description: feature.description,
			status: verified ? ('verified' as const) : claimed,
			declared_status: feature.status,
			assertions,
			failing,
			all_assertions_pass: verified,
		};
	});
	const verified = features.filter((feature) => feature.all_assertions_pass).length;
	return {
		name: document.name,
		genre: document.genre,
		description: document.description,
		features,
		total_features: features.length,
		verified_features: verified,
		completion_pct: features.length === 0 ? 0 : Math.floor((verified * 100) / features.length),
	};
}
