/**
 * Recorded answers of examples, loaded when they are first needed.
 * Owns: that it is loaded once.
 */

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Example } from '../../shared/contract/route.ts';
import type { DocRoute } from './document.ts';

type Recorded = typeof import('virtual:recorded-examples')['default'];

const recorded = signal<Recorded | null>(null);
let isRequested = false;

function useAll(): Recorded | null {
	useEffect(() => {
		if (isRequested) return;
		isRequested = true;
		import('virtual:recorded-examples').then(
			(module) => {
				recorded.value = module.default;
			},
			(error: unknown) => {
				// Examples still run; only recorded answers are missing. The next route asks again.
				isRequested = false;
				console.warn('The recorded answers could not be loaded.', error);
			},
		);
	}, []);
	return recorded.value;
}

/** Returns the recording of an example; undefined while it loads, and when there is none. */
export function useRecorded({ id }: DocRoute, { name }: Example) {
	return useAll()?.examples[`${id} ${name}`];
}

/** Source file of each route; null while that loads. */
export function useDeclared(): Recorded['declared'] | null {
	return useAll()?.declared ?? null;
}
