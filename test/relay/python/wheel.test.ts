/**
 * The Python package: the files of its wheel, its download from a server, and calls through it.
 * Owns: the claims about the generated client. `npm run python` installs the package with learning libraries.
 */

import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../../../relay/folders.ts';
import { methodNames } from '../../../relay/python/client-text.ts';
import { withPythonPackage } from '../../../relay/python/python-page.ts';
import { buildWheel } from '../../../relay/python/wheel.ts';
import { startRelay } from '../../../relay/server.ts';
import { ERRORS } from '../../../shared/contract/errors.ts';
import { routes } from '../../../shared/routes/index.ts';
import { tasks } from '../../../shared/suite/index.ts';
import { startEngine } from '../../support/engine.ts';
import { hasPython, type UnpackedPackage, unpackWheel } from '../../support/python.ts';
import { serveHandle } from '../../support/serve-engine.ts';

const wheel = buildWheel();
const files = unzipSync(wheel.bytes);
const textOf = (path: string): string => new TextDecoder().decode(files[path]);
const version = /^orrery-(.+)-py3-none-any\.whl$/.exec(wheel.name)![1];
const info = `orrery-${version}.dist-info`;

describe('the wheel', () => {
	test('has its metadata, and in RECORD every file with its hash and size', () => {
		expect(textOf(`${info}/METADATA`)).toMatch(
			new RegExp(`^Metadata-Version: .+\nName: orrery\nVersion: ${version}\n`),
		);
		expect(textOf(`${info}/METADATA`)).not.toMatch(/^Requires-Dist: (?!.*; extra == )/m);
		expect(textOf(`${info}/WHEEL`)).toContain('Root-Is-Purelib: true\nTag: py3-none-any\n');
		const rows = textOf(`${info}/RECORD`).trim().split('\n');
		const expectedRows = Object.entries(files).map(([path, bytes]) =>
			path === `${info}/RECORD`
				? `${path},,`
				: `${path},sha256=${createHash('sha256').update(bytes).digest('base64url')},${bytes.length}`,
		);
		expect(rows).toEqual(expectedRows);
	});

	test('has the same bytes at every build', () => {
		expect(buildWheel()).toEqual(wheel);
	});

	test('names every task of the suite with the calls of its budget', () => {
		const taskLines = [...textOf('orrery/_suite.py').matchAll(/^ {4}"([\w-]+)": (\d+),$/gm)];
		expect(taskLines.map(([, id, calls]) => [id, Number(calls)])).toEqual(
			tasks.map(({ id, budget }) => [id, budget.calls]),
		);
	});

	test('has a method with a docstring for every route, in both clients', () => {
		for (const module of ['orrery/_client.py', 'orrery/_async_client.py']) {
			const classes = textOf(module).split(/^class /m);
			const undocumented = routes.filter((route) => {
				const [namespace, name] = methodNames(route);
				const routesClass = classes.find((text) =>
					text.toLowerCase().startsWith(`${namespace.replaceAll('_', '')}routes(`),
				);
				const [, method] = routesClass?.split(new RegExp(`^    (?:async )?def ${name}\\(`, 'm')) ?? [];
				return (
					method?.split('    def ')[0]?.includes(`Route: ${route.method} ${route.path}\n        """`) !== true
				);
			});
			expect(undocumented.map(({ id }) => id)).toEqual([]);
		}
	});
});

describe('a server', () => {
	test('lists the wheel of its version under /python/, and gives it', async () => {
		const { engine } = await startEngine({});
		const relay = await startRelay({
			port: 0,
			data: 'unused',
			page: withPythonPackage({ html: async () => '', serve: () => false }),
			limits: { tabWait: 1 },
		});
		try {
			const index = await fetch(`${relay.url}/python`);
			expect([index.url, index.headers.get('content-type')]).toEqual([
				`${relay.url}/python/`,
				'text/html; charset=utf-8',
			]);
			const [, href] = /<a href="([^"#]+)#sha256=[0-9a-f]{64}">/.exec(await index.text())!;
			expect(href).toBe(wheel.name);
			const answer = await fetch(new URL(href!, index.url));
			expect(new Uint8Array(await answer.arrayBuffer())).toEqual(wheel.bytes);
			expect((await fetch(`${relay.url}/python/orrery-0.0.1-py3-none-any.whl`)).status).toBe(404);
		} finally {
			await relay.close();
			engine.close();
		}
	});
});

describe.skipIf(!hasPython)(
	`the modules in python3${hasPython ? '' : ' (skipped: there is no python3 of 3.10 or later)'}`,
	() => {
		let unpacked: UnpackedPackage;
		beforeAll(async () => {
			unpacked = await unpackWheel(wheel);
		});
		afterAll(() => unpacked.remove());

		test('compile, and `import orrery` loads nothing that is not part of Python', async () => {
			const program = `
import compileall, sys, orrery
assert compileall.compile_dir("orrery", quiet=1, legacy=True)
own = {name.split(".")[0] for name in sys.modules} - set(sys.stdlib_module_names) - {"__main__", "sitecustomize"}
print(sorted(name for name in own if not name.startswith("_")))`;
			expect(await unpacked.run(program)).toBe("['orrery']\n");
		});

		test('call a server: typed methods, forks, refusals with a fix, bytes, and asyncio', async () => {
			const { engine } = await startEngine({ seed: 7 });
			const served = await serveHandle(engine.handle);
			const program = `
import asyncio, sys, orrery
world = orrery.World(sys.argv[1])
ball = world.spawn(position=[0, 5, 0], physics_body="Dynamic", gold=3)["id"]
world.forks.create(fork_id="plan")
plan = world.in_world("plan")
assert plan.step(ticks=30)["tick"] == 30 and world.status()["tick"] == 0
assert world.entity(ball)["gold"] == 3
assert orrery._values.Call("POST", "/", body={"a": None, "b": orrery.NULL}).content == b'{"b":null}'
try:
    world.step(ticks=-1)
except orrery.OrreryError as error:
    print(error.status, error.code, error.fix)
assert isinstance(world.operations.schema(form="compact", accept="text/plain"), bytes)

async def main():
    async with orrery.AsyncWorld(sys.argv[1]) as other:
        answers = await asyncio.gather(*(other.digest(world="plan") for _ in range(20)))
        print(len({answer["state_digest"] for answer in answers}))
        try:
            await other.rules.get(99)
        except orrery.OrreryError as error:
            print(error.code)

asyncio.run(main())`;
			try {
				expect(await unpacked.run(program, served.url)).toBe(
					'422 invalid_body Send "ticks" as a number, at least 0.\n1\nrule_not_found\n',
				);
			} finally {
				await served.close();
				engine.close();
			}
		});

		test('name the address where no server answers', async () => {
			const server = createServer();
			await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
			const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
			await new Promise((done) => server.close(done));
			const program = `
import asyncio, sys, orrery
async def ask():
    async with orrery.AsyncWorld(sys.argv[1]) as world:
        await world.status()
for ask_once in (lambda: orrery.World(sys.argv[1]).status(), lambda: asyncio.run(ask())):
    try:
        ask_once()
    except orrery.NoServerError as error:
        print(sys.argv[1] in str(error), isinstance(error, ConnectionError))`;
			expect(await unpacked.run(program, url)).toBe('True True\nTrue True\n');
		});

		test('start a server, use its world, and stop it with its folder', async () => {
			const program = `
import os, sys, orrery
with orrery.serve(package=sys.argv[1], bare=True, seed=7) as server:
    print(server.world.status()["seed"], os.path.isdir(server.folder))
print(server.process.poll() is not None, os.path.exists(server.folder))
try:
    orrery.serve(package=sys.argv[1], arguments=["--prot", "1"])
except RuntimeError as error:
    print("There is no flag --prot" in str(error))`;
			const printed = await unpacked.run(program, ROOT);
			expect(printed).toBe('7 True\nTrue False\nTrue\n');
		});

		test('refuse an option of a new server beside the address of one', async () => {
			const program = `
from orrery._episodes import Episodes
try:
    Episodes(None, server="http://127.0.0.1:1", agents=1, frame_skip=None, serve_options={"world": "arena"})
except TypeError as error:
    print(error)`;
			expect(await unpacked.run(program)).toBe(
				'The server http://127.0.0.1:1 runs already, so these options have no effect: world. Omit them, or omit server.\n',
			);
		});

		test('repeat a write with the same key after a lost connection, 503 and 429, but not after other refusals', async () => {
			const keys: (string | undefined)[] = [];
			const answers = ['lost', 503, 429, 200, 422] as const;
			const server = createServer((request, response) => {
				const answer = answers[keys.length]!;
				keys.push(request.headers['idempotency-key'] as string | undefined);
				if (answer === 'lost') return void request.socket.destroy();
				const code = answer === 503 ? 'busy' : answer === 429 ? 'too_many_calls' : 'invalid_body';
				const body = answer === 200 ? { ok: true } : { ok: false, code, message: 'no', fix: 'yes' };
				request
					.resume()
					.on('end', () =>
						response
							.writeHead(answer, { 'content-type': 'application/json', 'retry-after': '0' })
							.end(JSON.stringify(body)),
					);
			});
			await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
			const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
			try {
				for (const call of ['orrery.World(url).play()', 'asyncio.run(orrery.AsyncWorld(url).play())']) {
					keys.length = 0;
					const program = `
import asyncio, sys, orrery
url = sys.argv[1]
orrery._caller.Connections.was_answered = True
${call}
try:
    ${call}
except orrery.OrreryError as error:
    print(error.code)`;
					expect(await unpacked.run(program, url)).toBe('invalid_body\n');
					expect(new Set(keys.slice(0, 4)).size).toBe(1);
					expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
					expect(keys[4]).not.toBe(keys[0]);
				}
			} finally {
				server.closeAllConnections();
				await new Promise((done) => server.close(done));
			}
		});

		test('read a stream of events, and resume after the last complete event', async () => {
			const from: unknown[] = [];
			const parts = [
				': hello\n\nid: 1\ndata: {"type":"DamageEvent"}\n\nid: 2\ndata: {"half',
				'id: 2\nevent: gap\ndata: {"from":"1"}\n\nevent: end\ndata: {"code":"cancelled","message":"Over.","fix":""}\n\n',
			];
			const server = createServer((request, response) => {
				response.writeHead(200, { 'content-type': 'text/event-stream' });
				response.write(parts[from.length % 2]!, () => request.socket.destroySoon());
				from.push(request.headers['last-event-id']);
			});
			await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
			const program = `
import asyncio, sys, orrery
url = sys.argv[1]
try:
    for event in orrery.World(url)._stream("/events/stream"):
        print(event.id, event.kind, event.data)
except orrery.OrreryError as error:
    print(error.code)

async def main():
    try:
        async for event in orrery.AsyncWorld(url)._stream("/events/stream"):
            print(event.id, event.kind, event.data)
    except orrery.OrreryError as error:
        print(error.code)

asyncio.run(main())`;
			try {
				const printed = await unpacked.run(
					program,
					`http://127.0.0.1:${(server.address() as AddressInfo).port}`,
				);
				const once = "1 DamageEvent {'type': 'DamageEvent'}\n2 gap {'from': '1'}\ncancelled\n";
				expect([printed, from]).toEqual([once + once, [undefined, '1', undefined, '1']]);
			} finally {
				server.closeAllConnections();
				await new Promise((done) => server.close(done));
			}
		});

		test('retry only after codes that the server has', async () => {
			const codes = await unpacked.run('import orrery._values as v; print(*sorted(v.RETRIED_CODES))');
			expect(
				codes
					.trim()
					.split(' ')
					.filter((code) => !(code in ERRORS)),
			).toEqual([]);
		});
	},
);
