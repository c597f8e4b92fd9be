/**
 * Runs the shell blocks of the README and the guide against a real server. No call may be refused.
 * Owns: finding the calls, and the state that a tutorial promises at its end. The blocks of a page run in order, in one
 * fresh world.
 */

import { execFile, execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Relay, startRelay } from '../relay/server.ts';
import { loadScene, readScene } from '../relay/start-scenario.ts';
import type { CallHandler } from '../shared/contract/wire.ts';
import { httpHandle } from '../shared/transport/client.ts';
import { JournalMemory, MemoryJournal } from '../shared/transport/memory-journal.ts';
import type { CaptureRequest } from '../web/frames/frames.ts';
import type { Engine } from '../web/host/engine.ts';
import { openTab } from './relay/fake-tab.ts';
import { fakeCapture } from './support/album.ts';
import { caller, clientOf, startEngine } from './support/engine.ts';
import { readPublic } from './support/public-files.ts';

const run = promisify(execFile);
const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 1, 2, 3);

const hasShell = ((): boolean => {
	try {
		execFileSync('bash', ['-c', 'curl --version'], { stdio: 'ignore' });
		return true;
	} catch {
		return false;
	}
})();

let folder: string;
let relay: Relay;
const cleanups: (() => unknown)[] = [];
/** Refused calls, and the number of all calls. */
let refused: string[];
let callCount: number;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'orrery-readme-'));
	cleanups.push(() => rm(folder, { recursive: true, force: true }));
	relay = await startRelay({
		port: 0,
		data: folder,
		page: { html: async () => '<html><head></head></html>', serve: () => false },
	});
	cleanups.push(() => relay.close());
	const { engine } = await startEngine({ readPublic, journal: new MemoryJournal(new JournalMemory()) });
	cleanups.push(() => engine.close());
	engine.setView({
		gpu: { backend: 'webgl2', device_name: 'a drawing', capabilities: {} },
		capture: async (_: unknown, request: CaptureRequest) => ({
			bytes: fakeCapture(PNG, request),
			tick: 0,
			digest: '0'.repeat(16),
		}),
	} as unknown as Parameters<Engine['setView']>[0]);
	const tab = await openTab(relay.url, noteRefusals(engine.handleFrom('relay')), {
		world: () => engine.identity,
	});
	cleanups.push(() => tab.close());
	engine.setFiles(tab.link.files);
	engine.setRelayServices(tab.link.relayServices);
});
afterAll(async () => {
	for (const cleanUp of cleanups.reverse()) await cleanUp();
});

/** Wraps a call handler: counts its calls and records refusals. */
function noteRefusals(handle: CallHandler): CallHandler {
	return async (request, signal) => {
		const response = await handle(request, signal);
		callCount++;
		const isJson = response.headers['content-type']?.startsWith('application/json') === true;
		const text = isJson ? new TextDecoder().decode(response.body) : '';
		const ok = response.status < 400 && (!isJson || (JSON.parse(text) as { ok?: boolean }).ok !== false);
		// OpenEnv requests optional parts of a scenario. The page about events ends its stream.
		const ended = request.path === '/events/stream' && response.status === 409;
		if (!ok && !ended && request.headers['x-agent'] !== 'openenv') {
			const sent = new TextDecoder().decode(request.body);
			refused.push(`${request.method} ${request.path} ${sent} -> ${response.status} ${text.slice(0, 300)}`);
		}
		return response;
	};
}

/** Returns the number of calls to main. Calls to named worlds are checked by the shell's output. */
const callsIn = (text: string): number =>
	(text.match(/\bcurl\b/g)?.length ?? 0) - (text.match(/\?world=arena-1\b/g)?.length ?? 0);

/** Returns the number of calls that the server answers without the engine. */
const besideWorld = (text: string): number =>
	text.match(/\bcurl\b[^\n]*(?:\/openenv\/orrery\/|"episode_id":"hero"|server\/discover)/g)?.length ?? 0;

/** Maximum number of ticks of a step. Refusals occur within these ticks. */
const MAX_STEP = 300;

/** Runs a text in a shell. `npm` and `npx` do nothing. */
async function runShell(text: string): Promise<{ refused: readonly string[]; callCount: number }> {
	refused = [];
	callCount = 0;
	const commands = text
		.replaceAll('http://127.0.0.1:3917', relay.url)
		.replace(/"ticks":\d{4,}/g, `"ticks":${MAX_STEP}`);
	const script = `set -e\nnpm() { :; }\nnpx() { :; }\nO=${relay.url}; J='Content-Type: application/json'\n${commands}\n`;
	const { stdout } = await run('bash', ['-c', script], {
		cwd: folder,
		timeout: 300_000,
		maxBuffer: 256 * 1024 * 1024,
	});
	if (stdout.includes('"ok":false')) refused.push(stdout);
	return { refused, callCount };
}

const ROOT = resolve(import.meta.dirname, '..');
const PAGES = ['README.md', ...globSync('public/guide/*.md', { cwd: ROOT }).sort()];

/** Resets the server to its state at the first start. */
async function startAfresh(): Promise<void> {
	const { call } = clientOf(relay.call);
	const { forks } = (await call('GET', '/fork/list')).body as { forks: string[] };
	for (const id of forks) await call('DELETE', `/fork/${id}`);
	await call('POST', '/reset', { fresh: true });
	// A page may leave its world playing.
	await call('POST', '/pause', {});
}

const get = async (path: string) =>
	(await clientOf(relay.call).call('GET', path)).body as Record<string, unknown>;
const digestOf = async (world: string) => (await get(`/digest?world=${world}`)).state_digest;
const entityOf = (world: string) => get(`/entities/0?world=${world}`);

/** Checks the state that a page promises after its last call. */
const END_STATES: Readonly<Record<string, () => Promise<void>>> = {
	'README.md': async () => expect((await get('/fork/list')).forks).toEqual(['plan']),
	'public/guide/first-world.md': async () => expect(await digestOf('plan')).toBe(await digestOf('main')),
	'public/guide/first-game.md': async () => {
		expect(await get('/game/state')).toMatchObject({ winner_team: 1 });
		expect(await entityOf('main')).toMatchObject({ gold: 50 });
		expect((await entityOf('idle')).health).toEqual([88, 120]);
		expect((await get('/entities/1?world=idle')).health).toEqual([60, 60]);
	},
	'public/guide/events.md': async () => {
		const fight = await readFile(join(folder, 'fight.txt'), 'utf8');
		expect(fight).toMatch(/"type":"DamageEvent"[\s\S]*"type":"DeathEvent"/);
	},
	'public/guide/openenv.md': async () => {
		const { body } = await caller(httpHandle(relay.url))('GET', '/openenv/state');
		expect(body).toMatchObject({ episode_id: 'run', attempt: 3, step_count: 4 });
	},
	'public/guide/learning-loop.md': async () => {
		for (const run of [1, 2, 3, 4, 5]) expect((await entityOf(`run${run}`)).gold).toBeGreaterThan(15);
	},
	'public/guide/many-forks.md': async () => {
		for (const run of ['e1', 'e2']) expect((await entityOf(run)).gold).toBe(30);
	},
	'public/guide/agent.md': async () => expect((await entityOf('plan')).health).toEqual([70, 100]),
	'public/guide/calls.md': async () => expect((await get('/')).entity_count).toBe(1),
	'public/guide/navigation.md': async () => {
		const { transform } = (await get('/entities/1')) as { transform: { position: number[] } };
		expect(transform.position[0]).toBeCloseTo(4, 0);
	},
	'public/guide/why-rule.md': async () => expect((await entityOf('main')).gold).toBe(10),
	'public/guide/why-reach.md': async () =>
		expect((await get('/why/reach/0?to=4,0,0&tries=0')).causes).toEqual([
			expect.objectContaining({ code: 'way_blocked', entity_id: 1 }),
			expect.objectContaining({ code: 'no_path' }),
		]),
	'public/guide/why-dead.md': async () => {
		expect((await get('/entities/2')).dead).toBe(true);
		expect((await get('/entities/2?world=strong')).dead).toBeUndefined();
	},
	'public/guide/scripts.md': async () => expect(await digestOf('walk')).toBe(await digestOf('main')),
};

test('every page with an end state exists', () => {
	expect(PAGES).toEqual(expect.arrayContaining(Object.keys(END_STATES)));
});

test.runIf(hasShell)('the market is won as in the tutorial, through MCP alone', async () => {
	await startAfresh();
	const text = await readFile(join(ROOT, 'public/guide/play-mcp.md'), 'utf8');
	const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block!);
	const own = blocks.findIndex((block) => block.includes('/scenario'));
	const { refused } = await runShell(blocks.slice(0, own).join('\n'));
	// The page sends one move that does not exist.
	expect(refused).toEqual([expect.stringContaining('POST /action/cry_wares {"parameters":{"trader":44}}')]);
	expect(await get('/game/state')).toMatchObject({ phase: 'post_match', winner_team: 1 });
	expect((await runShell([blocks[0], ...blocks.slice(own)].join('\n'))).refused).toEqual([]);
	expect((await get('/action/list')).count).toBe(1);
});

test.runIf(hasShell).each(PAGES)('every call of %s is accepted', { timeout: 600_000 }, async (page) => {
	await startAfresh();
	const text = await readFile(join(ROOT, page), 'utf8');
	const blocks = text.matchAll(
		/^```(?:sh|bash)\n([\s\S]*?)^```$|`npm start -- --scene (\w+)`|`(curl [^`]+)`/gm,
	);
	for (const [, fenced, scene, inline] of blocks) {
		if (scene !== undefined) await loadScene(relay.call, await readScene(scene));
		const script = fenced ?? inline ?? '';
		if (callsIn(script) === 0) continue;
		const outcome = await runShell(script);
		expect(outcome.refused, script).toEqual([]);
		expect(outcome.callCount, script).toBeGreaterThanOrEqual(callsIn(script) - besideWorld(script));
	}
	await END_STATES[page]?.();
});
