/** The condition `all_renderable_have_transform`: whatever is drawn is somewhere. */

import { NOBODY, typed } from './condition.ts';

export const allRenderableHaveTransform = typed({
	name: 'all_renderable_have_transform',
	fields: () => ({}),
	doc: 'While everything with a mesh has a transform. There is no this',
	about: NOBODY,
	blank: { words: ['renderable', 'all-renderable'], form: 'renderable' },
	say: () => 'everything with a mesh has a transform',
	reads: ['entities', 'mesh', 'global_transform'],
});
