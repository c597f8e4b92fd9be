/**
 * `npm start`, `npm run dev` and `npx orrery start`: the page built, the relay up, a browser on it, and one line when the world answers.
 * Owns: what is started and in which order. Everything started here ends with it.
 */

import { basename } from 'node:path';
import { HeadlessBrowser } from './browser.ts';
import { removeLeftBrowsers } from './browser-process.ts';
import { IS_CLONE, PAGE } from './folders.ts';
import { cannotGoOn, type OpenWorld, openWorld } from './journal/open-world.ts';
import { hasDisplay, openPage } from './open-page.ts';
import { FlagError, parseFlags, type StartOptions, USAGE } from './options.ts';
import type { Relay } from './server.ts';
import { presentBrowser } from './setup/browser.mjs';
import { listenForSignals, onShutdown, shutDown } from './shutdown.ts';
import { builtPage, type PageSource } from './static-page.ts';
import { EngineThread } from './thread/engine-thread.ts';
import { randomToken } from './tokens.ts';

listenForSignals();
try {
	await start();
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	await shutDown(error instanceof FlagError ? 2 : 1);
}

async function start(): Promise<void> {
	const options = parseFlags(process.argv.slice(2));
	if (options.help) {
		process.stdout.write(USAGE);
		return shutDown(0);
	}
	const { inNode, seed, verify } = options;
	const profile = options.bare ? 'bare' : 'full';
	const thread = inNode
		? new EngineThread({ settings: { profile, seed, verify, gated: options.auth }, say })
		: undefined;
	// These load while the thread loads the engine.
	const [{ startRelay }, { loadScene, readScene }, { firstStatus, noteEnd, noteWorld }] = await Promise.all([
		import('./server.ts'),
		import('./scene.ts'),
		import('./note-world.ts'),
	]);
	const scene = options.scene === undefined ? undefined : await readScene(options.scene);
	const page = await pageOf(options);

	const inside = !inNode && (options.headless || (options.open && !hasDisplay()));
	const keeperKey = randomToken();
	let kept: OpenWorld | undefined;
	let headless: HeadlessBrowser | undefined;
	/** An engine has the world. */
	let held = false;
	const relay = await startRelay({
		port: options.port,
		data: options.data,
		hosts: options.hosts,
		auth: options.auth,
		paidModels: options.paidModels,
		allowPaid: options.allowPaid,
		fileBytes: options.dataBytes - options.journalBytes,
		async journal() {
			const opened = await opensWorld(options);
			kept = opened;
			if (opened === undefined) return undefined;
			const { journal, notes } = opened;
			return { journal, id: basename(journal.folder), note: (name, tick) => notes.note(name, tick) };
		},
		page,
		// What was acknowledged before would be gone with the scene.
		holds: scene !== undefined,
		pageOptions: { profile, seed, verify },
		keeperKey,
		onTab: (event) => {
			if (event.kind === 'ready') held = true;
			if (event.kind === 'left') held = false;
			if (event.kind === 'ready' && event.keeper) (thread ?? headless)?.holds();
			if (event.kind === 'hung' && event.keeper) {
				thread?.replace();
				headless?.replaceHungPage();
			}
			if (event.kind === 'unreadable') {
				console.error(cannotGoOn(event.why));
				void shutDown(1);
			}
			if (event.kind === 'left' && !inside && !inNode)
				console.error(
					`The tab disconnected. The server keeps its world: open ${pageUrl(relay, options)} to resume it.`,
				);
		},
	});
	onShutdown(() => relay.close());

	relay.keep(inside || inNode);
	if (inside) {
		await removeLeftBrowsers();
		headless = new HeadlessBrowser({
			url: pageUrl(relay, options, keeperKey),
			program: presentBrowser(),
			say,
			here: () => relay.keeperHere(),
			onDead: () => relay.forgetKeeper(),
			onTrouble: (why, next) => relay.setTrouble(why, next),
		});
		onShutdown(() => headless?.stop());
		onShutdown(() => relay.rest());
		await headless.start();
	}
	if (thread !== undefined) {
		onShutdown(() => thread.stop());
		onShutdown(() => relay.rest());
		thread.start(relay);
	}
	let opened = inside || inNode;
	if (!opened && options.open) {
		opened = await openPage(pageUrl(relay, options));
		if (!opened) console.error('The default browser could not be opened.');
	}
	if (!opened) console.log(`Open ${pageUrl(relay, options)} in a browser; the world runs in that tab.`);

	const status = await firstStatus(relay.call);
	const goesOn = kept?.goesOn !== undefined;
	if (goesOn && scene !== undefined)
		console.error(
			'The world is resumed, so --scene is ignored. With --new, the scene is loaded into a new world.',
		);
	const loads = goesOn ? undefined : scene;
	if (loads !== undefined) await loadScene(relay.call, loads);
	relay.letIn();
	const standing = loads === undefined ? status : await firstStatus(relay.call);
	if (kept !== undefined) {
		const { notes } = kept;
		await noteWorld(notes, standing, say);
		onShutdown(async () => {
			await relay.rest();
			if (held) await noteEnd(notes, relay.call, say);
		});
	}
	console.log(
		`Orrery is ready: ${relay.url}/  tick ${standing.tick}, ${inNode ? 'Node' : inside ? 'headless browser' : 'browser tab'}`,
	);
}

/** The built page, or with --dev the page from its sources. Only a clone builds: a package comes built. */
async function pageOf({ dev, inNode }: StartOptions): Promise<PageSource> {
	if (dev) {
		if (!IS_CLONE) throw new FlagError('--dev needs the sources of the page. Run npm run dev in a clone.');
		const { sourcePage } = await import('./source-page.ts');
		return sourcePage();
	}
	if (IS_CLONE) {
		const { ensureBuilt, pageOnDemand } = await import('./build.ts');
		if (inNode) return pageOnDemand();
		await ensureBuilt();
	}
	return builtPage(PAGE);
}

/** The world that is gone on with, or begun: no start that has no port of its own changes which that is. */
async function opensWorld({
	memory,
	data,
	world,
	fresh,
	fsync,
	journalBytes: most,
}: StartOptions): Promise<OpenWorld | undefined> {
	if (memory) return undefined;
	const kept = await openWorld({ data, world, fresh, fsync, most }, say);
	if (kept?.goesOn !== undefined)
		console.error(`Resuming the world ${kept.goesOn}. Use --new to start a new one.`);
	onShutdown(() => kept?.journal.close());
	return kept;
}

function say(sentence: string): void {
	console.error(sentence);
}

/** `keeperKey`: for the page of the relay's own browser. */
function pageUrl(relay: Relay, { bare, seed }: StartOptions, keeperKey?: string): string {
	const query = new URLSearchParams();
	if (bare) query.set('profile', 'bare');
	if (seed !== undefined) query.set('seed', String(seed));
	if (keeperKey !== undefined) query.set('keeper', keeperKey);
	return `${relay.url}/${query.size === 0 ? '' : `?${query}`}`;
}
