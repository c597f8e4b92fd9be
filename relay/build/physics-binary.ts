/**
 * The vite plugin that has the physics library come as the binary that it is.
 * Owns: putting its file in place of the base64 text that the library carries in its script: that is a third longer, hardly
 * compresses, and is held in memory as text for as long as the page is open.
 */

import type { Plugin } from 'vite';

const SCRIPT = /rapier3d-compat\/dist\/rapier\.mjs$/;
const TEXT = /\w+\.toByteArray\("AGFzbQ[^"]*"\)\.buffer/;

/** The library's script, fetching its binary from beside it. Throws where it carries its binary in another way than it did. */
export function withBinaryFile(script: string): string {
	if (!TEXT.test(script)) throw new Error('The physics library no longer carries its binary as base64 text.');
	// The library makes itself in a generator whose promises are awaited.
	const fetched = '(yield fetch(physicsBinary).then((answer) => answer.arrayBuffer()))';
	return `import physicsBinary from './rapier_wasm3d_bg.wasm?url';${script.replace(TEXT, () => fetched)}`;
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
