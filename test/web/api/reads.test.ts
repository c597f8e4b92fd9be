/** Reads, by a caller that may only read: nothing is written, nothing is asked of others, and no path of the server is answered. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import { accessOf } from '../../../shared/contract/principal.ts';
import { routes } from '../../../shared/routes/index.ts';
import type { RelayServiceName, RelayServices } from '../../../shared/transport/errand.ts';
import { JournalMemory, MemoryJournal } from '../../../shared/transport/memory-journal.ts';
import type { Album, CaptureRequest } from '../../../web/frames/frames.ts';
import type { ViewLink } from '../../../web/host/view-link.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { createMemoryFiles } from '../../support/memory-files.ts';
import { readPublic } from '../../support/public-files.ts';

const FOLDER = '/srv/orrery-data';
const WRITER = { authorization: 'Bearer writer', 'content-type': 'application/json' };
const READER = { ...WRITER, authorization: 'Bearer reader' };
const ANONYMOUS = { 'content-type': 'application/json' };
const TASK = { task_id: 't', prompt: 'a', provider: 'p', quality: 'q', status: 'pending' } as const;
/**
 * Requests that the relay answers from its memory, and signing in and out, which is how a caller gets more rights.
 */
const LOOKS: readonly RelayServiceName[] = [
	'session',
	'task',
	'tasks',
	'providers',
	'worlds',
	'login',
	'logout',
];

const isAlbum = ({ cameras, report }: CaptureRequest): boolean => cameras !== undefined || report === true;

/** Pictures of a view that shows entity 0 with entity 1 behind it. */
function albumOf({ cameras = [], report, type = 'image/png' }: CaptureRequest): Album {
	const box = { left: 0, top: 0, width: 2, height: 2 };
	const entities = [{ id: 0, pixels: 4, box }];
	const found = { entities, hidden: [{ id: 1, box, hidden_by: 0 }], entity_count: 1, hidden_count: 1 };
	return Array.from({ length: cameras.length || 1 }, () => ({
		type,
		data: 'AQID',
		size_bytes: 3,
		...(report ? { report: found } : {}),
	}));
}

let engine: TestEngine;
/** Writes, and requests to the relay. */
let done: string[];

beforeEach(async () => {
	done = [];
	const { files } = createMemoryFiles();
	const memory = new JournalMemory();
	engine = await startEngine({
		gated: true,
		readPublic,
		journal: new MemoryJournal(memory),
		files: {
			...files,
			storage: FOLDER,
			write: (path, bytes) => {
				done.push(`writes ${path}`);
				return files.write(path, bytes);
			},
		},
	});
	const limits = {
		calls_per_second: 1e6,
		entities: 1e6,
		forks: 1e6,
		file_bytes: 1e15,
		asset_bytes: 1e6,
		journal_bytes: 1e9,
		paid_models: 10,
	};
	const session = { agent_id: 'ada', number: 1, limits, seconds_left: 60 };
	const answers = {
		session: ({ session_token }: { session_token: string }) => ({
			...session,
			access: session_token === 'reader' ? 'read' : 'admin',
		}),
		login: () => ({ ...session, access: 'write', session_token: 'x' }),
		logout: () => ({ ended: true }),
		task: () => TASK,
		tasks: () => [TASK],
		providers: () => [],
		worlds: () => ({ worlds: [], limits: {} }),
	} as unknown as Record<RelayServiceName, (sent: unknown) => unknown>;
	engine.engine.setRelayServices({
		ask: async (errand: RelayServiceName, sent: unknown) => {
			if (!LOOKS.includes(errand)) done.push(`asks ${errand}`);
			return answers[errand]?.(sent) ?? {};
		},
	} as RelayServices);
	engine.engine.setView({
		gpu: null,
		capture: async (...[{ world }, request]: Parameters<ViewLink['capture']>) => ({
			bytes: isAlbum(request)
				? new TextEncoder().encode(JSON.stringify(albumOf(request)))
				: Uint8Array.of(137, 80, 78, 71),
			tick: world.tick,
			digest: '0'.repeat(16),
		}),
	} as unknown as ViewLink);
});
afterEach(() => engine.engine.close());

test('no route without a session writes a file, calls the relay, or names a folder', async () => {
	for (const route of routes) {
		if (accessOf(route) !== 'read') continue;
		for (const { name, given = [], path = route.path, body } of route.examples) {
			await engine.call('POST', '/reset', { fresh: true }, WRITER);
			for (const call of given) await engine.call(call.method ?? 'POST', call.path, call.body ?? {}, WRITER);
			done = [];
			const { headers, ...answer } = await engine.call(
				route.method,
				path,
				route.method === 'POST' ? (body ?? {}) : undefined,
				ANONYMOUS,
			);
			expect(done, `${route.method} ${path}: ${name}`).toEqual([]);
			expect(JSON.stringify(answer), `${route.method} ${path}: ${name}`).not.toContain(FOLDER);
		}
	}
});

test('a picture as a file needs write access, and the picture itself does not', async () => {
	const path = '/screenshot?width=64&height=64';
	for (const method of ['GET', 'POST'] as const) {
		for (const [headers, status, code] of [
			[ANONYMOUS, 401, 'not_signed_in'],
			[READER, 403, 'not_allowed'],
		] as const) {
			const refused = await engine.call(method, path, undefined, headers);
			expect(refused).toMatchObject({ status, body: { ok: false, code } });
			expect(refused.body.fix).toContain('Accept: image/png');
			const { handle } = engine.engine;
			const request = { method, path: '/screenshot', query: 'width=64', body: new Uint8Array(0) };
			for (const accept of ['image/png', 'image/*']) {
				const wireResponse = await handle({ ...request, headers: { ...headers, accept } });
				expect([wireResponse.status, wireResponse.headers['content-type']], accept).toEqual([
					200,
					'image/png',
				]);
			}
		}
		expect(done).toEqual([]);
		const reply = await engine.call(method, path, undefined, WRITER);
		expect(reply.body).toMatchObject({ ok: true, path: expect.stringContaining(`${FOLDER}/screenshots/`) });
		expect(done.splice(0)).toHaveLength(1);
	}
});

test('a reader gets reports with names, from several cameras, and nothing is saved', async () => {
	await engine.call('POST', '/spawn', { mesh: 'cube', name: 'wall' }, WRITER);
	await engine.call('POST', '/spawn', { mesh: 'cube', tags: ['spy'] }, WRITER);
	const path = '/screenshot?width=64&height=36&report=true&format=jpeg';
	const { body: answer } = await engine.call(
		'POST',
		path,
		{ cameras: [{}, { fov: 30, far: 50 }] },
		ANONYMOUS,
	);
	const box = { left: 0, top: 0, width: 2, height: 2 };
	const report = {
		entities: [{ id: 0, generation: 0, name: 'wall', pixels: 4, box }],
		hidden: [{ id: 1, generation: 0, tags: ['spy'], box, hidden_by: 0 }],
		entity_count: 1,
		hidden_count: 1,
	};
	const picture = { type: 'image/jpeg', data: 'AQID', size_bytes: 3, report };
	expect(answer).toMatchObject({ ok: true, channel: 'color', width: 64, height: 36, tick: 0 });
	expect(answer.pictures).toEqual([picture, picture]);
	expect(done).toEqual([]);
});

test.each([
	['?channel=depth&format=webp', {}, 400, 'format'],
	['?channel=depth&annotate=true', {}, 400, 'annotate'],
	['?channel=depth&preset=high', {}, 400, 'preset'],
	['?quality=50', {}, 400, 'quality'],
	['?format=jpeg&quality=0.5', {}, 400, 'quality'],
	['?width=4096&height=4096', { cameras: [{}, {}] }, 422, 'cameras'],
	['', { cameras: [{ near: 5, far: 2 }] }, 422, undefined],
	['', { cameras: [] }, 422, 'cameras'],
	['', { cameras: Array.from({ length: 9 }, () => ({})) }, 422, 'cameras'],
])('a picture of %s with %j is refused with advice', async (query, body, status, path) => {
	const refused = await engine.call('POST', `/screenshot${query}`, body, WRITER);
	expect(refused).toMatchObject({ status, body: { ok: false, fix: expect.any(String) } });
	expect(refused.body.path).toBe(path);
	expect(done).toEqual([]);
});

test('saved pictures have the ending of their format and a name for each setting', async () => {
	const names = [];
	for (const query of ['', '&format=jpeg', '&format=jpeg&quality=50', '&annotate=true', '&preset=high']) {
		const saved = await engine.call('GET', `/screenshot?width=64&height=36${query}`, undefined, WRITER);
		names.push(
			saved.body.path
				.split('/')
				.at(-1)
				.replace(/^main-0-[0-9a-f]+-/, ''),
		);
	}
	expect(names).toEqual([
		'color-64x36.png',
		'color-64x36.jpeg',
		'color-64x36-q50.jpeg',
		'color-64x36-annotated.png',
		'color-64x36-high.png',
	]);
});
