/**
 * The health of an entity, with buttons to damage and heal it.
 * Owns: the meter, and the amount of damage or healing.
 */

import { useState } from 'preact/hooks';
import { Dead } from '../../../../shared/components/dead.ts';
import { Health } from '../../../../shared/components/health.ts';
import { FieldError } from '../../controls/field-error.tsx';
import { FieldRow } from '../../controls/field-row.tsx';
import { NumberField } from '../../controls/number-field.tsx';
import { Icon } from '../../drawn/icon.tsx';
import type { Entity } from '../../entities/entity.ts';
import { formatNumber } from '../../numbers.ts';
import type { Refusal } from '../../state/ask.ts';
import { usePanels } from '../../state/panels.ts';
import { ComponentSection } from '../component-section.tsx';
import type { Section } from './section.ts';

function HealthSection({ entity }: { readonly entity: Entity }) {
	const { entities } = usePanels();
	const [amount, setAmount] = useState(10);
	const [error, setError] = useState<string | null>(null);
	if (entity.health === undefined) return null;
	const [current, max] = entity.health;
	const share = max > 0 ? Math.max(0, Math.min(1, current / max)) : 0;
	const tell = (refusal: Refusal | null) => setError(refusal && `${refusal.sentence} ${refusal.fix}`);
	return (
		<ComponentSection
			name="Health"
			summary={`${formatNumber(share * 100, 0)} %`}
			remove={() => entities.edits.change(entity, { remove: ['health'] })}
		>
			<meter
				class={share < 0.25 ? 'low' : ''}
				min={0}
				max={Math.max(max, 1e-6)}
				value={current}
				aria-label={`health ${formatNumber(current)} of ${formatNumber(max)} HP`}
			/>
			<div class={`health-words${share < 0.25 ? ' bad' : ''}`}>
				<span>{formatNumber(current)}</span>
				<span class="soft">{formatNumber(max)} HP</span>
			</div>
			<FieldRow name="full">
				<NumberField
					name="health, current and maximum"
					value={max}
					unit="HP"
					min={0}
					commit={(health) => entities.edits.change(entity, { health })}
				/>
			</FieldRow>
			<FieldRow name="amount">
				<NumberField
					name="amount"
					value={amount}
					unit="HP"
					min={0}
					commit={async (number) => {
						setAmount(number);
						return null;
					}}
				/>
			</FieldRow>
			<FieldRow name="">
				<button
					type="button"
					class="button"
					title="Applied on the next tick"
					disabled={entity.dead}
					onClick={() => void entities.edits.damage(entity, amount).then(tell)}
				>
					<Icon name="blow" small />
					Damage
				</button>
				<button
					type="button"
					class="button"
					title="Applied immediately"
					disabled={entity.dead}
					onClick={() => void entities.edits.heal(entity, amount).then(tell)}
				>
					<Icon name="heart" small />
					Heal
				</button>
				{error !== null && <FieldError sentence={error} />}
			</FieldRow>
		</ComponentSection>
	);
}

export const health: Section = {
	shows: [Health, Dead],
	add: { label: 'Health', first: 100 },
	View: HealthSection,
};
