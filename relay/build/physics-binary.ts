/**
 * Vite plugin that loads the physics library as a binary file, on first use.
 * Owns: putting its file in place of the base64 text that the library carries in its script. The text is a third longer, hardly
 * compresses, and stays in memory. The library gets a function that starts it synchronously.
 */

import type { Plugin } from 'vite';

const SCRIPT = /rapier3d-compat\/dist\/rapier\.mjs$/;
const TEXT = /\w+\.toByteArray\("AGFzbQ[^"]*"\)\.buffer/;
/** Matches the function that starts the library from its bytes, up to its name. */
const MAKER = /async function (\w+)\((\w+)\)\{if\(void 0!==(\w+)\)return \3;/;
/** The statement in it that waits for the platform. */
const WAITS = /const\{instance:(\w+),module:\w+\}=await async function\(.*?\}\(await (\w+),(\w+)\);/;
const NAMESPACE = 'Object.freeze({__proto__:null,';

/** Reads the binary without waiting for anything else: a tick needs it. */
const READER = `function readPhysics(){
	const request = new XMLHttpRequest();
	request.open('GET', physicsBinary, false);
	request.responseType = 'arraybuffer';
	request.send();
	if (request.status !== 200)
		throw new Error('The binary of the physics library could not be read: ' + physicsBinary + ' answered ' + request.status + '.');
	return request.response;
}`;

/** The library's script with `initNow`, which reads the file beside it. Throws if its form is not the known one. */
export function withBinaryFile(script: string): string {
	const maker = MAKER.exec(script)?.[1];
	if (maker === undefined || !TEXT.test(script) || !WAITS.test(script) || !script.includes(NAMESPACE))
		throw new Error('The physics library no longer has the form that relay/build/physics-binary.ts knows.');
	const made = script
		.replace(TEXT, () => 'readPhysics()')
		.replace(MAKER, (text) => text.replace('async ', ''))
		.replace(
			WAITS,
			(_, instance: string, bytes: string, imports: string) =>
				`const ${instance}=new WebAssembly.Instance(new WebAssembly.Module(${bytes}),${imports});`,
		)
		.replace(NAMESPACE, () => `${NAMESPACE}initNow:()=>${maker}({module_or_path:readPhysics()}),`)
		// The map is of the script as it was.
		.replace(/\n\/\/# sourceMappingURL=.*/, '');
	return `import physicsBinary from './rapier_wasm3d_bg.wasm?url';${READER}${made}`;
}

export function physicsBinary(): Plugin {
	return {
		name: 'orrery-physics-binary',
		apply: 'build',
		transform: {
			filter: { id: SCRIPT },
			handler: (code) => ({ code: withBinaryFile(code), map: null }),
		},
	};
}
