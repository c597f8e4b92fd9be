/**
 * The manifest of the game: features and the assertions that define when they are done.
 * Owns: the rule by which verdicts verify a feature. View scope: it describes a plan, and no tick reads it.
 */

import type * as z from 'zod';
import { ApiError } from '../../../shared/contract/errors.ts';
import { suggestion } from '../../../shared/contract/nearest.ts';
import { type ManifestDocument, manifestDocument } from '../../../shared/documents/manifest.ts';
import { assertionsOf, lastVerdicts } from '../assertions/assertion.ts';
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

/** Returns the manifest. Throws `no_manifest`. */
export function requireManifest(world: World): ManifestDocument {
	const document = resource(world, Manifest);
	if (document == null) throw new ApiError('no_manifest', 'There is no manifest.');
	return document;
}

export function setManifest(world: World, document: ManifestDocument): void {
	setResource(world, Manifest, document);
}

/** Removes the manifest and returns it. Throws `no_manifest`. */
export function removeManifest(world: World): ManifestDocument {
	const document = requireManifest(world);
	setResource(world, Manifest, null);
	return document;
}

/**
 * Returns warnings about parts of a manifest that currently cannot work: features that share a name, and assertions that
 * do not exist.
 */
export function manifestWarnings(world: World, { features }: ManifestDocument): string[] {
	const names = new Set(assertionsOf(world).map(({ name }) => name));
	const seenNames = new Set<string>();
	return features.flatMap(({ name, assertions: assertionNames }) => {
		const duplicateWarnings = seenNames.has(name)
			? [`there are several features "${name}"; only the first can be changed`]
			: [];
		seenNames.add(name);
		const missing = assertionNames.filter((assertion) => !names.has(assertion));
		return [
			...duplicateWarnings,
			...missing.map((item) => `feature "${name}": there is no assertion "${item}" yet`),
		];
	});
}

/** Change of a feature. Omitted or null fields do not change. */
export interface FeatureChange {
	readonly name: string;
	readonly status?: Feature['status'] | null | undefined;
	readonly description?: string | null | undefined;
	readonly assertions?: readonly string[] | null | undefined;
	readonly remove_assertions?: readonly string[] | null | undefined;
	/** True to add the feature instead of changing it. */
	readonly add: boolean;
	/** True to remove the feature. */
	readonly remove: boolean;
}

/**
 * Changes, adds or removes the first feature of a name. Returns a message, and the feature; null after its removal.
 * Throws `no_manifest`, `unknown_feature`, `feature_exists`.
 */
export function changeFeature(
	world: World,
	change: FeatureChange,
): { readonly message: string; readonly feature: Feature | null } {
	const document = requireManifest(world);
	const { name } = change;
	const index = document.features.findIndex((feature) => feature.name === name);
	if (change.add && index >= 0) throw new ApiError('feature_exists', `There is already a feature "${name}".`);
	if (!change.add && index < 0) {
		const fix = suggestion(
			name,
			document.features.map((feature) => feature.name),
		);
		throw new ApiError('unknown_feature', `There is no feature "${name}".`, { fix });
	}
	if (change.remove) {
		setManifest(world, { ...document, features: document.features.toSpliced(index, 1) });
		return { message: `Removed "${name}".`, feature: null };
	}
	const oldFeature: Feature = document.features[index] ?? {
		name,
		description: '',
		status: 'planned',
		assertions: [],
	};
	const removedNames = change.remove_assertions ?? [];
	const feature: Feature = {
		name,
		description: change.description ?? oldFeature.description,
		status: change.status ?? oldFeature.status,
		assertions: [...new Set([...oldFeature.assertions, ...(change.assertions ?? [])])].filter(
			(assertion) => !removedNames.includes(assertion),
		),
	};
	const features = index < 0 ? [...document.features, feature] : document.features.with(index, feature);
	setManifest(world, { ...document, features });
	return { message: change.add ? `Added "${name}".` : `Changed "${name}".`, feature };
}

/**
 * Returns the manifest with the last verdicts. Of several assertions with one name, the last counts. Throws
 * `no_manifest`.
 */
export function readManifest(world: World) {
	const document = requireManifest(world);
	const passedByName = new Map(lastVerdicts(world).map((verdict) => [verdict.name, verdict.passed]));
	const features = document.features.map((feature) => {
		const assertions = feature.assertions.map((name) => {
			const verdict = passedByName.get(name);
			const status =
				verdict === undefined ? ('not_evaluated' as const) : verdict ? ('pass' as const) : ('fail' as const);
			return { name, status };
		});
		const isVerified = assertions.length > 0 && assertions.every(({ status }) => status === 'pass');
		const failing = assertions.filter(({ status }) => status === 'fail').map((assertion) => assertion.name);
		const isDeclaredDone = feature.status === 'verified' || feature.status === 'complete';
		const unverifiedStatus = !isDeclaredDone
			? feature.status
			: failing.length > 0
				? ('in_progress' as const)
				: ('complete' as const);
		return {
			name: feature.name,
			description: feature.description,
			status: isVerified ? ('verified' as const) : unverifiedStatus,
			declared_status: feature.status,
			assertions,
			failing,
			all_assertions_pass: isVerified,
		};
	});
	const verifiedCount = features.filter((feature) => feature.all_assertions_pass).length;
	return {
		name: document.name,
		genre: document.genre,
		description: document.description,
		features,
		total_features: features.length,
		verified_features: verifiedCount,
		completion_pct: features.length === 0 ? 0 : Math.floor((verifiedCount * 100) / features.length),
	};
}
