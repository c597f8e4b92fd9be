/**
 * One instance of Lua: all scripts of one world, in one memory.
 * Owns: the binary's imports. It has no files, no clock, no random numbers, and reaches the engine only through its host.
 * So equal memories continue alike, bit for bit, on any computer. A copy of the memory is a copy of all scripts, with
 * their locals, upvalues and coroutines.
 */

import { BLOCK } from './allocator.ts';
import { type FastCallImport, type FastCalls, fastCallsModule } from './fast-calls.ts';
import { LOWEST, MAX_STEPS, STEPS } from './library-meter.ts';
import { luaModule } from './lua-binary.ts';

type Call = (...values: number[]) => number;

/** Exports of the library that are used. The argument `lua` is the address of a Lua state or of one of its coroutines. */
export interface LuaExports {
	readonly memory: WebAssembly.Memory;
	/** Number of loop rounds that are left: see library-meter.ts. */
	readonly [STEPS]: WebAssembly.Global;
	/** Lowest address of the stack since the last reset to -1: see library-meter.ts. */
	readonly [LOWEST]: WebAssembly.Global;
	readonly __indirect_function_table: WebAssembly.Table;
	readonly __wasm_call_ctors: () => void;
	readonly emscripten_stack_init: () => void;
	readonly emscripten_stack_get_end: () => number;
	readonly stackSave: () => number;
	readonly stackRestore: (to: number) => void;
	readonly setThrew: (threw: number, value: number) => void;
	readonly malloc: Call;
	readonly realloc: Call;
	readonly free: Call;
	readonly lua_newstate: Call;
	readonly lua_close: Call;
	readonly lua_sethook: Call;
	readonly lua_gethookcount: Call;
	readonly lua_error: Call;
	readonly lua_gettop: Call;
	readonly lua_settop: Call;
	readonly lua_checkstack: Call;
	readonly lua_type: Call;
	readonly lua_isinteger: Call;
	readonly lua_toboolean: Call;
	readonly lua_tonumberx: Call;
	readonly lua_tolstring: Call;
	readonly lua_rawlen: (lua: number, index: number) => bigint;
	readonly lua_pushvalue: Call;
	readonly lua_rotate: Call;
	readonly lua_iscfunction: Call;
	readonly lua_getmetatable: Call;
	readonly lua_getglobal: Call;
	readonly lua_setfield: Call;
	readonly lua_pushnil: Call;
	readonly lua_pushboolean: Call;
	readonly lua_pushnumber: Call;
	readonly lua_pushinteger: (lua: number, value: bigint) => void;
	readonly lua_pushlstring: Call;
	readonly lua_pushcclosure: Call;
	readonly lua_createtable: Call;
	readonly lua_rawset: Call;
	readonly lua_rawseti: (lua: number, index: number, key: bigint) => void;
	readonly lua_rawgeti: (lua: number, index: number, key: bigint) => number;
	readonly lua_next: Call;
	readonly lua_concat: Call;
	readonly lua_setglobal: Call;
	readonly lua_pcallk: Call;
	readonly luaL_ref: Call;
	readonly luaL_argerror: Call;
	readonly luaL_where: Call;
	readonly luaL_checkstack: Call;
	readonly luaL_loadbufferx: Call;
	readonly luaopen_base: Call;
	readonly luaopen_coroutine: Call;
	readonly luaopen_table: Call;
	readonly luaopen_string: Call;
	readonly luaopen_math: Call;
	readonly luaopen_utf8: Call;
}

/** Functions of the engine that a machine calls. */
export interface MachineHost {
	/** Calls the host function with a number for a script. Returns the number of pushed results. */
	callHostFunction(machine: Machine, lua: number, number: number): number;
	/** Ends a host function after its protected call has ended. Its results, or its error, are on the stack. */
	resumeCall(machine: Machine, lua: number, status: number): number;
	/** Called after every period of instructions. */
	onPeriod(machine: Machine, lua: number): void;
	/** Called when an error of Lua, or the yield of a coroutine, unwinds the stack. */
	onThrow(machine: Machine): void;
}

/** Thrown to unwind JavaScript frames until the protected call of Lua that catches an error. */
const LONG_JUMP = { toString: () => 'an error of Lua on its way' };

const PAGE = 65536;
/** Maximum memory of one machine, for all scripts of a world together. */
export const MAX_MEMORY = 64 * 2 ** 20;
/** Maximum length of a text that is passed to the machine, and size of the buffer for it. */
export const MAX_SOURCE_BYTES = 65536;
/** Size of the buffer for two names after it. */
const NAME_BYTES = 512;
/** Size of the memory of a machine that has not grown. */
const INITIAL_MEMORY = 256 * PAGE;
/** Number of bytes that a copy includes beyond the highest address that a script ever used, if the memory is that large. */
const COPY_MARGIN = 2 * PAGE;
/** Bytes below the top of the stack that a function may use without moving it: LLVM's red zone. */
const RED_ZONE = 128;
/** Offset from the start of the heap at which the allocator (emmalloc) stores the end of the heap. */
const HEAP_END = 8;

const wholePages = (bytes: number): number => Math.ceil(bytes / PAGE) * PAGE;

export class Machine {
	readonly lua: LuaExports;
	/** Indexes in the function table: the host function and its continuation, the hook, and the allocator. */
	readonly host: number;
	readonly resume: number;
	readonly hook: number;
	readonly allocator: number;
	readonly fastCalls: FastCalls;
	/** Address of the buffer for texts that are passed to the machine. */
	readonly scratch: number;
	#bytes: Uint8Array<ArrayBuffer>;
	#words: Uint32Array<ArrayBuffer>;
	/** End of the memory that its scripts have used. */
	#usedEnd: number;
	/** Address range of the library's stack. Between calls, its content has no meaning. */
	readonly #stack: readonly [from: number, to: number];

	/** Creates a machine without scripts. */
	constructor(engine: MachineHost) {
		const indirect: ((...values: number[]) => void)[] = [];
		const unsupported = () => -1;
		const lua = new WebAssembly.Instance(luaModule(), {
			env: {
				invoke_vii: (index: number, a: number, b: number) => {
					const stack = lua.stackSave();
					try {
						indirect[index] ??= lua.__indirect_function_table.get(index) as (...values: number[]) => void;
						indirect[index](a, b);
					} catch (error) {
						lua.stackRestore(stack);
						if (error !== LONG_JUMP) throw error;
						lua.setThrew(1, 0);
					}
				},
				_emscripten_throw_longjmp: () => {
					engine.onThrow(this);
					throw LONG_JUMP;
				},
				emscripten_resize_heap: (bytes: number) => this.#grow(bytes >>> 0),
				abort: () => {
					throw new RangeError('the Lua library stopped');
				},
				exit: () => {
					throw new RangeError('the Lua library stopped');
				},
				// No script can reach the following functions, because the libraries that call them are not opened.
				emscripten_date_now: () => 0,
				_emscripten_get_now_is_monotonic: () => 1,
				strftime: () => 0,
				system: unsupported,
				_mktime_js: unsupported,
				_localtime_js: unsupported,
				_gmtime_js: unsupported,
				_tzset_js: unsupported,
				__syscall_openat: unsupported,
				__syscall_fcntl64: unsupported,
				__syscall_ioctl: unsupported,
				__syscall_dup3: unsupported,
				__syscall_unlinkat: unsupported,
				__syscall_rmdir: unsupported,
				__syscall_renameat: unsupported,
				__syscall_readlinkat: unsupported,
			},
			wasi_snapshot_preview1: {
				fd_write: unsupported,
				fd_read: unsupported,
				fd_close: unsupported,
				fd_seek: unsupported,
				environ_sizes_get: unsupported,
				environ_get: unsupported,
			},
		}).exports as unknown as LuaExports;
		this.lua = lua;
		this.#bytes = new Uint8Array(lua.memory.buffer);
		this.#words = new Uint32Array(lua.memory.buffer);
		const functions = {
			...lua,
			host: (state: number, number: number) => engine.callHostFunction(this, state, number),
			counted: (state: number) => engine.onPeriod(this, state),
			resumed: (state: number, status: number) => engine.resumeCall(this, state, status),
		} satisfies Record<FastCallImport, unknown>;
		const fastCalls = new WebAssembly.Instance(fastCallsModule(), {
			e: { m: lua.memory, g: lua.steps, ...functions },
		}).exports as unknown as FastCalls;
		this.fastCalls = fastCalls;
		lua.steps.value = MAX_STEPS;
		lua.emscripten_stack_init();
		lua.__wasm_call_ctors();
		this.#stack = [lua.emscripten_stack_get_end(), lua.stackSave()];
		if (this.#lowest > lua.stackSave())
			throw new RangeError('the stack of the Lua library is not where it was');
		const table = lua.__indirect_function_table;
		const addToTable = (exportedFunction: unknown): number => {
			const index = table.grow(1);
			table.set(index, exportedFunction);
			return index;
		};
		this.allocator = addToTable(fastCalls.alloc);
		this.host = addToTable(fastCalls.host);
		this.hook = addToTable(fastCalls.hook);
		this.resume = addToTable(fastCalls.resume);
		this.scratch = lua.malloc(MAX_SOURCE_BYTES + NAME_BYTES);
		this.#usedEnd = this.scratch + MAX_SOURCE_BYTES + NAME_BYTES + COPY_MARGIN;
	}

	/**
	 * Writes a short text, ending with a zero byte, into one of two buffers. Returns its address, which is valid until the
	 * next call for the same buffer.
	 */
	writeName(text: string, buffer: 0 | 1 = 0): number {
		const address = this.scratch + MAX_SOURCE_BYTES + (buffer * NAME_BYTES) / 2;
		const encoded = new TextEncoder().encode(text).subarray(0, NAME_BYTES / 2 - 1);
		this.bytes.set(encoded, address);
		this.bytes[address + encoded.length] = 0;
		return address;
	}

	#grow(bytes: number): number {
		if (bytes > MAX_MEMORY) return 0;
		const missing = Math.ceil((bytes - this.lua.memory.buffer.byteLength) / PAGE);
		if (missing > 0) this.lua.memory.grow(missing);
		this.#refreshViews();
		return 1;
	}

	/** Creates new views if the memory has grown, which replaces its buffer. */
	#refreshViews(): void {
		const { buffer } = this.lua.memory;
		if (buffer === this.#bytes.buffer) return;
		this.#bytes = new Uint8Array(buffer);
		this.#words = new Uint32Array(buffer);
	}

	/** Creates new views if the old ones are detached: their length is then 0. Reading `memory.buffer` would be slower. */
	#refreshStaleViews(): void {
		if (this.#words.length === 0) this.#refreshViews();
	}

	get bytes(): Uint8Array<ArrayBuffer> {
		this.#refreshStaleViews();
		return this.#bytes;
	}

	word(address: number): number {
		this.#refreshStaleViews();
		return this.#words[address >>> 2]!;
	}

	setWord(address: number, value: number): void {
		this.#refreshStaleViews();
		this.#words[address >>> 2] = value;
	}

	/** Records the highest address of the script with this block. It depends only on the content of the memory, not its size. */
	recordTop(block: number): void {
		const top = Math.max(block, this.word(block + BLOCK.top));
		const available = Math.max(INITIAL_MEMORY, wholePages(this.#heapEnd));
		this.#usedEnd = Math.max(this.#usedEnd, Math.min(available, wholePages(top + COPY_MARGIN)));
	}

	/** End of the heap. The allocator may extend it by much more than one allocation needs. */
	get #heapEnd(): number {
		return this.word(this.#stack[1] + HEAP_END);
	}

	/** End of the memory that may contain bytes other than 0. */
	get contentEnd(): number {
		// A forged memory may contain any value as the end of its heap.
		return Math.min(this.bytes.length, Math.max(this.#usedEnd, wholePages(this.#heapEnd)));
	}

	/** Resets the stack pointer after a call that ended inside the library. */
	unwind(): void {
		this.lua.stackRestore(this.#stack[1]);
	}

	/** Lowest address that the stack has reached since it was cleared. */
	get #lowest(): number {
		return (this.lua[LOWEST].value as number) >>> 0;
	}

	/**
	 * Clears the stack, so that it is as in a copy. Its old content has no meaning, but the library copies bytes of it
	 * when it copies records with padding.
	 */
	clearStack(): void {
		const [end, top] = this.#stack;
		this.bytes.fill(0, Math.max(end, Math.min(top, this.#lowest) - RED_ZONE), top);
		this.lua[LOWEST].value = -1;
	}

	/** Returns a copy of its memory, without the stack. */
	copy(): Uint8Array<ArrayBuffer> {
		const { bytes, contentEnd: used } = this;
		const [from, to] = this.#stack;
		const copy = new Uint8Array(from + used - to);
		copy.set(bytes.subarray(0, from));
		copy.set(bytes.subarray(to, used), from);
		return copy;
	}

	/** Replaces the memory by a copy of another machine's memory. Throws a RangeError if it cannot be one. */
	restore(memory: Uint8Array): void {
		const [from, to] = this.#stack;
		const { contentEnd: oldEnd } = this;
		const used = memory.length + to - from;
		if (used > MAX_MEMORY || memory.length < from)
			throw new RangeError('this cannot be the memory of a script');
		this.#grow(used);
		this.bytes.set(memory.subarray(0, from));
		this.clearStack();
		this.bytes.set(memory.subarray(from), to);
		this.bytes.fill(0, used, Math.max(used, oldEnd));
		this.#usedEnd = used;
		this.#grow(this.#heapEnd);
	}
}
