/**
 * Answer of a route about the selected world, read again when the world has changed.
 * Owns: when it is read. Never: reads while it is hidden, nor more than three times a second.
 */

import { computed, effect, untracked } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { showsWorld } from '../services.ts';
import { askRaw, inWorld, type Refusal } from '../state/ask.ts';
import { paced } from '../state/paced.ts';
import { usePanels } from '../state/panels.ts';

const REST_MS = 333;
/** It rests at least this many times as long as reading took. */
const REST_FACTOR = 8;

export type ReadValues = Readonly<Record<string, unknown>>;

export interface FormReading {
	/** Null until it was read, and where it cannot be. */
	readonly value: ReadValues | null;
	readonly refusal: Refusal | null;
	/** Takes what a call has answered for what a reading would. */
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
		const reader = paced({ least: REST_MS, factor: REST_FACTOR }, async () => {
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
			// Settings that only show the world are in no digest.
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
	const here = read !== null && read.world === world ? read : null;
	return {
		value: here?.value ?? null,
		refusal: here?.refusal ?? null,
		take: (part) => setRead((old) => (old?.value ? { ...old, value: { ...old.value, ...part } } : old)),
	};
}
