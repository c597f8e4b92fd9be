/** The condition `has_component`. */

import { Player } from '../../../../shared/components/player.ts';
import { componentNamed } from '../../../../shared/verbs/component-name.ts';
import type { ConditionOf } from '../../../../shared/verbs/conditions/index.ts';
import type { Predicate } from './condition.ts';

export const hasComponent: Predicate<ConditionOf<'has_component'>> = {
	test: ({ component: name }) => {
		const component = componentNamed(name);
		return (entity) => component !== undefined && entity.has(component);
	},
	// A person takes over an entity after the game was opened.
	isExpectedLater: ({ component: name }) => componentNamed(name) === Player,
	guaranteedComponents: ({ component: name }) => {
		const component = componentNamed(name);
		return component === undefined ? [] : [component];
	},
};
