/**
 * Side that an entity is on, and the part it plays.
 * Owns: the fields of team and role.
 */

import { Role } from '../../../../shared/components/role.ts';
import { Team } from '../../../../shared/components/team.ts';
import { Choice } from '../../controls/choice.tsx';
import { FieldRow } from '../../controls/field-row.tsx';
import { NumberField } from '../../controls/number-field.tsx';
import { type Entity, teamName } from '../../entities/entity.ts';
import { usePanels } from '../../state/panels.ts';
import { ComponentSection } from '../component-section.tsx';
import type { Section } from './section.ts';

const ROLES = [
	['hero', 'hero'],
	['minion', 'minion'],
	['tower', 'tower'],
	['structure', 'structure'],
] as const;

function SideSection({ entity }: { readonly entity: Entity }) {
	const { entities } = usePanels();
	const { team, role } = entity;
	if (team === undefined && role === undefined) return null;
	const present = [...(team === undefined ? [] : ['team']), ...(role === undefined ? [] : ['role'])];
	return (
		<ComponentSection
			name="Side"
			summary={team === undefined ? 'no team' : teamName(team)}
			remove={() => entities.edits.change(entity, { remove: present })}
		>
			{team !== undefined && (
				<FieldRow name="team">
					<NumberField
						name="team"
						value={team}
						whole
						min={0}
						max={255}
						commit={(number) => entities.edits.change(entity, { team: number })}
					/>
				</FieldRow>
			)}
			<Choice
				name="role"
				value={role?.toLowerCase() ?? ''}
				options={ROLES}
				commit={(word) => entities.edits.change(entity, { role: word })}
			/>
		</ComponentSection>
	);
}

export const side: Section = {
	shows: [Team, Role],
	add: { label: 'Team', first: 1 },
	View: SideSection,
};
