/**
 * The upper edge of the library, which can be dragged, or moved with the arrow keys.
 * Owns: the library's share of the pane's height, which the browser stores.
 */

import { useState } from 'preact/hooks';
import { readStored, storeValue } from '../state/kept.ts';
import { usePanels } from '../state/panels.ts';

const KEY = 'orrery library share';
const FIRST = 0.5;
const MIN_SHARE = 0.2;
const MAX_SHARE = 0.8;
const BY_KEY = 0.05;

const within = (share: number): number => Math.min(MAX_SHARE, Math.max(MIN_SHARE, share));

/** Returns the share, and a function that sets it. */
export function useLibraryShare(): readonly [share: number, set: (share: number) => void] {
	const { kept } = usePanels().services;
	const [share, setShare] = useState(() => within(Number(readStored(kept, KEY) ?? FIRST)));
	return [
		share,
		(next) => {
			setShare(within(next));
			storeValue(kept, KEY, within(next));
		},
	];
}

interface PaneDividerProps {
	readonly share: number;
	readonly set: (share: number) => void;
}

export function PaneDivider({ share, set }: PaneDividerProps) {
	return (
		// biome-ignore lint/a11y/useSemanticElements: a line between paragraphs is not moved
		<div
			class="pane-divider"
			role="separator"
			aria-orientation="horizontal"
			aria-label="Height of the library"
			aria-valuemin={MIN_SHARE * 100}
			aria-valuemax={MAX_SHARE * 100}
			aria-valuenow={Math.round(share * 100)}
			tabIndex={0}
			title="Drag to give the library more or less room"
			onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
			onPointerMove={(event) => {
				if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
				const { bottom, height } = event.currentTarget.closest('.pane')!.getBoundingClientRect();
				set((bottom - event.clientY) / height);
			}}
			onKeyDown={(event) => {
				const by = { ArrowUp: BY_KEY, ArrowDown: -BY_KEY }[event.key];
				if (by === undefined) return;
				event.preventDefault();
				event.stopPropagation();
				set(share + by);
			}}
		/>
	);
}
