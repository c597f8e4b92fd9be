/**
 * Answer of a route about the selected world. It is read again after the world changes.
 * Owns: the times of reading. Never: reads while it is hidden, or more than three times a second.
 */

import { computed, effect, untracked } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { showsWorld } from '../services.ts';
import { askRaw, inWorld, type Refusal } from '../state/ask.ts';
import { paced } from '../state/paced.ts';
import { usePanels } from '../state/panels.ts';

const REST_MS = 333;
/** Reading rests for at least this multiple of the time that it took. */
const REST_FACTOR = 8;

export type ReadValues = Readonly<Record<string, unknown>>;

export interface FormReading {
	/** Null until the first answer, and after a refusal. */
	readonly value: ReadValues | null;
	readonly refusal: Refusal | null;
	/** Merges values of another call's answer, so that no new reading is needed. */
	readonly take: (part: ReadValues) => void;
}

/** Reads `path` with GET. */
export function useReading(path: string): FormReading {
	const { services, worlds, navigation } = usePanels();
	const world = worlds.selected.value;
	const [read, setRead] = useState<{
		world: string;
		value: ReadValues | null;
		refusal: Refusal | null;
	} | null>(null);
	useEffect(() => {
		let isStale = false;
		const reader = paced({ minRest: REST_MS, factor: REST_FACTOR }, async () => {
			const outcome = await askRaw(services, 'GET', inWorld(path, world), undefined, 'panels');
			if (isStale) return;
			setRead(
				outcome.ok
					? { world, value: outcome.body, refusal: null }
					: { world, value: null, refusal: outcome.refusal },
			);
		});
		const stamp = computed(() => {
			const selectedWorld = worlds.selectedInfo.value;
			return selectedWorld === null ? null : `${selectedWorld.tick} ${selectedWorld.digest}`;
		});
		const end = effect(() => {
			// Settings of the picture change no digest, so each change of this page counts.
			worlds.changes.value;
			const now = stamp.value;
			if (navigation.view.value !== 'make' || !showsWorld(services.holding.value) || now === null) return;
			untracked(() => reader.ask());
		});
		return () => {
			isStale = true;
			end();
			reader.stop();
		};
	}, [services, path, world]);
	const current = read !== null && read.world === world ? read : null;
	return {
		value: current?.value ?? null,
		refusal: current?.refusal ?? null,
		take: (part) => setRead((old) => (old?.value ? { ...old, value: { ...old.value, ...part } } : old)),
	};
}
