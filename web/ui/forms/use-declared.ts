/**
 * Declaration of a route, in a component that draws it.
 * Owns: nothing but the state between asking and knowing.
 */

import { useEffect, useState } from 'preact/hooks';
import { reasonOf } from '../../../shared/contract/reason.ts';
import { usePanels } from '../state/panels.ts';
import { createDeclarations, type Declarations, type DeclaredForm, type RouteName } from './declarations.ts';
import { type VariantControl, variantControl } from './variants.ts';

const cache = new WeakMap<object, Declarations>();

/** Null until it is known; a text says why it cannot be. */
export const useDeclared = (route: RouteName, field?: string): DeclaredForm | string | null =>
	useKnown((declarations) => declarations.of(route, field), `${route} ${field}`);

/** Returns the same for the control of a definition, such as `Action`. */
export const useVariants = (definition: string): VariantControl | string | null =>
	useKnown((declarations) => variantsOf(declarations, definition), definition);

/** Controls of definitions: each is worked out once. */
const controls = new WeakMap<Declarations, Map<string, Promise<VariantControl>>>();

function variantsOf(declarations: Declarations, name: string): Promise<VariantControl> {
	const made = controls.get(declarations) ?? new Map<string, Promise<VariantControl>>();
	controls.set(declarations, made);
	const before = made.get(name);
	if (before !== undefined) return before;
	const control = declarations.definition(name).then(variantControl);
	made.set(name, control);
	control.catch(() => made.delete(name));
	return control;
}

function useKnown<T extends object>(
	read: (declarations: Declarations) => Promise<T>,
	name: string,
): T | string | null {
	const { services } = usePanels();
	const [found, setFound] = useState<T | string | null>(null);
	useEffect(() => {
		const declarations = cache.get(services) ?? createDeclarations(services);
		cache.set(services, declarations);
		let isStale = false;
		read(declarations).then(
			(now) => isStale || setFound(now),
			(error: unknown) => isStale || setFound(reasonOf(error)),
		);
		return () => {
			isStale = true;
		};
	}, [services, name]);
	return found;
}
