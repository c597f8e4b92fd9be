/**
 * Edits in the picture: dragged poses, strokes of the brush, zones and patrols.
 * Owns: the call for each edit. After the answer, the picture shows the world again.
 */

import { effect } from '@preact/signals';
import type { EditOutline, PoseEdit } from '../../render/messages.ts';
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

/** Sends the edits in the picture. Returns functions that end this. */
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
	// The list may lack a new entity.
	if (edits.some(({ id }) => !entities.list.value.some((entity) => entity.id === id)))
		await entities.readNow();
	await sender.send(WORDS[kind], poseRequests(edits, entities.list.value));
	services.view.value?.settle();
}

/** Sends a stroke of the brush. */
async function paint({ brush, sender }: PictureEditsServices, stamps: readonly Vector[]): Promise<void> {
	const what = brush.value.op === 'plants' ? 'Plant' : 'Brush';
	await sender.send(what, brushRequests(brush.value, stamps));
}

/** Sends the dragged form of a zone or a patrol. */
async function reshape(context: PictureEditsServices, outlined: EditOutline): Promise<void> {
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
