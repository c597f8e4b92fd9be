/**
 * Vite plugin that loads the physics library as a binary file, on first use.
 * Owns: the replacement of the base64 text in the library's script by a file. The text is a third longer, hardly compresses, and
 * stays in memory. The plugin also adds a function that starts the library synchronously.
 */

import type { Plugin } from 'vite';

const SCRIPT = /rapier3d-compat\/dist\/rapier\.mjs$/;
const BASE64 = /\w+\.toByteArray\("AGFzbQ[^"]*"\)\.buffer/;
/** Start of the function that compiles the library from its bytes; group 1 is its name. */
const INIT_FUNCTION = /async function (\w+)\((\w+)\)\{if\(void 0!==(\w+)\)return \3;/;
/** Statement of that function that compiles asynchronously. */
const ASYNC_COMPILE = /const\{instance:(\w+),module:\w+\}=await async function\(.*?\}\(await (\w+),(\w+)\);/;
const NAMESPACE = 'Object.freeze({__proto__:null,';

/** Source of a function that reads the binary synchronously, because a tick cannot wait for a promise. */
const READ_PHYSICS = `function readPhysics(){
	const request = new XMLHttpRequest();
	request.open('GET', physicsBinary, false);
	request.responseType = 'arraybuffer';
	request.send();
	if (request.status !== 200)
		throw new Error('The binary of the physics library could not be read: ' + physicsBinary + ' answered ' + request.status + '.');
	return request.response;
}`;

/** Returns the library's script with a function `initNow`, which reads the binary file. Throws if the script has an unknown form. */
export function withBinaryFile(script: string): string {
	const init = INIT_FUNCTION.exec(script)?.[1];
	if (
		init === undefined ||
		!BASE64.test(script) ||
		!ASYNC_COMPILE.test(script) ||
		!script.includes(NAMESPACE)
	)
		throw new Error(
			'The script of the physics library has a form that relay/build/physics-binary.ts does not know.',
		);
	const newScript = script
		.replace(BASE64, () => 'readPhysics()')
		.replace(INIT_FUNCTION, (text) => text.replace('async ', ''))
		.replace(
			ASYNC_COMPILE,
			(_, instance: string, bytes: string, imports: string) =>
				`const ${instance}=new WebAssembly.Instance(new WebAssembly.Module(${bytes}),${imports});`,
		)
		.replace(NAMESPACE, () => `${NAMESPACE}initNow:()=>${init}({module_or_path:readPhysics()}),`)
		// The source map fits only the original script.
		.replace(/\n\/\/# sourceMappingURL=.*/, '');
	return `import physicsBinary from './rapier_wasm3d_bg.wasm?url';${READ_PHYSICS}${newScript}`;
}

/** Creates the plugin. It applies to builds only. */
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
