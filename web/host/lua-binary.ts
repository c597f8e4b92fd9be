/**
 * Reads the binary of Lua when the first script needs it.
 * Owns: its address. The read is synchronous, because a tick, which cannot wait, may need it first. A Worker may block on a request.
 */

/** The file beside the built page. */
const binaryUrl = new URL('../../node_modules/wasmoon/dist/glue.wasm', import.meta.url);

/** Returns the bytes of the binary. */
export function readLua(): Uint8Array {
	if (binaryUrl.protocol === 'file:') {
		// npm installs `wasmoon` beside this package, so its path is resolved, not assumed.
		const { resolve } = process.getBuiltinModule('node:module').createRequire(import.meta.url);
		return process.getBuiltinModule('node:fs').readFileSync(resolve('wasmoon/dist/glue.wasm'));
	}
	const request = new XMLHttpRequest();
	request.open('GET', binaryUrl, false);
	request.responseType = 'arraybuffer';
	request.send();
	if (request.status !== 200)
		throw new Error(`The binary of Lua could not be read: ${binaryUrl.href} answered ${request.status}.`);
	return new Uint8Array(request.response as ArrayBuffer);
}
