/**
 * Reads the binary of Lua, when the first script needs it.
 * Owns: its address. It is read at once, not awaited: a tick may be what needs it first. A Worker may wait for its
 * own server so.
 */

/** The file beside the built page. */
const binary = new URL('../../node_modules/wasmoon/dist/glue.wasm', import.meta.url);

export function readLua(): Uint8Array {
	if (binary.protocol === 'file:') {
		// Where npm has installed this package, the others are beside it.
		const { resolve } = process.getBuiltinModule('node:module').createRequire(import.meta.url);
		return process.getBuiltinModule('node:fs').readFileSync(resolve('wasmoon/dist/glue.wasm'));
	}
	const request = new XMLHttpRequest();
	request.open('GET', binary, false);
	request.responseType = 'arraybuffer';
	request.send();
	if (request.status !== 200)
		throw new Error(`The binary of Lua could not be read: ${binary.href} answered ${request.status}.`);
	return new Uint8Array(request.response as ArrayBuffer);
}
