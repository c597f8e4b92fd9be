/**
 * The shape of the code: which folder may import which, what the simulation must not use, names, and lists that
 * must be complete.
 * Owns: those rules. They are checked with a real parser. A new file is checked without being listed.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';
import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { components } from '../shared/components/index.ts';
import { fieldSchema, readoutSchema } from '../shared/contract/component.ts';
import { type EventType, namesEntity } from '../shared/contract/event.ts';
import { type JsonSchema, jsonSchema } from '../shared/contract/json-schema.ts';
import type { Route } from '../shared/contract/route.ts';
import { events } from '../shared/events/index.ts';
import { routes as declaredRoutes } from '../shared/routes/index.ts';
import { handlers } from '../web/api/index.ts';
import { schedule } from '../web/sim/schedule.ts';

/** As a plain list: the compiler takes seconds for what is done with 245 types. */
const routes: readonly Route[] = declaredRoutes;

const ROOT = resolve(import.meta.dirname, '..');

/** Folders of code, in the order of the design. */
const CODE = ['shared', 'web', 'relay', 'sw', 'test'];

function filesIn(folder: string): string[] {
	return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
}

const files = CODE.flatMap(filesIn);
const scripts = files.filter((file) => /\.(ts|tsx|mjs)$/.test(file));
const sourceOf = new Map(scripts.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));

interface Node {
	readonly type: string;
	readonly start: number;
	readonly end: number;
	readonly [key: string]: unknown;
}

function isNode(value: unknown): value is Node {
	return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}

/** Calls `visit` for a node and its descendants, each with its parent. */
function walk(node: Node, visit: (node: Node, above: Node | undefined) => void, above?: Node): void {
	visit(node, above);
	for (const [key, value] of Object.entries(node)) {
		if (key === 'parent') continue;
		if (Array.isArray(value)) {
			for (const item of value) if (isNode(item)) walk(item, visit, node);
		} else if (isNode(value)) walk(value, visit, node);
	}
}

function parse(file: string): Node {
	const { program, errors } = parseSync(file, sourceOf.get(file)!);
	if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`);
	return program as unknown as Node;
}

const parsed = new Map(scripts.map((file) => [file, parse(file)]));

interface Import {
	readonly from: string;
	/** A file of the repository, or the name of a package or of a Node module. */
	readonly to: string;
	/** Erased at run time. `import { type A }` still loads the module. */
	readonly typeOnly: boolean;
	/** Loaded with the file, not on demand. */
	readonly atStart: boolean;
}

function literal(node: unknown): string | undefined {
	return isNode(node) && node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}

function importsOf(file: string): Import[] {
	const found: Import[] = [];
	const add = (specifier: string | undefined, typeOnly: boolean, atStart = true) => {
		if (specifier === undefined) return;
		const path = specifier.startsWith('.') ? relative(ROOT, join(ROOT, dirname(file), specifier)) : specifier;
		const to = specifier.startsWith('.') || specifier.startsWith('node:') ? path : packageOf(path);
		found.push({ from: file, to, typeOnly, atStart });
	};
	walk(parsed.get(file)!, (node) => {
		switch (node.type) {
			case 'ImportDeclaration':
				add(literal(node.source), node.importKind === 'type');
				return;
			case 'ExportNamedDeclaration':
			case 'ExportAllDeclaration':
				add(literal(node.source), node.exportKind === 'type');
				return;
			case 'ImportExpression':
				add(literal(node.source), false, false);
				return;
			case 'TSImportType':
				add(literal(node.source) ?? literal(node.argument), true);
				return;
			case 'NewExpression': {
				// new URL('./worker.ts', import.meta.url) names a module that a Worker loads.
				const [first, second] = node.arguments as Node[];
				const callee = node.callee as Node;
				if (callee.name === 'URL' && second?.type === 'MemberExpression') {
					const named = literal(first);
					if (named !== undefined && /^\..*\.tsx?$/.test(named)) add(named, false, false);
				}
			}
		}
	});
	return found;
}

function packageOf(specifier: string): string {
	const parts = specifier.split('/');
	return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0]!;
}

const imports = scripts.flatMap(importsOf);

interface Layer {
	/** Folder or file of the layer. */
	readonly of: string;
	/** Other folders and files whose code it may load. */
	readonly may: readonly string[];
	readonly packages: readonly string[];
}

const SCHEMA = 'zod';
const PAGE_PACKAGES = ['preact', '@preact/signals', 'three', 'three-mesh-bvh', 'fast-png'];

/** Folders that describe a world. */
const WORLD_TERMS = ['contract', 'media', 'components', 'events', 'documents', 'verbs'].map(
	(folder) => `shared/${folder}`,
);

/** The table of the design. The first matching row applies. Test code may load anything. */
const LAYERS: readonly Layer[] = [
	{ of: 'shared/contract', may: [], packages: [SCHEMA, 'fastest-levenshtein'] },
	{ of: 'shared/transport', may: ['shared/contract'], packages: [SCHEMA] },
	{ of: 'shared/media', may: ['shared/contract'], packages: [SCHEMA] },
	{ of: 'shared/components', may: ['shared/contract', 'shared/media'], packages: [SCHEMA] },
	{ of: 'shared/events', may: ['shared/contract', 'shared/media', 'shared/components'], packages: [SCHEMA] },
	{
		of: 'shared/documents',
		may: ['shared/contract', 'shared/media', 'shared/components', 'shared/events'],
		packages: [SCHEMA],
	},
	{
		of: 'shared/verbs',
		may: ['shared/contract', 'shared/media', 'shared/components', 'shared/events', 'shared/documents'],
		packages: [SCHEMA],
	},
	{ of: 'shared/rules', may: WORLD_TERMS, packages: [SCHEMA] },
	{ of: 'shared/routes', may: [...WORLD_TERMS, 'shared/rules', 'shared/transport'], packages: [SCHEMA] },
	// Data: bodies of calls.
	{ of: 'shared/recipes', may: [], packages: [] },
	{ of: 'shared/suite', may: [], packages: [] },
	{
		of: 'web/sim/physics',
		may: ['web/sim', ...WORLD_TERMS, 'shared/rules'],
		packages: ['@dimforge/rapier3d-compat'],
	},
	{ of: 'web/sim/core/lazy-snapshot.ts', may: ['web/sim/core'], packages: ['fflate'] },
	{
		of: 'web/sim/documents',
		may: ['web/sim', ...WORLD_TERMS, 'shared/rules'],
		packages: [SCHEMA, 'fflate'],
	},
	{
		of: 'web/sim',
		may: [...WORLD_TERMS, 'shared/rules'],
		packages: [SCHEMA],
	},
	{ of: 'web/store', may: ['shared', 'web/sim'], packages: [] },
	{ of: 'web/frames', may: ['shared', 'web/sim', 'web/store'], packages: [] },
	{ of: 'web/api', may: ['shared', 'web/sim', 'web/store'], packages: [] },
	{ of: 'web/host/msw-handlers.ts', may: ['shared', 'web/host'], packages: ['msw'] },
	{ of: 'web/host', may: ['shared', 'web/sim', 'web/store', 'web/frames', 'web/api'], packages: [] },
	{ of: 'web/render', may: ['shared'], packages: PAGE_PACKAGES },
	{ of: 'web/audio', may: ['shared'], packages: PAGE_PACKAGES },
	{ of: 'web/input', may: ['shared'], packages: PAGE_PACKAGES },
	{ of: 'web/ui', may: ['shared', 'web/input'], packages: [...PAGE_PACKAGES, 'virtual:scenes'] },
	{
		of: 'web/proof',
		may: ['shared', 'web/host', 'web/ui/chrome', 'web/ui/controls', 'web/ui/drawn', 'web/ui/numbers.ts'],
		packages: ['preact', '@preact/signals', 'virtual:goldens'],
	},
	{ of: 'web/guide', may: [], packages: [] },
	{
		of: 'web/docs',
		may: [
			'shared/contract',
			'shared/transport',
			'web/ui/api',
			'web/ui/chrome',
			'web/ui/controls',
			'web/ui/drawn',
			'web/ui/session',
			'web/ui/state',
			'web/ui/numbers.ts',
		],
		packages: ['preact', 'preact/hooks', '@preact/signals', 'virtual:recorded-examples'],
	},
	{ of: 'web/main.ts', may: ['web', 'shared'], packages: PAGE_PACKAGES },
	// Makes files of `public/` before anything is served; scenes by calls on an engine.
	{
		of: 'web/content',
		may: ['shared', 'web/host', 'relay/generate/procedural'],
		packages: ['fast-png', 'node:crypto', 'node:fs', 'node:fs/promises', 'node:path'],
	},
	// Answers to examples that the API reference shows if it cannot run them.
	{
		of: 'relay/build/recorded-examples.ts',
		may: ['shared', 'web/host'],
		packages: ['node:fs', 'node:fs/promises', 'node:path', 'node:url'],
	},
	// An engine in this process, loaded on request, rebuilds the worlds of a journal.
	{
		of: 'relay/replay',
		may: ['shared', 'web/host', 'relay/journal', 'relay/system-code.ts'],
		packages: ['node:fs/promises', 'node:path'],
	},
	// Tasks for agents, on an engine of this process.
	{
		of: 'relay/suite',
		may: [
			'shared',
			'web/host',
			...[
				'cli/send-call',
				'cli/terminal',
				'cli/verdicts',
				'data-files',
				'folders',
				'origin-check',
				'http-answer',
			].map((name) => `relay/${name}.ts`),
		],
		packages: ['node:child_process', 'node:http', 'node:worker_threads'],
	},
	// The engine of a server without a browser, in a thread of its own.
	{
		of: 'relay/thread/engine.worker.ts',
		may: ['shared', 'web/host', 'relay/data-files.ts', 'relay/folders.ts', 'relay/thread'],
		packages: ['node:worker_threads'],
	},
	// The Python package: a zip of generated modules.
	{
		of: 'relay/python',
		may: ['shared', 'relay/folders.ts', 'relay/static-page.ts'],
		packages: ['fflate', 'node:crypto', 'node:fs', 'node:path'],
	},
	// A worker of its pool.
	{
		of: 'relay/thread/pool.worker.ts',
		may: ['shared', 'web/host'],
		packages: ['node:worker_threads'],
	},
	// Generated models pass the same checks as the engine's.
	{
		of: 'relay/generate/check.ts',
		may: ['shared', 'web/sim/models', 'relay/generate/provider.ts'],
		packages: [],
	},
	// Starts from the models that come with the project.
	{
		of: 'relay/generate/procedural',
		may: ['relay/folders.ts'],
		packages: ['node:fs', 'node:path'],
	},
	// What the npm package offers to programs: the client, the engine and the handlers of msw.
	...['client', 'engine', 'testing'].map((name) => ({
		of: `relay/package/${name}.ts`,
		may: ['shared', 'web/host'],
		packages: [],
	})),
	{
		of: 'relay/orrery.mjs',
		may: ['relay'],
		packages: ['dist/node/cli.js', 'dist/node/start.js', 'node:fs', 'node:url'],
	},
	// A server of a cluster alone loads the client of NATS.
	{
		of: 'relay/cluster',
		may: ['shared', 'relay'],
		packages: [
			...['jetstream', 'kv', 'obj', 'transport-node'].map((name) => `@nats-io/${name}`),
			...['node:crypto', 'node:os', 'node:v8', 'node:worker_threads'],
		],
	},
	{
		of: 'relay',
		may: ['shared'],
		packages: ['ws', 'send', 'vite', 'puppeteer-core', 'vitest', 'marked'],
	},
	{
		of: 'sw',
		may: [
			'shared/contract/wire.ts',
			'shared/contract/errors.ts',
			'shared/contract/error-response.ts',
			'shared/contract/event-stream.ts',
			'shared/transport/port-request.ts',
			'shared/transport/call-port.ts',
			'shared/contract/path-matcher.ts',
		],
		packages: ['virtual:api-paths'],
	},
];

const isBelow = (file: string, folder: string) => file === folder || file.startsWith(`${folder}/`);
const isFile = (to: string) => sourceOf.has(to) || CODE.some((folder) => isBelow(to, folder));
const isNodeModule = (to: string) => to.startsWith('node:') || builtinModules.includes(to);

describe('imports between layers', () => {
	test('every file of the code belongs to a layer', () => {
		const strays = scripts.filter(
			(file) => !isBelow(file, 'test') && !LAYERS.some((layer) => isBelow(file, layer.of)),
		);
		expect(strays).toEqual([]);
	});

	for (const layer of LAYERS) {
		test(`${layer.of} loads only ${[...layer.may, ...layer.packages].join(', ') || 'itself'}`, () => {
			const own = (file: string) => LAYERS.find(({ of }) => isBelow(file, of)) === layer;
			const node = layer.of === 'relay' ? isNodeModule : () => false;
			const wrong = imports.filter(
				({ from, to, typeOnly }) =>
					own(from) &&
					!typeOnly &&
					!(isFile(to)
						? [layer.of, ...layer.may].some((folder) => isBelow(to, folder))
						: layer.packages.includes(to) || node(to)),
			);
			expect(wrong.map(({ from, to }) => `${from} loads ${to}`)).toEqual([]);
		});
	}

	test('every import names the whole file, because Node resolves no other form', () => {
		const wrong = imports.filter(({ to }) => isFile(to) && !existsSync(join(ROOT, to)));
		expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
	});

	test('a server without --cluster loads nothing of NATS', () => {
		const wrong = imports.filter(
			({ from, to, typeOnly, atStart }) =>
				['test', 'relay/cluster'].every((own) => !isBelow(from, own)) &&
				(isBelow(to, 'relay/cluster') || to.startsWith('@nats-io/')) &&
				!typeOnly &&
				atStart,
		);
		expect(wrong.map(({ from, to }) => `${from} loads ${to}`)).toEqual([]);
	});

	test('nothing outside test loads anything of test', () => {
		const wrong = imports.filter(({ from, to }) => !isBelow(from, 'test') && isBelow(to, 'test'));
		expect(wrong).toEqual([]);
	});

	test('nothing that is shipped loads anything of web/content', () => {
		const wrong = imports.filter(
			({ from, to }) =>
				['test', 'web/content'].every((own) => !isBelow(from, own)) && isBelow(to, 'web/content'),
		);
		expect(wrong).toEqual([]);
	});

	test('the simulation imports no types of drawing, sound or transport', () => {
		const wrong = imports.filter(
			({ from, to }) =>
				isBelow(from, 'web/sim') &&
				(['three', 'preact', '@webgpu/types', 'ws'].includes(to) ||
					isNodeModule(to) ||
					(isBelow(to, 'web') && !isBelow(to, 'web/sim'))),
		);
		expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
	});

	/** Returns all files that these files load. With `onlyAtStart`, files loaded on demand do not count. */
	function reachedFrom(files: readonly string[], onlyAtStart: boolean): Set<string> {
		const reached = new Set<string>();
		const reach = (file: string): void => {
			if (reached.has(file)) return;
			reached.add(file);
			for (const { from, to, typeOnly, atStart } of imports)
				if (from === file && !typeOnly && (atStart || !onlyAtStart)) reach(to);
		};
		for (const file of files) reach(file);
		return reached;
	}

	test('the service worker loads nothing that loads the schema library, directly or through others', () => {
		const reached = reachedFrom(['sw/worker.ts'], false);
		expect(reached.size).toBeGreaterThan(2);
		expect([...reached]).not.toContain(SCHEMA);
	});

	test('the server starts without the schema library, which costs time and memory', () => {
		const loaded = ['main', 'server', 'scene', 'first-status'].map((name) => `relay/${name}.ts`);
		const reached = reachedFrom(loaded, true);
		expect(reached.size).toBeGreaterThan(50);
		expect([...reached]).not.toContain(SCHEMA);
	});

	/** Returns the cycles of a graph. */
	function cyclesOf(links: readonly (readonly [from: string, to: string])[]): string[] {
		const next = new Map<string, Set<string>>();
		for (const [from, to] of links) next.set(from, (next.get(from) ?? new Set()).add(to));
		const done = new Set<string>();
		const cycles: string[] = [];
		const visit = (at: string, path: readonly string[]): void => {
			if (path.includes(at)) {
				cycles.push([...path.slice(path.indexOf(at)), at].join(' -> '));
				return;
			}
			if (done.has(at)) return;
			for (const to of next.get(at) ?? []) visit(to, [...path, at]);
			done.add(at);
		};
		for (const from of next.keys()) visit(from, []);
		return cycles;
	}

	test('no two folders of shared and web import each other, directly or through others, even types', () => {
		const part = (file: string) =>
			file
				.split('/')
				.slice(0, /^(shared|web)\//.test(file) ? 2 : 1)
				.join('/');
		const within = (file: string) => sourceOf.has(file) && !isBelow(file, 'test');
		const links = imports
			.filter(({ from, to }) => within(from) && within(to))
			.map(({ from, to }) => [part(from), part(to)] as const)
			.filter(([from, to]) => from !== to);
		expect(links.length).toBeGreaterThan(50);
		expect(cyclesOf(links)).toEqual([]);
	});

	test('no file imports itself through others', () => {
		const links = imports.filter(({ to, typeOnly }) => !typeOnly && sourceOf.has(to));
		expect(cyclesOf(links.map(({ from, to }) => [from, to]))).toEqual([]);
	});

	test.each([
		['features', (file: string) => file.split('/').slice(0, 3).join('/')],
		['folders', (file: string) => dirname(file)],
	] as const)(
		'no two %s of the simulation import each other, directly or through others, even types',
		(_, part) => {
			const links = imports
				.filter(({ from, to }) => [from, to].every((file) => isBelow(file, 'web/sim')))
				.map(({ from, to }) => [part(from), part(to)] as const)
				.filter(([from, to]) => from !== to);
			expect(links.length).toBeGreaterThan(50);
			expect(cyclesOf(links)).toEqual([]);
		},
	);
});

describe('refusals', () => {
	test('have one class: any other error of simulation, verbs or handlers means an interruption or a fault', () => {
		const folders = ['shared/contract', 'shared/verbs', 'shared/rules', 'web/sim', 'web/api'];
		const found = [...sourceOf]
			.filter(([file]) => folders.some((folder) => isBelow(file, folder)))
			.flatMap(([, source]) => [...source.matchAll(/class (\w+) extends (?:Range)?Error\b/g)])
			.map(([, name]) => name);
		expect(found.sort()).toEqual([
			'BrokenMachine',
			'LostShareError',
			'Overrun',
			'PausedError',
			'Refusal',
			'TooManyBytesError',
		]);
	});
});

describe('the simulation code', () => {
	/** Functions whose last bit depends on the JavaScript engine. */
	const INEXACT = [
		...[
			'sin',
			'cos',
			'tan',
			'asin',
			'acos',
			'atan',
			'atan2',
			'sinh',
			'cosh',
			'tanh',
			'asinh',
			'acosh',
			'atanh',
		],
		...['exp', 'expm1', 'log', 'log1p', 'log2', 'log10', 'pow', 'cbrt', 'hypot', 'random'],
	];
	const AMBIENT = [
		...[
			'Date',
			'performance',
			'setTimeout',
			'setInterval',
			'setImmediate',
			'queueMicrotask',
			'Intl',
			'crypto',
		],
		...[
			'requestAnimationFrame',
			'fetch',
			'XMLHttpRequest',
			'WebSocket',
			'MessageChannel',
			'Worker',
			'navigator',
		],
		...[
			'document',
			'window',
			'self',
			'globalThis',
			'location',
			'localStorage',
			'process',
			'console',
			'Buffer',
		],
	];

	/** Returns the names that a file declares. */
	function boundIn(file: string): Set<string> {
		const bound = new Set<string>();
		const bind = (pattern: unknown): void => {
			if (!isNode(pattern)) return;
			if (pattern.type === 'Identifier') bound.add(String(pattern.name));
			else walk(pattern, (node) => void (node.type === 'Identifier' && bound.add(String(node.name))));
		};
		walk(parsed.get(file)!, (node) => {
			if (node.type === 'VariableDeclarator') bind(node.id);
			for (const parameter of (node.params ?? []) as unknown[]) bind(parameter);
		});
		return bound;
	}

	/** Returns true if an identifier is a variable, not a key or a member. */
	function isOwnName(node: Node, above: Node | undefined): boolean {
		if (above?.type === 'MemberExpression') return above.object === node || above.computed === true;
		if (above?.type === 'Property' || above?.type === 'PropertyDefinition')
			return above.value === node || above.computed === true;
		return above?.type !== 'MethodDefinition' && above?.type !== 'TSPropertySignature';
	}

	const simulation = scripts.filter((file) => isBelow(file, 'web/sim') && !file.endsWith('.d.ts'));

	test('uses no clock, timer, network, page or unseeded chance', () => {
		const wrong: string[] = [];
		for (const file of simulation) {
			const own = boundIn(file);
			walk(parsed.get(file)!, (node, above) => {
				const name = String(node.name);
				if (node.type === 'Identifier' && AMBIENT.includes(name) && !own.has(name) && isOwnName(node, above))
					wrong.push(`${file} uses ${name}`);
			});
		}
		expect(wrong).toEqual([]);
	});

	test('uses only arithmetic that is exact on every machine, outside core/math.ts', () => {
		const wrong: string[] = [];
		for (const file of simulation.filter((name) => name !== 'web/sim/core/math.ts'))
			walk(parsed.get(file)!, (node, above) => {
				if (node.type === 'Identifier' && node.name === 'Math' && isOwnName(node, above)) {
					const member = above?.type === 'MemberExpression' ? (above.property as Node) : undefined;
					if (member === undefined || above?.computed === true) wrong.push(`${file} hands Math around`);
					else if (INEXACT.includes(String(member.name))) wrong.push(`${file} uses Math.${member.name}`);
				}
				// Powers with a literal base are exact. Any other `**` is Math.pow.
				if (
					node.type === 'BinaryExpression' &&
					node.operator === '**' &&
					(node.left as Node).type !== 'Literal'
				)
					wrong.push(`${file} uses ** at ${node.start}`);
				if (node.type === 'AssignmentExpression' && node.operator === '**=') wrong.push(`${file} uses **=`);
			});
		expect(wrong).toEqual([]);
	});

	test('is compiled without DOM and without Node', () => {
		const { compilerOptions } = JSON.parse(readFileSync(join(ROOT, 'web/sim/tsconfig.json'), 'utf8')) as {
			compilerOptions: { lib: string[]; types: string[] };
		};
		expect(compilerOptions.lib.filter((lib) => /dom|worker|scripthost/i.test(lib))).toEqual([]);
		expect(compilerOptions.types).toEqual([]);
	});

	test('runs every system, under the name of its file', () => {
		const systems = simulation
			.filter((file) => file.endsWith('.system.ts'))
			.map((file) => basename(file, '.system.ts'));
		expect(schedule.map(({ name }) => name).sort()).toEqual(systems.sort());
	});
});

describe('sizes', () => {
	const MAX_FUNCTION = 100;
	const MAX_FILE = 450;
	/** Data: scenes and models as calls, declarations of routes and errors, and a text in another language. */
	const DATA = ['web/content', 'shared/routes', 'shared/contract/errors.ts', 'web/sim/scripts/prelude.ts'];
	/** One algorithm or one table each, whose parts are read together. */
	const WHOLE = ['web/render/materials.ts', 'web/render/sync/meshes.ts', 'web/sim/navigation/tile.ts'];

	const code = scripts.filter((file) => ![...DATA, 'test'].some((folder) => isBelow(file, folder)));
	const linesOf = (source: string) => source.trimEnd().split('\n').length;

	test('a function has at most 100 lines', () => {
		const long: string[] = [];
		for (const file of code)
			walk(parsed.get(file)!, (node) => {
				if (!/Function/.test(node.type) || !isNode(node.body)) return;
				const before = sourceOf.get(file)!.slice(0, node.start);
				const lines = linesOf(sourceOf.get(file)!.slice(node.start, node.end));
				if (lines > MAX_FUNCTION) long.push(`${file}:${linesOf(`${before}.`)} has ${lines} lines`);
			});
		expect(long).toEqual([]);
	});

	test('a file has at most 450 lines', () => {
		const long = code.filter((file) => linesOf(sourceOf.get(file)!) > MAX_FILE);
		expect(long.filter((file) => !WHOLE.includes(file))).toEqual([]);
	});
});

describe('files', () => {
	/** Files that tools require beside the fixed top level. */
	const TOP = ['package.json', 'vite.config.ts', ...CODE, 'public', 'README.md'];
	const CONFIG = [
		'package-lock.json',
		'tsconfig.json',
		'biome.json',
		'knip.json',
		'vitest.config.ts',
		'LICENSE',
	];

	test('the top level has a fixed list of entries', () => {
		const ignored = readFileSync(join(ROOT, '.gitignore'), 'utf8')
			.split('\n')
			.map((line) => line.replaceAll('/', '').trim());
		const found = readdirSync(ROOT).filter((name) => !name.startsWith('.') && !ignored.includes(name));
		expect(found.filter((name) => ![...TOP, ...CONFIG].includes(name))).toEqual([]);
	});

	test('a feature of the page keeps model, words, state and view in one folder, and its tests in a folder of the same name', () => {
		const top = filesIn('web/ui').filter((file) => dirname(file) === 'web/ui' && !file.endsWith('.md'));
		expect(top.sort()).toEqual(
			['mount.tsx', 'numbers.ts', 'page.tsx', 'services.ts'].map((name) => `web/ui/${name}`),
		);
		const folders = new Set(filesIn('web/ui').map((file) => dirname(file)));
		const tests = scripts.filter((file) => isBelow(file, 'test/web/ui') && file.endsWith('.test.ts'));
		const strays = tests.filter((file) => !folders.has(dirname(file).replace('test/', '')));
		expect(strays).toEqual([]);
	});

	test('names are kebab-case, those of Python modules snake_case', () => {
		const name = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$|^_*[a-z0-9]+(_[a-z0-9]+)*_*\.py$/;
		// Fixed by the programs that read these files.
		const named = files.filter((file) => !/^(README\.md|Dockerfile.*)$/.test(basename(file)));
		expect(named.filter((file) => !file.split('/').every((part) => name.test(part)))).toEqual([]);
	});

	test('no file name is meaningless', () => {
		const empty = /(^|[-./])(utils?|helpers?|common|managers?|misc|stuff)($|[-./])/;
		expect(files.filter((file) => empty.test(file))).toEqual([]);
	});

	test('every file begins with a description', () => {
		const bare = [...sourceOf].filter(([, source]) => !/^(#!.*\n)?\/\*\*/.test(source)).map(([file]) => file);
		const styles = files
			.filter((file) => file.endsWith('.css'))
			.filter((file) => !readFileSync(join(ROOT, file), 'utf8').startsWith('/*'));
		expect([...bare, ...styles]).toEqual([]);
	});
});

async function exportsOf(folder: string): Promise<[string, unknown][]> {
	const names = scripts.filter((file) => dirname(file) === folder && basename(file) !== 'index.ts');
	const modules = await Promise.all(
		names.map(async (file) => [file, (await import(join(ROOT, file))) as Record<string, unknown>] as const),
	);
	return modules.flatMap(([file, module]) =>
		Object.values(module).map((value) => [file, value] as [string, unknown]),
	);
}

describe('lists are complete', () => {
	test('every component file declares one component and is listed', async () => {
		const isComponent = (value: unknown) =>
			typeof value === 'object' && value !== null && 'fields' in value && 'scope' in value;
		const declared = (await exportsOf('shared/components')).filter(([, value]) => isComponent(value));
		expect(
			declared.filter(([, value]) => !components.includes(value as never)).map(([file]) => file),
		).toEqual([]);
		const without = scripts.filter(
			(file) =>
				dirname(file) === 'shared/components' &&
				basename(file) !== 'index.ts' &&
				!declared.some(([declaring]) => declaring === file),
		);
		expect(without).toEqual([]);
		expect(new Set(components.map(({ name }) => name)).size).toBe(components.length);
		expect(new Set(components.map(({ title }) => title)).size).toBe(components.length);
	});

	test('every event file declares one event, is listed, and its roles are fields of it', async () => {
		const isEvent = (value: unknown): value is EventType =>
			typeof value === 'object' && value !== null && 'kind' in value && 'fields' in value;
		const declared = (await exportsOf('shared/events')).filter(([, value]) => isEvent(value));
		const files = scripts.filter(
			(file) => dirname(file) === 'shared/events' && basename(file) !== 'index.ts',
		);
		expect(declared.map(([file]) => file).sort()).toEqual(files.sort());
		for (const [file, value] of declared) expect(events, file).toContain(value);
		expect(new Set(events.map(({ kind }) => kind)).size).toBe(events.length);
		for (const { kind, fields, subject, source } of events as readonly EventType[])
			for (const role of [subject, source])
				if (role !== undefined) expect(namesEntity(fields[role]!), `${kind}.${role}`).toBe(true);
	});

	test('the core of the simulation names no event', () => {
		const words = new RegExp(`['"](${events.map(({ kind }) => kind).join('|')})['"]`);
		const core = scripts.filter((file) => isBelow(file, 'web/sim/core'));
		expect(core.filter((file) => words.test(sourceOf.get(file)!))).toEqual([]);
		expect(core.filter((file) => /shared\/events\/(?!index)/.test(sourceOf.get(file)!))).toEqual([]);
	});

	test('every route that is declared is listed', async () => {
		const isRoute = (value: unknown) =>
			typeof value === 'object' &&
			value !== null &&
			'path' in value &&
			'answer' in value &&
			'effect' in value;
		const declared = (await exportsOf('shared/routes')).filter(([, value]) => isRoute(value));
		expect(declared.length).toBe(routes.length);
		for (const [file, value] of declared) expect(routes, file).toContain(value);
	});

	test('every route has exactly one handler, and every handler a route', () => {
		expect(handlers.map(({ route }) => route.id).sort()).toEqual(routes.map(({ id }) => id).sort());
		for (const { route } of handlers) expect(routes).toContain(route);
	});

	test('ids, paths and commands of routes are unique', () => {
		const unique = (key: (route: Route) => string) => {
			const all = routes.map(key);
			expect(all.filter((candidate, i) => all.indexOf(candidate) !== i)).toEqual([]);
		};
		unique(({ id }) => id);
		unique(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`);
		unique(({ cli }) => cli.join(' '));
	});

	test('path parameters are in the path and in the schema', () => {
		for (const { id, path, params } of routes) {
			const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
			expect(Object.keys(params?.shape ?? {}), id).toEqual(named);
		}
	});
});

describe('every number is described', () => {
	/** Returns paths of numbers without a description. A list's description also covers its items. */
	function undescribed(schema: JsonSchema, where: string, isDescribedAbove: boolean): string[] {
		const isDescribed = isDescribedAbove || typeof schema.description === 'string';
		if (schema.type === 'number' || schema.type === 'integer') return isDescribed ? [] : [where];
		const found: string[] = [];
		for (const [key, member] of Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>))
			found.push(...undescribed(member, `${where}.${key}`, false));
		for (const key of ['anyOf', 'oneOf', 'prefixItems'] as const)
			for (const member of (schema[key] ?? []) as JsonSchema[])
				found.push(...undescribed(member, where, isDescribed));
		for (const key of ['items', 'additionalProperties'] as const) {
			const member = schema[key];
			if (typeof member === 'object' && member !== null)
				found.push(...undescribed(member as JsonSchema, `${where}[]`, isDescribed));
		}
		return found;
	}
	const check = (schema: z.ZodType | undefined, io: 'input' | 'output') =>
		schema === undefined ? [] : undescribed(jsonSchema(schema, io), '', false);

	test.each(routes.map((route) => [route.id, route] as const))('of %s', (_, route) => {
		expect({
			params: check(route.params, 'input'),
			query: check(route.query, 'input'),
			body: check(route.body, 'input'),
			answer: check(route.answer, 'output'),
		}).toEqual({ params: [], query: [], body: [], answer: [] });
	});

	test.each(components.map((component) => [component.title, component] as const))('of %s', (_, component) => {
		for (const [name, field] of Object.entries(component.fields)) {
			expect(field.doc, name).not.toBe('');
			expect(check(fieldSchema(field), 'output')).toEqual([]);
		}
		expect(check(readoutSchema(component), 'output')).toEqual([]);
	});
});
