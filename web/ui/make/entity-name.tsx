/**
 * The name of an entity, edited where it is shown.
 * Owns: the draft, and the one call that renames. An empty draft removes the name.
 */

import { useEffect, useRef, useState } from 'preact/hooks';
import { MAX_NAME } from '../../../shared/components/name.ts';
import { type Entity, entityLabel, entityName, kindName } from '../entities/entity.ts';
import { usePanels } from '../state/panels.ts';

interface EditorProps {
	readonly entity: Entity;
	/** Closes the editor. `byKey` is true if a key closed it, so that the focus must return. */
	readonly end: (byKey: boolean) => void;
}

export function NameEditor({ entity, end }: EditorProps) {
	const { entities, navigation } = usePanels();
	const field = useRef<HTMLInputElement>(null);
	const byKey = useRef(false);
	const before = entity.name ?? '';
	useEffect(() => field.current?.select(), []);
	const rename = async (name: string): Promise<void> => {
		end(byKey.current);
		if (name === before) return;
		const refusal = await entities.edits.change(entity, name === '' ? { remove: ['name'] } : { name });
		if (refusal !== null) navigation.refuse('Rename', refusal);
	};
	return (
		<input
			ref={field}
			class="name-editor"
			aria-label={`Name of ${entityLabel(entity)}`}
			placeholder={kindName(entity)}
			defaultValue={before}
			maxLength={MAX_NAME}
			autocomplete="off"
			spellcheck={false}
			onClick={(event) => event.stopPropagation()}
			// The double click that opened the editor.
			onDblClick={(event) => {
				event.stopPropagation();
				event.currentTarget.select();
			}}
			onKeyDown={(event) => {
				event.stopPropagation();
				if (event.key !== 'Enter' && event.key !== 'Escape') return;
				event.preventDefault();
				if (event.key === 'Escape') event.currentTarget.value = before;
				byKey.current = true;
				event.currentTarget.blur();
			}}
			onBlur={(event) => void rename(event.currentTarget.value.trim())}
		/>
	);
}

/** The heading of the inspector. */
export function EntityHeading({ entity }: { readonly entity: Entity }) {
	const [editing, setEditing] = useState(false);
	const returnsFocus = useRef(false);
	return (
		<h2>
			{editing ? (
				<NameEditor
					entity={entity}
					end={(byKey) => {
						returnsFocus.current = byKey;
						setEditing(false);
					}}
				/>
			) : (
				<button
					ref={(button) => {
						if (button === null || !returnsFocus.current) return;
						returnsFocus.current = false;
						button.focus();
					}}
					type="button"
					class="entity-name cut"
					title="Rename (F2)"
					onClick={() => setEditing(true)}
				>
					{entityName(entity)}
				</button>
			)}
		</h2>
	);
}
