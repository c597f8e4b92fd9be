/** The condition `has_item`. Equipped items count too. */

import { Equipment, Inventory } from '../../../../shared/components/inventory.ts';
import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import { isCountWithin } from '../../fields/compare.ts';
import { itemWarnings } from '../../items/item-warnings.ts';
import type { Predicate } from './condition.ts';

export const hasItem: Predicate<ConditionOf<'has_item'>> = {
	test: (condition) => (entity) => {
		const carried = (entity.value(Inventory, 'slots') ?? []).reduce(
			(sum, stack) => (stack?.item_id === condition.item_id ? sum + stack.count : sum),
			0,
		);
		const equipped = Object.values(entity.value(Equipment, 'worn') ?? {}).filter(
			(item) => item === condition.item_id,
		);
		return isCountWithin(carried + equipped.length, condition);
	},
	warn: itemWarnings,
};
