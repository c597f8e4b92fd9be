/**
 * Hooks for the declaration of a route, and for the control of a definition.
 * Owns: the state of loading them.
 */

import { useEffect, useState } from 'preact/hooks';
import { reasonOf } from '../../../shared/contract/reason.ts';
import { usePanels } from '../state/panels.ts';
import { createDeclarations, type Declarations, type DeclaredForm, type RouteName } from './declarations.ts';
import { type VariantControl, variantControl } from './variants.ts';

const cache = new WeakMap<object, Declarations>();

/** Returns the declaration of a route; null while it loads, or the reason as a text if loading failed. */
export const useDeclared = (route: RouteName, field?: string): DeclaredForm | string | null =>
	useLoaded((declarations) => declarations.of(route, field), `${route} ${field}`);

/** Returns the control of a definition, such as `Action`; null or a text as `useDeclared`. */
export const useVariants = (definition: string): VariantControl | string | null =>
	useLoaded((declarations) => variantsOf(declarations, definition), definition);

/** Controls by definition. Each is derived once. */
const controls = new WeakMap<Declarations, Map<string, Promise<VariantControl>>>();

function variantsOf(declarations: Declarations, name: string): Promise<VariantControl> {
	const byName = controls.get(declarations) ?? new Map<string, Promise<VariantControl>>();
	controls.set(declarations, byName);
	const cached = byName.get(name);
	if (cached !== undefined) return cached;
	const control = declarations.definition(name).then(variantControl);
	byName.set(name, control);
	control.catch(() => byName.delete(name));
	return control;
}

function useLoaded<T extends object>(
	read: (declarations: Declarations) => Promise<T>,
	name: string,
): T | string | null {
	const { services } = usePanels();
	const [loaded, setLoaded] = useState<T | string | null>(null);
	useEffect(() => {
		const declarations = cache.get(services) ?? createDeclarations(services);
		cache.set(services, declarations);
		let isStale = false;
		read(declarations).then(
			(now) => isStale || setLoaded(now),
			(error: unknown) => isStale || setLoaded(reasonOf(error)),
		);
		return () => {
			isStale = true;
		};
	}, [services, name]);
	return loaded;
}
