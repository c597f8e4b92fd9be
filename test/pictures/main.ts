/**
 * `npm run pictures [-- NAME...]`: takes the pictures of the README, the guide and Start again, with a headless browser.
 * Owns: the scene or guide page, the camera and the tick of each picture.
 */

import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../relay/folders.ts';
import { startOrrery } from '../behaviour/browser/start.ts';

interface Shot {
	/** Scene to open. Without one, the calls of this page of the guide are made. */
	readonly scene?: string;
	readonly page?: string;
	readonly ticks: number;
	readonly width: number;
	readonly height: number;
	/** Camera of the picture. Default: the camera of the scene. */
	readonly camera?: ReturnType<typeof view>;
}

type Point = readonly [number, number, number];
const view = (eye: Point, target: Point, fov: number) => ({ eye, target, fov });

const ATTEMPTS = 5;
const CARD = { width: 640, height: 320 };
const WIDE = { width: 960, height: 480 };

const SHOTS: Readonly<Record<string, Shot>> = {
	'scenes/arena': { scene: 'arena', ticks: 1500, ...CARD, camera: view([-6, 9, 17], [1, 0.5, -1], 42) },
	'scenes/dungeon': { scene: 'dungeon', ticks: 2100, ...CARD, camera: view([-2.2, 8, 12], [-4, 0, 0], 48) },
	'scenes/market': {
		scene: 'market',
		ticks: 600,
		...CARD,
		camera: view([5.5, 4.2, 10.5], [-0.5, 1.4, -2.5], 46),
	},
	'scenes/skirmish': { scene: 'skirmish', ticks: 1500, ...CARD, camera: view([-9, 10, 19], [1, 1, -1], 45) },
	'scenes/towers': { scene: 'towers', ticks: 600, ...CARD, camera: view([-9, 6.5, 15.5], [0.5, 2, -1], 46) },
	'scenes/village': { scene: 'village', ticks: 600, ...CARD },
	arena: { scene: 'arena', ticks: 1800, width: 800, height: 400 },
	hill: { page: 'landscape', ticks: 0, ...WIDE },
	village: { scene: 'village', ticks: 600, ...WIDE },
};

const names = process.argv.slice(2);
const unknown = names.find((name) => !(name in SHOTS));
if (unknown !== undefined) {
	console.error(`There is no picture "${unknown}"; there are ${Object.keys(SHOTS).join(', ')}.`);
	process.exit(2);
}
const run = promisify(execFile);
// A build may take longer than a start.
await run(process.execPath, [join(ROOT, 'relay/build.ts')]);
const server = await startOrrery(['--headless']);
try {
	for (const name of names.length > 0 ? names : Object.keys(SHOTS))
		await writePicture(server.url, name, SHOTS[name]!);
} finally {
	await server.stop();
}

async function writePicture(url: string, name: string, shot: Shot): Promise<void> {
	const { scene, page, ticks, width, height, camera } = shot;
	if (scene !== undefined) await post(url, '/scene/open', { name: scene });
	if (page !== undefined) await followPage(url, page);
	if (ticks > 0) await post(url, '/step', { ticks });
	if (camera !== undefined) await post(url, '/camera', camera);
	const bytes = await fetchPicture(
		`${url}/screenshot?width=${width}&height=${height}&format=webp&quality=80`,
	);
	const file = join(ROOT, `public/pictures/${name}.webp`);
	await writeFile(file, bytes);
	console.log(`Wrote ${file}, ${bytes.length} bytes`);
}

/** Returns a picture. Repeats the call, because the first picture of a scene may be late: it compiles shaders. */
async function fetchPicture(address: string): Promise<Uint8Array> {
	let reason = '';
	for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
		const answer = await fetch(address, { headers: { accept: 'image/*' } });
		if (answer.headers.get('content-type') === 'image/webp') return answer.bytes();
		reason = await answer.text();
		if (!reason.includes('"picture_late"')) break;
	}
	throw new Error(`/screenshot returned ${reason}`);
}

async function post(url: string, path: string, body: object): Promise<void> {
	const headers = { 'content-type': 'application/json' };
	const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
	const { ok, ...rest } = (await answer.json()) as { ok: boolean };
	if (!ok) throw new Error(`${path} returned ${JSON.stringify(rest)}`);
}

/** Makes the POST requests of a page of the guide in an empty world, as its reader does. */
async function followPage(url: string, page: string): Promise<void> {
	await post(url, '/reset', { fresh: true });
	const text = await readFile(join(ROOT, `public/guide/${page}.md`), 'utf8');
	const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block!);
	const lines = blocks
		.join('')
		.replaceAll('http://127.0.0.1:3917', url)
		.replaceAll(/^curl (.*screenshot.*)$/gm, '');
	await run('bash', ['-e', '-c', lines]);
}
