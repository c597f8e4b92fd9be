/** Loads the physics library. The only place that imports it as a value. */

import RAPIER from '@dimforge/rapier3d-compat';

let loading: Promise<void> | undefined;

/** The memory that the library keeps its worlds in; undefined where its way of loading is another than it was. */
let memory: WebAssembly.Memory | undefined;

/** Must have finished before a world is made. */
export function loadPhysics(): Promise<void> {
	loading ??= load();
	return loading;
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
		const made = await instantiate(code, imports);
		// Node 22 makes one for `fetch` at the same time, from a compiled module: then the answer is the instance itself.
		const { exports } = made instanceof WebAssembly.Instance ? made : made.instance;
		if ('rawrigidbodyset_rbTranslation' in exports) memory = exports.memory as WebAssembly.Memory;
		return made;
	};
	try {
		await RAPIER.init();
	} finally {
		platform.instantiate = instantiate;
	}
}

/** The memory of the library, once it is loaded. */
export function physicsMemory(): WebAssembly.Memory | undefined {
	return memory;
}

export { RAPIER };
