/**
 * All kinds of actions, and data from their declarations: typed forms, short texts, and the names that they read and write.
 * To add one, declare it in a new file here, list it below, and implement it in `web/sim/rules/actions/`.
 */

import * as z from 'zod';
import { catchRefusal, Refusal } from '../../contract/errors.ts';
import { caseInsensitiveTag } from '../../contract/values.ts';
import type { VerbAccess } from '../access.ts';
import type { Target } from '../targets/index.ts';
import { refuseUnknownText, withinRanges, wordsIn } from '../verb-text.ts';
import { type ActionKind, type ActionProvides, schemaOf, wordsOf } from './action.ts';
import { addField } from './add-field.ts';
import { applyEffect } from './apply-effect.ts';
import { buy } from './buy.ts';
import { cameraShake } from './camera-shake.ts';
import { cast } from './cast.ts';
import { cleanse } from './cleanse.ts';
import { clearText } from './clear-text.ts';
import { color } from './color.ts';
import { damage } from './damage.ts';
import { despawn } from './despawn.ts';
import { emit } from './emit.ts';
import { emitParticles } from './emit-particles.ts';
import { endgame } from './endgame.ts';
import { equip } from './equip.ts';
import { giveItem } from './give-item.ts';
import { heal } from './heal.ts';
import { playAnimation } from './play-animation.ts';
import { playSound } from './play-sound.ts';
import { score } from './score.ts';
import { setField } from './set-field.ts';
import { setText } from './set-text.ts';
import { spawn } from './spawn.ts';
import { stopParticles } from './stop-particles.ts';
import { stopSound } from './stop-sound.ts';
import { stopWalking } from './stop-walking.ts';
import { tag } from './tag.ts';
import { takeItem } from './take-item.ts';
import { teleport } from './teleport.ts';
import { text } from './text.ts';
import { walkTo } from './walk-to.ts';

const LIST = [
	spawn,
	damage,
	heal,
	score,
	despawn,
	teleport,
	color,
	text,
	setText,
	clearText,
	endgame,
	setField,
	addField,
	applyEffect,
	cleanse,
	giveItem,
	takeItem,
	equip,
	buy,
	cast,
	tag,
	emit,
	emitParticles,
	stopParticles,
	playSound,
	stopSound,
	playAnimation,
	cameraShake,
	walkTo,
	stopWalking,
] as const;

type Kinds = (typeof LIST)[number];

/** Name of a kind of action. */
export type ActionName = Kinds['kind'];

/** An action of one kind. */
export type ActionOf<K extends ActionName> = z.output<ReturnType<typeof schemaOf<K, FieldsOf<K>>>>;
type FieldsOf<K> = Extract<Kinds, { kind: K }>['fields'];

export type Action = { [K in ActionName]: ActionOf<K> }[ActionName];

/** All kinds, in the order of the list. */
export const ACTIONS = LIST as unknown as readonly ActionKind[];

const byWord = new Map<string, ActionKind>();
for (const kind of ACTIONS) for (const word of wordsOf(kind)) byWord.set(word, kind);

/** Returns the declaration of an action's kind. */
export function actionKind({ action }: Action): ActionKind {
	return byWord.get(action)!;
}

const schemas = ACTIONS.flatMap((kind) => wordsOf(kind).map((word) => schemaOf(kind, word))) as unknown as [
	z.ZodObject,
	...z.ZodObject[],
];

export const actionDocument = caseInsensitiveTag(
	'action',
	z.discriminatedUnion('action', schemas).describe('An action of a rule').meta({ id: 'Action' }),
) as unknown as z.ZodType<Action>;

/** Forms of all short texts, each as `verb WORDS`. */
export const ACTION_FORMS: readonly string[] = ACTIONS.flatMap((kind) =>
	wordsOf(kind).map((word) => `${word} ${kind.form}`),
);

/** Returns all targets of an action, each with the name of its field. */
export function targetsOf(action: Action): { readonly field: string; readonly target: Target }[] {
	const fields = action as unknown as Readonly<Record<string, Target | null | undefined>>;
	return ['target', ...(actionKind(action).targetFields ?? [])].flatMap((field) => {
		const target = fields[field];
		return target == null ? [] : [{ field, target }];
	});
}

/** Returns the names that an action can give to entities. */
export const providedBy = (action: Action): ActionProvides => actionKind(action).provides?.(action) ?? {};

/** Returns the number of entities that an action spawns each time; null for kinds that spawn none. */
export const spawnCountOf = (action: Action): number | null => actionKind(action).spawns?.(action) ?? null;

/** Returns the names that an action reads and writes, besides those for finding its targets. */
export function accessOf(action: Action): VerbAccess {
	const { access } = actionKind(action);
	return typeof access === 'function' ? access(action) : access;
}

/** Reads an action such as `heal this 10`. Throws a Refusal. */
export function readAction(sent: string): Action {
	const [first = '', ...words] = wordsIn(sent);
	const verb = first.toLowerCase();
	const rest = sent.trim().slice(verb.length).trim();
	const kind = byWord.get(verb);
	if (kind === undefined) return refuseUnknownText('action', sent, first, ACTION_FORMS);
	const form = `${verb} ${kind.form}`;
	const { maxWords = words.length } = kind;
	if (words.length > maxWords)
		throw new Refusal(`"${sent}" has more words than ${verb} takes, at most ${maxWords}: ${form}`);
	return catchRefusal(
		() => withinRanges(actionDocument, { action: kind.kind, ...kind.read(words, verb, rest) }),
		({ message }) => {
			throw new Refusal(`${message}; write it as: ${form}`);
		},
	);
}
