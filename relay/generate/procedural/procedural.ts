/**
 * Provider that creates models on this server from a prompt, without a key or a network. Equal prompts give equal bytes
 * on every machine.
 * Owns: the provider. Its kinds are the models of `public/models` and those of `shapes.ts`.
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
