/**
 * Models made here, from the words of a prompt: no key, no network, and the same bytes for the same words on every machine.
 * Owns: from words to a model. The kinds are the models of `public/models` and those of `shapes.ts`.
 */

import type { ModelProvider } from '../provider.ts';
import { modelOf } from './model-of.ts';

export function procedural(): ModelProvider {
	return {
		name: 'procedural',
		missing: undefined,
		free: true,
		submit: async ({ prompt }) => prompt,
		poll: async (prompt, { quality }) => ({
			state: 'done',
			fetch: async () => modelOf(prompt, quality).glb(),
		}),
	};
}
