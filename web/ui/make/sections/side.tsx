/**
 * Team and role of an entity.
 * Owns: both fields.
 */

import { Role } from '../../../../shared/components/role.ts';
import { Team } from '../../../../shared/components/team.ts';
import { Choice } from '../../controls/choice.tsx';
import { FieldRow } from '../../controls/field-row.tsx';
import { NumberField } from '../../controls/number-field.tsx';
import { type Entity, teamName } from '../../entities/entity.ts';
import { ComponentSection } from '../component-section.tsx';
import { useChange } from '../use-change.ts';
import type { Section } from './section.ts';

const ROLES = [
	['hero', 'hero'],
	['minion', 'minion'],
	['tower', 'tower'],
	['structure', 'structure'],
] as const;

function SideSection({ entity }: { readonly entity: Entity }) {
	const change = useChange(entity);
	const { team, role } = entity;
	if (team === undefined && role === undefined) return null;
	const present = [...(team === undefined ? [] : ['team']), ...(role === undefined ? [] : ['role'])];
	return (
		<ComponentSection
			name="Side"
			summary={team === undefined ? 'no team' : teamName(team)}
			remove={() => change({ remove: present })}
		>
			{team !== undefined && (
				<FieldRow name="team">
					<NumberField
						name="team"
						value={team}
						whole
						min={0}
						max={255}
						commit={(number) => change({ team: number })}
					/>
				</FieldRow>
			)}
			<Choice
				name="role"
				value={role?.toLowerCase() ?? ''}
				options={ROLES}
				commit={(word) => change({ role: word })}
			/>
		</ComponentSection>
	);
}

export const side: Section = {
	shows: [Team, Role],
	together: true,
	add: { label: 'Team', first: 1 },
	View: SideSection,
};
