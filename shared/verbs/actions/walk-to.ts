/** The action `walk_to`: lets entities walk to a position on the navigation mesh. */

import { pathFields } from '../../components/path.ts';
import { optional, position } from '../../contract/values.ts';
import { AT_ONCE, action, target } from './action.ts';
import { aimWord, inOrder, numberWord, optionalWord, vectorWord } from './words.ts';

export const walkTo = action({
	kind: 'walk_to',
	when: `${AT_ONCE}. It walks from the next tick on`,
	fields: { target, position, speed: optional(pathFields.speed) },
	doc: 'The target walks to a position on the navigation mesh, as with POST /path/set. Without a speed it keeps that of its path, or of its combat component',
	form: 'TARGET X,Y,Z [SPEED]',
	...inOrder(aimWord, vectorWord('position', 'the position'), optionalWord(numberWord('speed', 'the speed'))),
	access: {
		reads: [
			'collider',
			'combat.speed',
			'local_transform',
			'navmesh',
			'parent',
			'path',
			'physics_body',
			'velocity',
		],
		writes: ['path', 'physics_body', 'velocity'],
		emits: ['action_failed'],
	},
});
