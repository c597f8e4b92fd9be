/**
 * The tags of an entity.
 * Owns: the chips and the field for a new tag.
 */

import { useState } from 'preact/hooks';
import { Tags } from '../../../../shared/components/tags.ts';
import { FieldError } from '../../controls/field-error.tsx';
import { Icon } from '../../drawn/icon.tsx';
import type { Entity } from '../../entities/entity.ts';
import type { Refusal } from '../../state/ask.ts';
import { usePanels } from '../../state/panels.ts';
import { ComponentSection } from '../component-section.tsx';
import type { Section } from './section.ts';

function TagSection({ entity }: { readonly entity: Entity }) {
	const { entities } = usePanels();
	const [error, setError] = useState<string | null>(null);
	const tags = entity.tags ?? [];
	const tell = (refusal: Refusal | null) => setError(refusal && `${refusal.sentence} ${refusal.fix}`);
	return (
		<ComponentSection name="Tags" summary={tags.length === 0 ? 'none' : String(tags.length)}>
			<div class="chips">
				{tags.map((tag) => (
					<span key={tag} class="chip">
						{tag}
						<button
							type="button"
							aria-label={`Remove the tag ${tag}`}
							title="Remove"
							onClick={() => void entities.edits.tag(entity, { remove: [tag] }).then(tell)}
						>
							<Icon name="close" small />
						</button>
					</span>
				))}
				<span class="field new-tag">
					<input
						placeholder="New tag, Enter"
						aria-label="New tag"
						maxLength={100}
						autocomplete="off"
						onKeyDown={(event) => {
							const input = event.currentTarget;
							const tag = input.value.trim();
							if (event.key !== 'Enter' || tag === '') return;
							void entities.edits.tag(entity, { add: [tag] }).then((refusal) => {
								tell(refusal);
								if (refusal === null) input.value = '';
							});
						}}
					/>
				</span>
			</div>
			{error !== null && <FieldError sentence={error} />}
		</ComponentSection>
	);
}

export const tags: Section = {
	shows: [Tags],
	View: TagSection,
};
