/**
 * Recorded answers of examples, which are loaded at the first use.
 * Owns: the single load.
 */

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Example } from '../../shared/contract/route.ts';
import type { DocRoute } from './document.ts';

type Recorded = typeof import('virtual:recorded-examples')['default'];

const recorded = signal<Recorded | null>(null);
let isRequested = false;

function useRecordings(): Recorded | null {
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

/** Returns the recording of an example; undefined while it loads, and if there is none. */
export function useRecorded({ id }: DocRoute, { name }: Example) {
	return useRecordings()?.examples[`${id} ${name}`];
}

/** Returns the sources of the routes; null while they load. */
export function useRouteSources(): Recorded['declared'] | null {
	return useRecordings()?.declared ?? null;
}
