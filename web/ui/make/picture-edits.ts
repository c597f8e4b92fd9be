/**
 * Edits that a person makes in the picture: poses that were dragged, strokes of the brush, zones and patrols.
 * Owns: the call for each. The picture shows the world again once it was answered.
 */

import { effect } from '@preact/signals';
import type { Outlined, PoseEdit } from '../../render/messages.ts';
import type { EntitiesState } from '../entities/entities-state.ts';
import type { Vector } from '../entities/entity.ts';
import type { PanelServices } from '../services.ts';
import type { Navigation } from '../state/navigation.ts';
import { type Brush, brushRequests } from './brush.ts';
import type { EditSender } from './edit-sender.ts';
import { poseRequests } from './edits.ts';
import { isPatrol, patrolRequests } from './patrols.ts';
import type { Rules } from './rules/rules-state.ts';
import { ruleWithZone, zoneRequests } from './zones.ts';

export interface PictureEditsServices {
	readonly services: PanelServices;
	readonly navigation: Navigation;
	readonly entities: EntitiesState;
	readonly rules: Rules;
	readonly sender: EditSender;
	readonly brush: { readonly value: Brush };
}

const WORDS = { move: 'Move', turn: 'Turn', scale: 'Scale' } as const;

/** Sends what is edited in the picture. Returns what ends that. */
export function sendPictureEdits(context: PictureEditsServices): readonly (() => void)[] {
	const { view } = context.services;
	return [
		effect(() => view.value?.onEdited((kind, edits) => void pose(context, kind, edits))),
		effect(() => view.value?.onBrushed((stamps) => void paint(context, stamps))),
		effect(() => view.value?.onReshaped((outlined) => void reshape(context, outlined))),
	];
}

async function pose(
	{ services, entities, sender }: PictureEditsServices,
	kind: keyof typeof WORDS,
	edits: readonly PoseEdit[],
): Promise<void> {
	// An entity that was just spawned is not in the list yet.
	if (edits.some(({ id }) => !entities.list.value.some((entity) => entity.id === id)))
		await entities.readNow();
	await sender.send(WORDS[kind], poseRequests(edits, entities.list.value));
	services.view.value?.settle();
}

/** Does to the ground what a stroke of the brush says. */
async function paint({ brush, sender }: PictureEditsServices, stamps: readonly Vector[]): Promise<void> {
	const what = brush.value.op === 'plants' ? 'Plant' : 'Brush';
	await sender.send(what, brushRequests(brush.value, stamps));
}

/** Gives a zone or a patrol the form that it was dragged to. */
async function reshape(context: PictureEditsServices, outlined: Outlined): Promise<void> {
	const { services, navigation, entities, rules, sender } = context;
	const list = entities.list.value;
	const changed = isPatrol(outlined) ? null : ruleWithZone(rules.list.value, outlined);
	if (changed === null) {
		const [what, requests] = isPatrol(outlined)
			? (['Patrol', patrolRequests(outlined, list)] as const)
			: (['Resize', zoneRequests(outlined, list)] as const);
		await sender.send(what, requests);
		await entities.readNow();
	} else {
		const refusal = await rules.change(changed.id, changed.change);
		if (refusal !== null) navigation.refuse('Resize', refusal);
	}
	services.view.value?.settle();
}
