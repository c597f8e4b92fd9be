/**
 * The few platform globals the simulation may use: all of them are pure functions of their input.
 * Everything else of the platform (clock, timers, DOM, network, Node) does not exist here.
 */

declare class TextEncoder {
	encode(text: string): Uint8Array<ArrayBuffer>;
}

declare class TextDecoder {
	decode(bytes: Uint8Array): string;
}

declare namespace WebAssembly {
	class Module {
		constructor(bytes: Uint8Array<ArrayBuffer>);
	}
	class Instance {
		constructor(module: Module);
		readonly exports: Record<string, unknown>;
	}
	interface Memory {
		readonly buffer: ArrayBuffer;
	}
}
