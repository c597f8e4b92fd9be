/**
 * One instance of Lua: all scripts of one world, in one memory.
 * Owns: the binary's surroundings. It has no files, no clock, no random numbers and no way out but the host function
 * that it is given; so equal memories continue alike, bit for bit, wherever they run. A copy of the memory is a copy
 * of all scripts, with their locals, upvalues and coroutines.
 */

import { BLOCK } from './allocator.ts';
import { type Beside, type BesideImport, besideModule } from './beside.ts';
import { LOWEST, MAX_STEPS, STEPS } from './library-meter.ts';
import { luaModule } from './lua-binary.ts';

type Call = (...values: number[]) => number;

/** Functions of the library that are used. A `Lua` is the address of a state or of one of its coroutines. */
export interface LuaExports {
	readonly memory: WebAssembly.Memory;
	/** Rounds of the library's loops that are left; see meter.ts. */
	readonly [STEPS]: WebAssembly.Global;
	/** Lowest address of the stack since this was last reset to -1; see meter.ts. */
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
	readonly lua_rawlen: (lua: number, at: number) => bigint;
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
	readonly lua_rawseti: (lua: number, at: number, key: bigint) => void;
	readonly lua_rawgeti: (lua: number, at: number, key: bigint) => number;
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

/** Functions that scripts can call, and the counter of their instructions. */
export interface Surroundings {
	/** A function of the host, called from a script by its number. Returns the number of results that it has pushed. */
	host(machine: Machine, lua: number, number: number): number;
	/** Resumes a call of `host` that waits in a protected call: its results, or its error, are on the stack. Returns as `host`. */
	resumed(machine: Machine, lua: number, status: number): number;
	/** Called after every so many instructions. */
	counted(machine: Machine, lua: number): void;
	/** Called when an error of Lua, or a coroutine that yields, leaves for the code that waits for it. */
	thrown(machine: Machine): void;
}

/** Thrown by Lua's errors on their way to the pcall that waits for them. */
const LONG_JUMP = { toString: () => 'an error of Lua on its way' };

const PAGE = 65536;
/** Most memory of one machine: all scripts of a world together. */
export const MAX_MEMORY = 64 * 2 ** 20;
/** Longest text that goes in or out at once, and how much room it is given. */
export const MAX_SOURCE = 65536;
/** Room for two names beside it. */
const NAMES = 512;
/** Memory of a machine that has not grown. */
const FIRST_MEMORY = 256 * PAGE;
/** Distance that a copy goes beyond the highest address that a script ever had, as long as there is memory. */
const MARGIN = 2 * PAGE;
/** Bytes below the top of the stack that a function may use without moving it: LLVM's red zone. */
const RED_ZONE = 128;
/** Offset at which the heap stores its end, behind its own beginning: emmalloc keeps it there. */
const HEAP_END = 8;

const wholePages = (bytes: number): number => Math.ceil(bytes / PAGE) * PAGE;

export class Machine {
	readonly lua: LuaExports;
	/** Indices in the function table: the host function and what resumes it, the hook, the allocator. */
	readonly host: number;
	readonly resume: number;
	readonly hook: number;
	readonly allocator: number;
	readonly beside: Beside;
	/** Address for texts on their way in. */
	readonly scratch: number;
	#bytes: Uint8Array<ArrayBuffer>;
	#words: Uint32Array<ArrayBuffer>;
	/** Highest address that its scripts have reached. */
	#reached: number;
	/** Address range of the library's stack: between calls nothing in it means anything. */
	readonly #stack: readonly [from: number, to: number];

	/** A machine without scripts. */
	constructor(surroundings: Surroundings) {
		const indirect: ((...values: number[]) => void)[] = [];
		const refused = () => -1;
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
					surroundings.thrown(this);
					throw LONG_JUMP;
				},
				emscripten_resize_heap: (bytes: number) => this.#grow(bytes >>> 0),
				abort: () => {
					throw new RangeError('the Lua library stopped');
				},
				exit: () => {
					throw new RangeError('the Lua library stopped');
				},
				// No script can reach the rest: the libraries that would call it are not opened.
				emscripten_date_now: () => 0,
				_emscripten_get_now_is_monotonic: () => 1,
				strftime: () => 0,
				system: refused,
				_mktime_js: refused,
				_localtime_js: refused,
				_gmtime_js: refused,
				_tzset_js: refused,
				__syscall_openat: refused,
				__syscall_fcntl64: refused,
				__syscall_ioctl: refused,
				__syscall_dup3: refused,
				__syscall_unlinkat: refused,
				__syscall_rmdir: refused,
				__syscall_renameat: refused,
				__syscall_readlinkat: refused,
			},
			wasi_snapshot_preview1: {
				fd_write: refused,
				fd_read: refused,
				fd_close: refused,
				fd_seek: refused,
				environ_sizes_get: refused,
				environ_get: refused,
			},
		}).exports as unknown as LuaExports;
		this.lua = lua;
		this.#bytes = new Uint8Array(lua.memory.buffer);
		this.#words = new Uint32Array(lua.memory.buffer);
		const functions = {
			...lua,
			host: (at: number, number: number) => surroundings.host(this, at, number),
			counted: (at: number) => surroundings.counted(this, at),
			resumed: (at: number, status: number) => surroundings.resumed(this, at, status),
		} satisfies Record<BesideImport, unknown>;
		const beside = new WebAssembly.Instance(besideModule(), {
			e: { m: lua.memory, g: lua.steps, ...functions },
		}).exports as unknown as Beside;
		this.beside = beside;
		lua.steps.value = MAX_STEPS;
		lua.emscripten_stack_init();
		lua.__wasm_call_ctors();
		this.#stack = [lua.emscripten_stack_get_end(), lua.stackSave()];
		if (this.#lowest > lua.stackSave())
			throw new RangeError('the stack of the Lua library is not where it was');
		const table = lua.__indirect_function_table;
		const place = (made: unknown): number => {
			const at = table.grow(1);
			table.set(at, made);
			return at;
		};
		this.allocator = place(beside.alloc);
		this.host = place(beside.host);
		this.hook = place(beside.hook);
		this.resume = place(beside.resume);
		this.scratch = lua.malloc(MAX_SOURCE + NAMES);
		this.#reached = this.scratch + MAX_SOURCE + NAMES + MARGIN;
	}

	/** Writes a short text and returns its address until the next call, as C has it. Two can exist together. */
	name(text: string, which: 0 | 1 = 0): number {
		const at = this.scratch + MAX_SOURCE + (which * NAMES) / 2;
		const encoded = new TextEncoder().encode(text).subarray(0, NAMES / 2 - 1);
		this.bytes.set(encoded, at);
		this.bytes[at + encoded.length] = 0;
		return at;
	}

	#grow(bytes: number): number {
		if (bytes > MAX_MEMORY) return 0;
		const missing = Math.ceil((bytes - this.lua.memory.buffer.byteLength) / PAGE);
		if (missing > 0) this.lua.memory.grow(missing);
		this.#look();
		return 1;
	}

	/** The memory may have become another, longer one. */
	#look(): void {
		const { buffer } = this.lua.memory;
		if (buffer === this.#bytes.buffer) return;
		this.#bytes = new Uint8Array(buffer);
		this.#words = new Uint32Array(buffer);
	}

	/** Arrays over a memory that has become another have no length. To ask the memory itself is slow. */
	#lookIfMoved(): void {
		if (this.#words.length === 0) this.#look();
	}

	get bytes(): Uint8Array<ArrayBuffer> {
		this.#lookIfMoved();
		return this.#bytes;
	}

	word(address: number): number {
		this.#lookIfMoved();
		return this.#words[address >>> 2]!;
	}

	setWord(address: number, value: number): void {
		this.#lookIfMoved();
		this.#words[address >>> 2] = value;
	}

	/** Notes how far the script with this block has reached. It follows from what is in the memory, and not from how much there is. */
	reached(block: number): void {
		const top = Math.max(block, this.word(block + BLOCK.top));
		const most = Math.max(FIRST_MEMORY, wholePages(this.#heapEnd));
		this.#reached = Math.max(this.#reached, Math.min(most, wholePages(top + MARGIN)));
	}

	/** End of the heap. It takes memory in pieces that can be much larger than what it was asked for. */
	get #heapEnd(): number {
		return this.word(this.#stack[1] + HEAP_END);
	}

	/** Bytes of its memory that are not all 0. */
	get used(): number {
		// A forged memory may say anything of its heap.
		return Math.min(this.bytes.length, Math.max(this.#reached, wholePages(this.#heapEnd)));
	}

	/** Empties the stack after a call that ended within the library. */
	unwind(): void {
		this.lua.stackRestore(this.#stack[1]);
	}

	/** Lowest address that the stack has reached since it was cleared. */
	get #lowest(): number {
		return (this.lua[LOWEST].value as number) >>> 0;
	}

	/**
	 * Makes the stack as it is in a copy. What earlier calls left there means nothing, but the library takes bytes of it
	 * along where it copies records with gaps in them.
	 */
	clearStack(): void {
		const [end, top] = this.#stack;
		this.bytes.fill(0, Math.max(end, Math.min(top, this.#lowest) - RED_ZONE), top);
		this.lua[LOWEST].value = -1;
	}

	/** Returns a copy of its memory, without the stack. */
	copy(): Uint8Array<ArrayBuffer> {
		const { bytes, used } = this;
		const [from, to] = this.#stack;
		const copy = new Uint8Array(from + used - to);
		copy.set(bytes.subarray(0, from));
		copy.set(bytes.subarray(to, used), from);
		return copy;
	}

	/** Becomes the machine whose memory this is a copy of. */
	become(memory: Uint8Array): void {
		const [from, to] = this.#stack;
		const { used: before } = this;
		const used = memory.length + to - from;
		if (used > MAX_MEMORY || memory.length < from)
			throw new RangeError('this cannot be the memory of a script');
		this.#grow(used);
		this.bytes.set(memory.subarray(0, from));
		this.clearStack();
		this.bytes.set(memory.subarray(from), to);
		this.bytes.fill(0, used, Math.max(used, before));
		this.#reached = used;
		this.#grow(this.#heapEnd);
	}
}
