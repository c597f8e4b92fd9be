/**
 * Commands for the selected entities, at the bottom of the inspector.
 * Owns: the buttons, and the selection for which each is shown. The keys are in the table of keys.
 */

import { IconButton } from '../controls/icon-button.tsx';
import type { Entity } from '../entities/entity.ts';
import { usePanels } from '../state/panels.ts';
import { isGroup } from './edits.ts';

export function SelectionButtons({ chosen }: { readonly chosen: readonly Entity[] }) {
	const { tools, services, entities } = usePanels();
	if (chosen.length === 0) return null;
	const isLocked = chosen.some((entity) => entities.locks.has(entity));
	const { actions } = tools;
	return (
		<>
			<IconButton
				icon="look"
				name="Frame"
				title="Turn the camera to the selection (F)"
				onClick={() => services.view.value?.focus()}
			/>
			<IconButton
				icon="copy"
				name="Duplicate"
				title="Duplicate (Ctrl D)"
				onClick={() => void actions.duplicate()}
			/>
			{chosen.some(isGroup) ? (
				<IconButton
					icon="group"
					name="Ungroup"
					title="Take the entities out of the group (Ctrl Shift G)"
					onClick={() => void actions.ungroup()}
				/>
			) : (
				chosen.length > 1 && (
					<IconButton icon="group" name="Group" title="Group (Ctrl G)" onClick={() => void actions.group()} />
				)
			)}
			<IconButton
				icon={isLocked ? 'lock' : 'unlock'}
				name={isLocked ? 'Unlock' : 'Lock'}
				title={
					isLocked
						? 'Unlock: clicks and tools in the picture reach it again'
						: 'Lock: clicks and tools in the picture pass it by, until the page is closed'
				}
				onClick={() => entities.locks.set(chosen, !isLocked)}
			/>
			<IconButton icon="bin" name="Delete" title="Delete (Delete)" onClick={() => void actions.remove()} />
		</>
	);
}
