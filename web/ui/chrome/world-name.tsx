/**
 * The title of a world, edited where it is shown.
 * Owns: the draft.
 */

import { useEffect, useRef, useState } from 'preact/hooks';
import { titleOf } from '../start/own-worlds-state.ts';
import { usePanels } from '../state/panels.ts';
import type { WorldInfo } from '../worlds/fork-list.ts';

export function WorldName({ world }: { readonly world: Pick<WorldInfo, 'id' | 'name'> }) {
	const { ownWorlds } = usePanels();
	const [editing, setEditing] = useState(false);
	const field = useRef<HTMLInputElement>(null);
	const title = titleOf(world);
	useEffect(() => field.current?.select(), [editing]);
	if (!editing)
		return (
			<button
				type="button"
				class="world-name cut"
				title={`Rename "${title}"`}
				aria-label={`${title}, rename`}
				onClick={() => setEditing(true)}
			>
				{title}
			</button>
		);
	return (
		<input
			ref={field}
			class="world-name"
			aria-label={`Name of ${title}`}
			defaultValue={title}
			maxLength={60}
			autocomplete="off"
			spellcheck={false}
			onKeyDown={(event) => {
				event.stopPropagation();
				if (event.key !== 'Enter' && event.key !== 'Escape') return;
				if (event.key === 'Escape') event.currentTarget.value = title;
				event.currentTarget.blur();
			}}
			onBlur={(event) => {
				setEditing(false);
				void ownWorlds.rename(world, event.currentTarget.value);
			}}
		/>
	);
}
