/**
 * Platform globals that the simulation may use. Their results depend only on their input.
 * Everything else of the platform (clock, timers, DOM, network, Node) does not exist here.
 */

declare class TextEncoder {
	encodeInto(text: string, into: Uint8Array): { readonly read: number; readonly written: number };
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
		constructor(module: Module, imports?: object);
		readonly exports: Record<string, unknown>;
	}
	/** A number that changes. */
	interface Global {
		value: number;
	}
	interface Memory {
		readonly buffer: ArrayBuffer;
		grow(pages: number): number;
	}
	interface Table {
		get(index: number): unknown;
		set(index: number, value: unknown): void;
		grow(count: number): number;
	}
}
