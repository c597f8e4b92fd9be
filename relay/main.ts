/**
 * Program of `npm start`, `npm run dev` and `npx orrery start`. It builds the page, starts the relay and the engine,
 * and prints a line when the world answers.
 * Owns: the order of the start. Everything that it starts ends with it.
 */

import { basename } from 'node:path';
import { HeadlessBrowser } from './browser.ts';
import { removeStaleProfiles } from './browser-process.ts';
import { UsageError } from './cli/terminal.ts';
import { Faults } from './faults.ts';
import { IS_CLONE, PAGE } from './folders.ts';
import type { JournalPortOptions } from './journal/journal-port.ts';
import { cannotResumeText, openWorld } from './journal/open-world.ts';
import { hasDisplay, openPage } from './open-page.ts';
import { parseFlags, type StartOptions, USAGE } from './options.ts';
import type { TabEvent } from './ownership.ts';
import type { Relay } from './server.ts';
import { presentBrowser } from './setup/browser.mjs';
import { listenForSignals, onShutdown, shutDown } from './shutdown.ts';
import { builtPage, type PageSource } from './static-page.ts';
import { EngineThread } from './thread/engine-thread.ts';
import { randomToken } from './tokens.ts';

async function start(): Promise<void> {
	const options = parseFlags(process.argv.slice(2));
	if (options.help) {
		process.stdout.write(USAGE);
		return shutDown(0);
	}
	await new StartedServer(options).start();
}

/** One run of the server, with its relay and its engine. */
class StartedServer {
	readonly #options: StartOptions;
	/** True if the engine runs in a headless browser. */
	readonly #isHeadless: boolean;
	readonly #thread: EngineThread | undefined;
	#headless: HeadlessBrowser | undefined;
	/** Name of the world that is resumed; undefined for a new world. */
	#resumedWorld: string | undefined;

	constructor(options: StartOptions) {
		const { inNode, bare, seed, verify, auth, headless, open, cluster } = options;
		this.#options = options;
		this.#isHeadless = !inNode && (headless || (open && !hasDisplay()));
		const settings = {
			profile: bare ? 'bare' : 'full',
			seed,
			verify,
			gated: auth,
			hasPool: true,
			cluster,
		} as const;
		this.#thread = inNode ? new EngineThread({ settings, say }) : undefined;
	}

	async start(): Promise<void> {
		// These load while the thread loads the engine.
		const [{ startRelay }, { FolderStore }, { MemoryStore }, { loadScene, readScene }, { waitForStatus }] =
			await Promise.all([
				import('./server.ts'),
				import('./worlds/folder-store.ts'),
				import('./worlds/memory-store.ts'),
				import('./start-scenario.ts'),
				import('./first-status.ts'),
			]);
		const { scene: name, port, data, hosts, auth, bare, seed, verify } = this.#options;
		const { paidModels, allowPaid, dataBytes, journalBytes } = this.#options;
		const { memory, fsync, worlds, worldBytes, worldsBytes, worldJournalBytes: maxBytes } = this.#options;
		const scene = name === undefined ? undefined : await readScene(name);
		const keeperKey = randomToken();
		const cluster = await this.#joinCluster();
		const relay: Relay = await startRelay({
			port,
			data,
			hosts,
			auth,
			paidModels,
			allowPaid,
			fileBytes: dataBytes - journalBytes,
			journalBytes,
			journal: () => this.#openWorld(),
			page: await pageOf(this.#options),
			// The scene replaces the world, so no write may be acknowledged before it is loaded.
			holdsCalls: scene !== undefined,
			pageOptions: { profile: bare ? 'bare' : 'full', seed, verify },
			keeperKey,
			onTab: (event) => this.#onTab(event, relay),
			worlds:
				cluster?.store ?? (memory ? new MemoryStore(maxBytes) : new FolderStore(data, { maxBytes, fsync })),
			...(cluster === undefined ? {} : { directory: (local) => cluster.join(local) }),
			worldLimits: { worlds, worldBytes, worldsBytes },
			say,
		});
		onShutdown(() => relay.close());
		await this.#startEngine(relay, keeperKey);
		await waitForStatus(relay.call);
		if (scene !== undefined && this.#resumedWorld === undefined) await loadScene(relay.call, scene);
		else if (scene !== undefined)
			say('The world is resumed, so --scene is ignored. With --new, the scene is loaded into a new world.');
		relay.releaseCalls();
		const { tick } = await waitForStatus(relay.call);
		if (this.#options.gpu) {
			const { gpuReport } = await import('./gpu-report.ts');
			say(
				this.#isHeadless
					? await gpuReport(relay.call)
					: '--gpu has no effect without --headless: your browser draws.',
			);
		}
		const location =
			this.#thread !== undefined ? 'Node' : this.#isHeadless ? 'headless browser' : 'browser tab';
		console.log(`Orrery is ready: ${relay.url}/  tick ${tick}, ${location}`);
	}

	/** Joins the cluster of `--cluster`; undefined without that flag. The client of NATS is loaded only then. */
	async #joinCluster() {
		const { cluster: urls, worldJournalBytes: maxBytes, data } = this.#options;
		if (urls === undefined) return undefined;
		const { Cluster } = await import('./cluster/cluster.ts');
		const faults = new Faults(data);
		const cluster = await Cluster.connect({ urls, maxBytes, report: (error) => faults.report(error) });
		onShutdown(() => cluster.close());
		say(`This is server ${cluster.id} of a cluster with ${cluster.replicas} replicas.`);
		return cluster;
	}

	/**
	 * Opens the journal of the world to resume, or of a new one; undefined with `--memory`. It runs after the port is
	 * open, so that a second start on the same port changes nothing in the data folder.
	 */
	async #openWorld(): Promise<JournalPortOptions | undefined> {
		const { memory, data, world, fresh, fsync, journalBytes: maxBytes } = this.#options;
		const openedWorld = memory ? undefined : await openWorld({ data, world, fresh, fsync, maxBytes }, say);
		if (openedWorld === undefined) return undefined;
		const { journal, resumedName } = openedWorld;
		this.#resumedWorld = resumedName;
		if (resumedName !== undefined) say(`Resuming the world ${resumedName}. Use --new to start a new one.`);
		onShutdown(() => journal.close());
		return { journal, id: basename(journal.folder) };
	}

	/** Starts the engine, or asks the user to open the page that runs it. */
	async #startEngine(relay: Relay, keeperKey: string): Promise<void> {
		const options = this.#options;
		relay.setHasOwnEngine(this.#isHeadless || options.inNode);
		if (this.#isHeadless) {
			await removeStaleProfiles();
			const headless = new HeadlessBrowser({
				url: pageUrl(relay, options, keeperKey),
				program: presentBrowser(),
				gpu: options.gpu,
				say,
				isConnected: () => relay.isKeeperConnected(),
				onDead: () => relay.forgetKeeper(),
				onTrouble: (why, next) => relay.setTrouble(why, next),
			});
			this.#headless = headless;
			onShutdown(() => headless.stop());
			onShutdown(() => relay.finishCalls());
			return headless.start();
		}
		const thread = this.#thread;
		if (thread !== undefined) {
			onShutdown(() => thread.stop());
			onShutdown(() => relay.finishCalls());
			return thread.start(relay);
		}
		onShutdown(() => relay.finishCalls());
		const url = pageUrl(relay, options);
		if (options.open && (await openPage(url))) return;
		if (options.open) say('The default browser could not be opened.');
		console.log(`Open ${url} in a browser; the world runs in that tab.`);
	}

	#onTab(event: TabEvent, relay: Relay): void {
		if (event.kind === 'unreadable') {
			say(cannotResumeText(event.why));
			void shutDown(1);
			return;
		}
		if (event.keeper && event.kind === 'ready') (this.#thread ?? this.#headless)?.noteReady();
		if (event.keeper && event.kind === 'hung') {
			this.#thread?.replace();
			this.#headless?.replaceHungPage();
		}
		if (event.kind === 'left' && !this.#isHeadless && this.#thread === undefined)
			say(
				`The tab disconnected. The server keeps its world: open ${pageUrl(relay, this.#options)} to resume it.`,
			);
	}
}

/** Returns the built page, or the page from its sources with --dev. A clone builds it first. A package has it built. */
async function pageOf({ dev, inNode }: StartOptions): Promise<PageSource> {
	if (dev) {
		if (!IS_CLONE) throw new UsageError('--dev needs the sources of the page. Run npm run dev in a clone.');
		const { sourcePage } = await import('./source-page.ts');
		const { withPythonPackage } = await import('./python/python-page.ts');
		return withPythonPackage(await sourcePage());
	}
	if (IS_CLONE) {
		const { ensureBuilt, pageOnDemand } = await import('./build.ts');
		const { withPythonPackage } = await import('./python/python-page.ts');
		if (inNode) return withPythonPackage(await pageOnDemand());
		await ensureBuilt();
		return withPythonPackage(await builtPage(PAGE));
	}
	return builtPage(PAGE);
}

function say(sentence: string): void {
	console.error(sentence);
}

/** Returns the address of the page. `keeperKey`: for the page of the relay's own browser. */
function pageUrl(relay: Relay, { bare, seed }: StartOptions, keeperKey?: string): string {
	const query = new URLSearchParams();
	if (bare) query.set('profile', 'bare');
	if (seed !== undefined) query.set('seed', String(seed));
	if (keeperKey !== undefined) query.set('keeper', keeperKey);
	return `${relay.url}/${query.size === 0 ? '' : `?${query}`}`;
}

listenForSignals();
try {
	await start();
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	await shutDown(error instanceof UsageError ? 2 : 1);
}
