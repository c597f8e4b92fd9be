/**
 * The WebAssembly binary of Lua.
 * Owns: compiling it once, with metered loops and canonical NaNs, when the first script needs it. The host provides the
 * function that reads its bytes.
 */

import { withCanonicalNan } from './canonical-nan.ts';
import { addMeter } from './library-meter.ts';

let readBytes: (() => Uint8Array) | null = null;
let compiled: WebAssembly.Module | null = null;

/** Sets the function that reads the bytes. The simulation itself has no access to files or a network. */
export function provideLua(read: () => Uint8Array): void {
	readBytes = read;
}

/** Returns the compiled library. */
export function luaModule(): WebAssembly.Module {
	if (compiled === null) {
		if (readBytes === null) throw new Error('The host has not provided the Lua binary: see provideLua.');
		compiled = new WebAssembly.Module(addMeter(withCanonicalNan(readBytes())));
	}
	return compiled;
}
