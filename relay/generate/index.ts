/** List of providers, in the order of GET /generate/providers. */

import { hunyuan } from './hunyuan.ts';
import { meshy } from './meshy.ts';
import { procedural } from './procedural/procedural.ts';
import type { ModelProvider, ProviderEnvironment } from './provider.ts';
import { rodin } from './rodin.ts';
import { tripo } from './tripo.ts';

/** Returns the providers, with the keys that the environment has for them. */
export function providersOf(environment: ProviderEnvironment): readonly ModelProvider[] {
	return [...[tripo, meshy, rodin, hunyuan].map((provider) => provider(environment)), procedural()];
}
