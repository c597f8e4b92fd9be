/**
 * Parts of the page whose code is loaded when they are first shown.
 * Owns: the replacement while the code loads, and the message if loading fails.
 */

import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { reasonOf } from '../../../shared/contract/reason.ts';

type LoadedView<P> = { readonly View: ComponentType<P> } | { readonly fault: string };

/** Returns a component that shows `waiting` until `load` resolves to the real component. */
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
				// `loaded` stays null, so the next mount loads again.
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
