/** The condition `all_renderable_have_transform`: every drawn entity has a transform. */

import { ABOUT_WORLD, typeCondition } from './condition.ts';

export const allRenderableHaveTransform = typeCondition({
	name: 'all_renderable_have_transform',
	fields: () => ({}),
	doc: 'While every entity with a mesh has a transform. `this` is unset',
	about: ABOUT_WORLD,
	blank: { words: ['renderable', 'all-renderable'], form: 'renderable' },
	write: () => 'renderable',
	say: () => 'every entity with a mesh has a transform',
	reads: ['entities', 'mesh', 'global_transform'],
});
