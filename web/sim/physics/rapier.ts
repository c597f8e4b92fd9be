/**
 * Loads the physics library. The only place that imports it as a value.
 * Owns: when it is loaded: in Node before the first world, in a browser synchronously in the first tick that has bodies. Many worlds
 * have none, and its binary is larger than the rest of the engine. A tick that needs it waits, so no state depends on it.
 */

import RAPIER from '@dimforge/rapier3d-compat';

/** Version of the library, as it names itself. */
export const LIBRARY_VERSION = '0.20.0';

/** The library as built for browsers: `initNow` reads and starts its binary synchronously, and returns its exports. */
type Library = typeof RAPIER & { readonly initNow?: () => { readonly memory: WebAssembly.Memory } };

const { initNow } = RAPIER as Library;

let loading: Promise<void> | undefined;

/** The memory that the library keeps its worlds in; undefined if its way of loading is another than it was. */
let memory: WebAssembly.Memory | undefined;

/** Must have finished before a world is made. */
export function loadPhysics(): Promise<void> {
	loading ??= initNow === undefined ? load() : Promise.resolve();
	return loading;
}

let isLoaded = false;

/** Loads the library if it is not yet. Throws if its binary cannot be read. */
export function requirePhysics(): void {
	if (isLoaded || initNow === undefined) return;
	({ memory } = initNow());
	isLoaded = true;
}

/** The one function of the platform that the library is made by. */
interface Instantiates {
	instantiate(
		code: Uint8Array<ArrayBuffer>,
		imports?: object,
	): Promise<WebAssembly.Instance | { readonly instance: WebAssembly.Instance }>;
}

/** The library does not export its memory: it is noted while the library is made. */
async function load(): Promise<void> {
	const platform = WebAssembly as unknown as Instantiates;
	const { instantiate } = platform;
	platform.instantiate = async (code, imports) => {
		const result = await instantiate(code, imports);
		// Node 22 makes one for `fetch` at the same time, from a compiled module: then the answer is the instance itself.
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

/** Returns the memory of the library, once it is loaded. */
export function physicsMemory(): WebAssembly.Memory | undefined {
	return memory;
}

export { RAPIER };
