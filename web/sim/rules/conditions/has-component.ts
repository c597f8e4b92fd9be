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
	// A person takes an entity over once the game is there.
	comesLater: ({ component: name }) => componentNamed(name) === Player,
	carries: ({ component: name }) => {
		const component = componentNamed(name);
		return component === undefined ? [] : [component];
	},
};
