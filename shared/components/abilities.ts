/**
 * Abilities that an entity can cast, and the document of an ability.
 * Owns: the kinds of effects of abilities and their shapes.
 */

import * as z from 'zod';
import { component, json } from '../contract/component.ts';
import { handle } from '../contract/handle.ts';
import { nearest } from '../contract/nearest.ts';
import { tick } from '../contract/tick.ts';
import { entityId, number, optional, size, text, vec3, word } from '../contract/values.ts';
import { CC_MEANING, CC_WORDS, DISPELS } from './crowd-control.ts';
import { DAMAGE_CATEGORIES, type DamageCategory } from './defense.ts';
import { type MODIFIER_OPS, modifierText, stackPolicyText, tickEffectText } from './effects.ts';
import { PROJECTILE_HITS } from './projectile.ts';
import { type SpreadDocument, spreadDocument } from './spread.ts';

export const SLOTS = ['Q', 'W', 'E', 'R'] as const;
export type Slot = (typeof SLOTS)[number];

export const AFFECTED_ENTITIES = ['all', 'enemies', 'allies'] as const;

type PlainCc = Exclude<(typeof CC_WORDS)[number], 'Taunt' | 'Slow' | 'Invisibility'>;
export type CcDocument =
	| PlainCc
	| { readonly Taunt: { readonly target_entity: number } }
	| { readonly Slow: number }
	| { readonly Invisibility: { readonly fade_time: number } };

/** Effect of casting an ability: one key that names its kind. */
export type AbilityEffect =
	| { AreaDamage: { radius: number; damage: number; category: DamageCategory } }
	| { Heal: { amount: number } }
	| { SpeedBoost: { multiplier: number; duration: number } }
	| { Damage: { amount: number; category: DamageCategory } }
	| {
			SpawnProjectile: {
				speed: number;
				range: number;
				width: number;
				damage: number;
				category: DamageCategory;
				hits?: (typeof PROJECTILE_HITS)[number] | null | undefined;
				spread?: SpreadDocument | null | undefined;
			};
	  }
	| { Dash: { distance: number } }
	| {
			ApplyEffect: {
				tag: string;
				modifiers: ([string, (typeof MODIFIER_OPS)[number], number] | string)[];
				duration: number;
				stack_policy: string;
				tick_effect?: string | null | undefined;
			};
	  }
	| { ApplyCc: { cc_type: CcDocument; duration: number; dispel: (typeof DISPELS)[number] } }
	| { AreaEffect: { radius: number; effect: AbilityEffect; affects: (typeof AFFECTED_ENTITIES)[number] } }
	| { Chain: AbilityEffect[] };

/**
 * Returns the schema of a record with exactly one key of `forms`, in any letter case. `refusal` returns an error
 * message for other invalid values.
 */
function oneKeyRecord(
	forms: Readonly<Record<string, z.ZodType>>,
	subject: string,
	refusal: (value: unknown) => string | undefined = () => undefined,
): z.ZodType {
	const keys = Object.keys(forms);
	const canonical = new Map(keys.map((key) => [key.toLowerCase(), key]));
	const options = keys.map((key) => z.strictObject({ [key]: forms[key]! }).meta({ minProperties: 1 }));
	return z.preprocess(
		(value, context) => {
			if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
			const [[firstKey = '', content] = [], ...others] = Object.entries(value);
			const refusalText = refusal(value);
			if (refusalText !== undefined) {
				context.addIssue({ code: 'custom', message: refusalText });
				return z.NEVER;
			}
			const key = canonical.get(firstKey.trim().toLowerCase());
			if (key !== undefined && others.length === 0) return { [key]: content };
			const near = nearest(firstKey, keys);
			context.addIssue({
				code: 'custom',
				message: `${subject} has exactly one key, one of ${keys.join(', ')}${near === undefined ? '' : `; did you mean "${near}"?`}`,
			});
			return z.NEVER;
		},
		z.union(options as unknown as [z.ZodType, z.ZodType]),
	);
}

const seconds = (description: string) => number(description, { unit: 's', min: 0, max: 1e6 });
const category = word(
	DAMAGE_CATEGORIES,
	'Kind of damage; armour, magic resistance or nothing reduces it',
).default('physical');
const plainCcWords = CC_WORDS.filter(
	(kind) => kind !== 'Taunt' && kind !== 'Slow' && kind !== 'Invisibility',
) as unknown as readonly [PlainCc, ...PlainCc[]];
const opWords = ['set', 'add', 'multiply', 'mul'] as const;

export const ccDocument = z
	.union([
		word(plainCcWords, 'Kind of crowd control'),
		oneKeyRecord(
			{
				Taunt: z.strictObject({ target_entity: entityId.describe('Entity that it must attack') }),
				Slow: number('Share of speed that is lost, 0 to 1', { min: 0, max: 1 }),
				Invisibility: z.strictObject({ fade_time: seconds('Time until it is invisible') }),
			},
			'crowd control',
		),
	])
	.describe(`Kind of crowd control. ${CC_MEANING}`)
	.meta({ id: 'Cc' }) as unknown as z.ZodType<CcDocument>;

const SIMPLE_EFFECTS = {
	AreaDamage: z.strictObject({
		radius: number('Radius', { unit: 'm', min: 0, max: 1e4 }),
		damage: number('Damage to every enemy inside', { unit: 'HP', min: 0 }),
		category,
	}),
	Heal: z.strictObject({ amount: number('Health restored', { unit: 'HP', min: 0 }) }),
	SpeedBoost: z.strictObject({
		multiplier: number('Speed is multiplied by this', { min: 0, max: 100 }),
		duration: seconds('Duration'),
	}),
	Damage: z.strictObject({ amount: number('Damage', { unit: 'HP', min: 0 }), category }),
	SpawnProjectile: z.strictObject({
		speed: number('Speed', { unit: 'm/s', min: 0.01, max: 1e4 }),
		range: number('Distance that the projectile flies', { unit: 'm', min: 0, max: 1e5 }),
		width: size('Radius within which it hits an entity'),
		damage: number('Damage', { unit: 'HP', min: 0 }),
		category,
		hits: optional(word(PROJECTILE_HITS, 'Entities it hits; left out: all but the caster')),
		spread: optional(spreadDocument),
	}),
	Dash: z.strictObject({ distance: number('Distance', { unit: 'm', min: 0, max: 1e4 }) }),
	ApplyEffect: z.strictObject({
		tag: text('Name of the effect', 100).min(1),
		modifiers: z
			.array(
				z.union([
					z.tuple([
						text('Stat', 80).min(1),
						word(opWords, 'Operation').transform((op) => (op === 'mul' ? 'multiply' : op)),
						number('Operand'),
					]),
					modifierText,
				]),
			)
			.max(50)
			.default([]),
		duration: seconds('Duration'),
		stack_policy: stackPolicyText.default('replace'),
		tick_effect: optional(tickEffectText),
	}),
	ApplyCc: z.strictObject({
		cc_type: ccDocument,
		duration: seconds('Duration'),
		dispel: word(DISPELS, 'Kind of dispel that removes it').default('BasicDispel'),
	}),
};

/** Maximum depth of nested effects, which AreaEffect and Chain contain. */
const MAX_DEPTH = 8;

/** Returns the effects directly inside an effect, which may be invalid. */
function innerEffectsOf(effect: unknown): readonly unknown[] {
	if (typeof effect !== 'object' || effect === null) return [];
	return Object.entries(effect).flatMap(([key, content]): readonly unknown[] => {
		const kind = key.trim().toLowerCase();
		if (kind === 'chain') return Array.isArray(content) ? content : [];
		return kind === 'areaeffect' && typeof content === 'object' && content !== null ? [content.effect] : [];
	});
}

function isDeeper(effect: unknown, levels: number): boolean {
	return innerEffectsOf(effect).some((inner) => levels === 0 || isDeeper(inner, levels - 1));
}

const innerEffect = z.lazy((): z.ZodType<AbilityEffect> => abilityEffect);

export const abilityEffect = oneKeyRecord(
	{
		...SIMPLE_EFFECTS,
		AreaEffect: z.strictObject({
			radius: number('Radius', { unit: 'm', min: 0, max: 1e4 }),
			effect: innerEffect,
			affects: word(
				AFFECTED_ENTITIES,
				'Entities it affects: all others, enemies only, or allies only',
			).default('all'),
		}),
		Chain: z.array(innerEffect).min(1).max(20).describe('Effects, applied in this order'),
	},
	'an effect',
	(effect) => (isDeeper(effect, MAX_DEPTH) ? `effects nest at most ${MAX_DEPTH} deep` : undefined),
)
	.describe(
		`Effect of a cast, a record with one key: AreaDamage, Heal, SpeedBoost, Damage, SpawnProjectile, Dash, ApplyEffect, ApplyCc, AreaEffect or Chain. The last two contain other effects, at most ${MAX_DEPTH} deep`,
	)
	.meta({ id: 'AbilityEffect' }) as z.ZodType<AbilityEffect>;

export const abilityDocument = z
	.strictObject({
		slot: word(SLOTS, 'Slot'),
		name: text('Name', 100),
		cooldown: number('Time between casts', { unit: 's', min: 0, max: 1e6 }).default(10),
		mana_cost: number('Mana that a cast costs', { min: 0 }).default(100),
		effect: abilityEffect,
	})
	.describe('An ability')
	.meta({ id: 'Ability' });

export type AbilityDocument = z.output<typeof abilityDocument>;

const listWithUniqueSlots = <T extends z.ZodType<{ readonly slot: Slot }>>(ability: T) =>
	z
		.array(ability)
		.max(SLOTS.length)
		.refine(
			(list) => new Set(list.map(({ slot }) => slot)).size === list.length,
			'each slot must have one ability',
		)
		.meta({
			allOf: SLOTS.map((slot) => ({
				contains: { properties: { slot: { const: slot } }, required: ['slot'] },
				minContains: 0,
				maxContains: 1,
			})),
		});

export const abilityList = listWithUniqueSlots(abilityDocument);

/** Schema of an effect in an answer. */
export const effectView = z.record(z.string(), z.unknown()).describe('Effect of a cast');

const ready_at = tick('First tick on which it can be cast');
const abilityReadout = z.strictObject({
	slot: z.enum(SLOTS),
	name: z.string(),
	cooldown: z.number().describe('Time between casts (s)'),
	mana_cost: z.number().describe('Mana that a cast costs'),
	ready_at,
	effect: effectView,
});
const abilityEntry = abilityDocument.extend({ ready_at });

/** An ability of an entity. */
export type Ability = z.output<typeof abilityEntry>;

const queuedCast = z.strictObject({
	slot: z.enum(SLOTS),
	target: handle.nullable().describe('Entity it is aimed at'),
	point: vec3('Position it is aimed at').nullable(),
});

/** A cast in the queue for the next tick. */
export type QueuedCast = z.output<typeof queuedCast>;

export const Abilities = component({
	name: 'abilities',
	title: 'AbilitySet',
	scope: 'state',
	summary: 'Abilities that an entity can cast, and the casts queued for the next tick',
	fields: {
		abilities: json<readonly Ability[]>(
			listWithUniqueSlots(abilityEntry),
			[],
			'The abilities, in the order they were given',
		),
		queued: json<readonly QueuedCast[]>(z.array(queuedCast), [], 'Casts of the next tick, in order'),
	},
	readout: { schema: z.array(abilityReadout), from: (row) => row.abilities },
});
