/**
 * Source of Lua's binary.
 * Owns: compiling it, with a count in its loops and one NaN, once and only when the first script needs it. The host says how its bytes are read.
 */

import { withCanonicalNan } from './canonical-nan.ts';
import { metered } from './library-meter.ts';

let readBytes: (() => Uint8Array) | null = null;
let compiled: WebAssembly.Module | null = null;

/** Says how the bytes are read: the simulation has neither files nor a network. */
export function provideLua(read: () => Uint8Array): void {
	readBytes = read;
}

/** Returns the compiled library. */
export function luaModule(): WebAssembly.Module {
	if (compiled === null) {
		if (readBytes === null) throw new Error('The host has not provided the Lua binary: see provideLua.');
		compiled = new WebAssembly.Module(metered(withCanonicalNan(readBytes())));
	}
	return compiled;
}
