/**
 * Parts of the page whose code is loaded when they are first shown.
 * Owns: what is shown until then, and when it cannot be loaded.
 */

import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { reasonOf } from '../../../shared/contract/reason.ts';

type LoadedView<P> = { readonly View: ComponentType<P> } | { readonly fault: string };

/** Returns a component that is shown until `load` brings the real one. */
export function later<P extends object>(
	load: () => Promise<ComponentType<P>>,
	waiting: (words: string) => ComponentChildren,
) {
	let loaded: LoadedView<P> | null = null;
	return function Later(props: P) {
		const [state, setState] = useState(loaded);
		useEffect(() => {
			if (state !== null) return;
			let isUnmounted = false;
			load().then(
				(View) => {
					loaded = { View };
					if (!isUnmounted) setState(loaded);
				},
				// The next time that it is shown it is asked for again.
				(error: unknown) => isUnmounted || setState({ fault: reasonOf(error) }),
			);
			return () => {
				isUnmounted = true;
			};
		}, []);
		if (state === null) return <>{waiting('Loading.')}</>;
		if ('fault' in state)
			return <>{waiting(`This part of the page could not be loaded: ${state.fault}. Reload the page.`)}</>;
		return <state.View {...props} />;
	};
}
