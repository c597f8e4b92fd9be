/**
 * Loads the physics library. No other file imports it as a value.
 * Owns: the time of loading. Node loads it before the first world. A browser loads it synchronously in the first tick with
 * bodies, because its binary is larger than the rest of the engine and many worlds have no bodies.
 */

import RAPIER from '@dimforge/rapier3d-compat';

/** Version of the library, as it names itself. */
export const LIBRARY_VERSION = '0.20.0';

/** The library in a browser build. `initNow` decodes and starts its binary synchronously, and returns its exports. */
type Library = typeof RAPIER & { readonly initNow?: () => { readonly memory: WebAssembly.Memory } };

const { initNow } = RAPIER as Library;

let loading: Promise<void> | undefined;

/** Memory of the library; undefined if it was not found during loading. */
let memory: WebAssembly.Memory | undefined;

/** Loads the library in Node. The promise must be resolved before a world is created. */
export function loadPhysics(): Promise<void> {
	loading ??= initNow === undefined ? loadAndFindMemory() : Promise.resolve();
	return loading;
}

let isLoaded = false;

/** Loads the library in a browser if it is not loaded. Throws if its binary cannot be read. */
export function requirePhysics(): void {
	if (isLoaded || initNow === undefined) return;
	({ memory } = initNow());
	isLoaded = true;
}

/** The function of WebAssembly that the library uses to start its binary. */
interface WebAssemblyPlatform {
	instantiate(
		code: Uint8Array<ArrayBuffer>,
		imports?: object,
	): Promise<WebAssembly.Instance | { readonly instance: WebAssembly.Instance }>;
}

/** Loads the library, and finds its memory by intercepting `instantiate`. The library does not export it. */
async function loadAndFindMemory(): Promise<void> {
	const platform = WebAssembly as unknown as WebAssemblyPlatform;
	const { instantiate } = platform;
	platform.instantiate = async (code, imports) => {
		const result = await instantiate(code, imports);
		// Node 22 may start a module for `fetch` at the same time. Its result is then the instance itself.
		const { exports } = result instanceof WebAssembly.Instance ? result : result.instance;
		if ('rawrigidbodyset_rbTranslation' in exports) memory = exports.memory as WebAssembly.Memory;
		return result;
	};
	try {
		await RAPIER.init();
	} finally {
		platform.instantiate = instantiate;
	}
}

/** Returns the memory of the loaded library; undefined if it is unknown. */
export function physicsMemory(): WebAssembly.Memory | undefined {
	return memory;
}

export { RAPIER };
