/** Kinds of damage: armour weakens physical, magic resistance weakens magical, nothing weakens pure. */

export const DAMAGE_CATEGORIES = ['physical', 'magical', 'pure'] as const;

export type DamageCategory = (typeof DAMAGE_CATEGORIES)[number];
