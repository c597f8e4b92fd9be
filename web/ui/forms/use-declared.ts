/**
 * Declaration of a route, in a component that draws it.
 * Owns: nothing but the state between asking and knowing.
 */

import { useEffect, useState } from 'preact/hooks';
import { usePanels } from '../state/panels.ts';
import { createDeclarations, type Declarations, type Declared, type RouteName } from './declarations.ts';

const known = new WeakMap<object, Declarations>();

/** Null until it is known; a text says why it cannot be. */
export function useDeclared(route: RouteName, field?: string): Declared | string | null {
	const { services } = usePanels();
	const [declared, setDeclared] = useState<Declared | string | null>(null);
	useEffect(() => {
		const declarations = known.get(services) ?? createDeclarations(services);
		known.set(services, declarations);
		let left = false;
		declarations.of(route, field).then(
			(now) => left || setDeclared(now),
			(error: unknown) => left || setDeclared(error instanceof Error ? error.message : String(error)),
		);
		return () => {
			left = true;
		};
	}, [services, route, field]);
	return declared;
}
