/**
 * The emitter of an entity.
 * Owns: sending the whole emitter with a changed part, because a call restarts it.
 */

import { Particles } from '../../../../shared/components/particles.ts';
import { FieldError } from '../../controls/field-error.tsx';
import type { Entity } from '../../entities/entity.ts';
import { GENERATIONS } from '../../forms/action-form.tsx';
import { Fields } from '../../forms/fields.tsx';
import { Wait } from '../../forms/settings-form.tsx';
import { useDeclared } from '../../forms/use-declared.ts';
import { useSend } from '../../forms/use-send.ts';
import type { Refusal } from '../../state/ask.ts';
import { usePanels } from '../../state/panels.ts';
import { ComponentSection } from '../component-section.tsx';
import { EntityForm, EntityPress, handleOf } from '../entity-call.tsx';
import { Words } from '../world/part-view.tsx';
import type { Section } from './section.ts';

interface ShownEmitter {
	readonly emitter: Readonly<Record<string, unknown>>;
	readonly run: { readonly since: number | null; readonly until: number | null };
}

/** Fields of the call that are not part of the emitter. */
const OF_THE_CALL: readonly string[] = ['entity_id', ...GENERATIONS, 'position', 'preset', 'start'];

function ParticlesSection({ entity }: { readonly entity: Entity }) {
	const { entities } = usePanels();
	const shown = entity.particles as ShownEmitter | undefined;
	if (shown === undefined) return null;
	const emits = shown.run.since !== null && shown.run.until === null;
	return (
		<ComponentSection
			name="Particles"
			summary={emits ? 'on' : 'off'}
			remove={() => entities.edits.change(entity, { remove: ['particles'] })}
		>
			<div class="chips">
				<EntityPress entity={entity} route="POST /particle/emit" label="Start" />
				<EntityPress entity={entity} route="POST /particle/stop" label="Stop" />
			</div>
			<EntityForm entity={entity} route="POST /particle/emit" label="Burst" />
			<Words
				kind="words"
				route="POST /particle/create"
				field="preset"
				label="preset"
				given={{ ...handleOf(entity), start: emits }}
			/>
			<details class="more">
				<summary>Emission</summary>
				<div class="form-lines">
					<Emitter entity={entity} shown={shown} emits={emits} />
				</div>
			</details>
		</ComponentSection>
	);
}

function Emitter({
	entity,
	shown,
	emits,
}: {
	readonly entity: Entity;
	readonly shown: ShownEmitter;
	readonly emits: boolean;
}) {
	const declared = useDeclared('POST /particle/create');
	const send = useSend();
	if (typeof declared === 'string') return <FieldError sentence={declared} />;
	if (declared === null) return <Wait />;
	const make = async (emitter: Readonly<Record<string, unknown>>): Promise<Refusal | null> => {
		const outcome = await send('POST /particle/create', { ...handleOf(entity), ...emitter, start: emits });
		return outcome.ok ? null : outcome.refusal;
	};
	return (
		<Fields
			of={declared.fields.filter(({ key }) => !OF_THE_CALL.includes(key))}
			about="Particles"
			values={shown.emitter}
			commit={(key, value) => make({ ...shown.emitter, [key]: value })}
			clear={(key) => {
				const { [key]: _, ...rest } = shown.emitter;
				return make(rest);
			}}
		/>
	);
}

export const particles: Section = {
	shows: [Particles],
	add: { label: 'Particles', route: 'POST /particle/create', first: ['preset'] },
	View: ParticlesSection,
};
