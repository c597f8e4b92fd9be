/**
 * Undo and redo of this person's last change of the selected world.
 * Owns: the two buttons. A notice over the page shows the result.
 */

import type { ComponentChildren } from 'preact';
import { IconButton } from '../controls/icon-button.tsx';
import { usePanels } from '../state/panels.ts';
import { whyNot } from './turns.ts';
import { useTurns } from './use-turns.ts';

/** `children` are further buttons in the same line. */
export function UndoLine({ children }: { readonly children?: ComponentChildren }) {
	const { worlds, entities, doings } = usePanels();
	const turns = useTurns();
	const away = worlds.selectedInfo.value === null ? 'The world has not answered yet' : null;
	const world = worlds.selected.value;
	// Subscribes to changes of the descriptions.
	doings.version.value;
	const next = doings.next(world, false);
	const button = (redo: boolean, keys: string) => {
		const words = doings.next(world, redo);
		const says = `${redo ? 'Redo' : 'Undo'}${words === null ? ' your last call' : `: ${words}`}`;
		const why = away ?? whyNot(turns, redo);
		return (
			<IconButton
				icon={redo ? 'redo' : 'undo'}
				disabled={why !== null}
				name={redo ? 'Redo' : 'Undo'}
				title={why ?? `${says} (${keys})`}
				onClick={() => void entities.undo(redo)}
			/>
		);
	};
	return (
		<div class="undo-line row">
			{button(false, 'Ctrl Z')}
			{button(true, 'Ctrl Shift Z')}
			<span class="soft cut grow" role={worlds.turning.value > 0 ? 'status' : undefined}>
				{worlds.turning.value > 0 ? (
					<>
						<span class="waiting-ring" /> Re-running the later calls.
					</>
				) : (
					next
				)}
			</span>
			{children}
		</div>
	);
}
