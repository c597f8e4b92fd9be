/**
 * Flags of `npm start` and `npx orrery start`.
 * Owns: their names, meanings and errors. Never: acts on a flag.
 */

import { parseArgs } from 'node:util';
import { nearest } from '../shared/contract/nearest.ts';
import { UsageError } from './cli/terminal.ts';
import { ENGINES, runsInNode } from './setup/engine.mjs';

export interface StartOptions {
	readonly port: number;
	readonly headless: boolean;
	/** True to draw with the graphics card in the headless browser. */
	readonly gpu: boolean;
	/** True for the bare host. */
	readonly bare: boolean;
	/** True to run the engine in a thread of the server, without a browser. */
	readonly inNode: boolean;
	/** True to open the page in the default browser. */
	readonly open: boolean;
	/** The data folder. */
	readonly data: string;
	readonly seed: number | undefined;
	/** A scene or level file to load once the world answers. */
	readonly scene: string | undefined;
	/** Further names that the Host header may have. */
	readonly hosts: readonly string[];
	/** True to start a new world, and keep the current one. */
	readonly fresh: boolean;
	/** Name or id of a kept world to resume. */
	readonly world: string | undefined;
	/** Maximum bytes of the world's journal. */
	readonly journalBytes: number;
	/** Maximum bytes of the data folder, with the journal of the world. */
	readonly dataBytes: number;
	/** Maximum number of named worlds beside main. */
	readonly worlds: number;
	/** Maximum bytes of memory of a named world with its forks. */
	readonly worldBytes: number;
	/** Maximum bytes of memory of all named worlds that have an engine. */
	readonly worldsBytes: number;
	/** Maximum bytes of the journal of a named world. */
	readonly worldJournalBytes: number;
	/** Addresses of NATS, if this server is one of a cluster. */
	readonly cluster: string | undefined;
	/** True if acknowledged writes must survive a power loss. */
	readonly fsync: boolean;
	/** True for a journal in memory, which ends with the server. */
	readonly memory: boolean;
	/** Heavy mode: each Nth tick is re-run, on a fork and on the saved and loaded world. Undefined for none. */
	readonly verify: number | undefined;
	/** True if calls that change something need a session. */
	readonly auth: boolean;
	/** Maximum models per day from providers that cost money; undefined for no budget. */
	readonly paidModels: number | undefined;
	/** True if any caller may order paid models, without a budget and without sign-in. */
	readonly allowPaid: boolean;
	/** True to serve the page from its sources, and to reload it after changes. */
	readonly dev: boolean;
	readonly help: boolean;
}

export const USAGE = `npx orrery start [flags]; in a clone also: npm start -- [flags]

  --port N           Port on this machine (default 3917; 0 takes a free one)
  --headless         Run the world in a headless browser
  --gpu              With --headless: draw with the graphics card of this machine. Without it, the
                     processor draws, with the same pixels on every machine
  --engine WHERE     "node" runs the world in the server, without a browser and without pictures;
                     "browser" runs it in a tab or, with --headless, in a headless browser (default)
  --bare             Use the bare host: only the game's logic, no picture, no registries. It runs in
                     Node unless --headless or --engine asks for a browser
  --no-open          Do not open the default browser
  --no-install       Install and download nothing: no packages, Node or browser. ORRERY_OFFLINE=1
                     forbids it too
  --data DIR         Folder for files, sign-in lists and kept worlds (default ./data)
  --seed N           Seed of the world's random numbers, a whole number of at least 0
  --scene FILE       Load this scene or level: the path of a file, or a name in public/scenes
  --new              Start a new world; the current one is kept ("orrery worlds" lists them)
  --world NAME       Resume this kept world, by its name or id
  --journal-size N   Largest size of the world's journal in MiB (default 1024)
  --data-size N      Largest size of the data folder in MiB, journal included (default 10240). Worlds
                     that --new has put aside and named worlds come on top
  --worlds N         Largest number of named worlds beside main (default 64)
  --world-memory N   Largest memory of a named world with its forks, in MiB (default 256)
  --worlds-memory N  Largest memory of all named worlds that have an engine, in MiB (default 4096)
  --world-journal-size N
                     Largest size of the journal of a named world in MiB (default 64)
  --cluster URLS     Share the named worlds with other servers over NATS JetStream: nats://HOST:PORT,...
  --fsync            Acknowledged writes also survive a power loss; calls are slower
  --memory           Keep the world in memory only: it ends with the server
  --auth             Require sign-in for every change; "orrery auth keygen" creates a key
  --paid-models N    Models a day that callers may order from providers that cost money. Without it,
                     only operators may with --auth
  --allow-paid       Without --auth and --paid-models: order such models for any caller, without limit
  --verify N         Run each Nth tick again, on a fork and on the saved and loaded world, and stop
                     the world if the results differ (slow)
  --allow-host NAME  Also answer under this host name; may be given several times
  --dev              Serve the page from its sources, and reload it as they change (clone only)
  --help             Show this help
`;

const FLAGS = {
	headless: { type: 'boolean' },
	gpu: { type: 'boolean' },
	bare: { type: 'boolean' },
	'no-open': { type: 'boolean' },
	// The set-up step acts on it, before this server starts.
	'no-install': { type: 'boolean' },
	help: { type: 'boolean' },
	dev: { type: 'boolean' },
	auth: { type: 'boolean' },
	'allow-paid': { type: 'boolean' },
	new: { type: 'boolean' },
	fsync: { type: 'boolean' },
	memory: { type: 'boolean' },
	port: { type: 'string' },
	data: { type: 'string' },
	engine: { type: 'string' },
	seed: { type: 'string' },
	scene: { type: 'string' },
	world: { type: 'string' },
	'journal-size': { type: 'string' },
	worlds: { type: 'string' },
	cluster: { type: 'string' },
	'world-memory': { type: 'string' },
	'worlds-memory': { type: 'string' },
	'world-journal-size': { type: 'string' },
	'data-size': { type: 'string' },
	'paid-models': { type: 'string' },
	verify: { type: 'string' },
	'allow-host': { type: 'string', multiple: true },
} as const;

const MIB = 1024 * 1024;
const MAX_MIB = 1024 * 1024;
const MAX_WORLDS = 10_000;
const MAX_PAID = 1_000_000;
/** Ticks of a day of play. */
const MAX_TICKS = 60 * 60 * 60 * 24;

/** Reads the flags in the forms `--name value` and `--name=value`. Throws `UsageError`. */
export function parseFlags(args: readonly string[]): StartOptions {
	const { values, tokens } = parseArgs({
		args: [...args],
		options: FLAGS,
		strict: false,
		allowPositionals: true,
		tokens: true,
	});
	for (const token of tokens) {
		if (token.kind !== 'option' || !Object.hasOwn(FLAGS, token.name))
			throw unknownFlagError(args[token.index]!.split('=')[0]!);
		const { name, rawName, value } = token;
		if (FLAGS[name as keyof typeof FLAGS].type === 'boolean') {
			if (value !== undefined) throw new UsageError(`${rawName} takes no value.`);
		} else if (value === undefined || value === '' || value.startsWith('--'))
			throw new UsageError(`${rawName} needs a value after it.`);
	}
	// The loop above has checked that every flag that takes a value has one.
	const text = (name: keyof typeof FLAGS) => values[name] as string | undefined;
	const [seed, verify, paidModels] = [text('seed'), text('verify'), text('paid-models')];
	if (values.new === true && text('world') !== undefined)
		throw new UsageError('--new starts a new world and --world resumes a kept one. Give only one of them.');
	const engine = text('engine');
	if (engine !== undefined && !(ENGINES as readonly string[]).includes(engine))
		throw new UsageError(`--engine takes ${ENGINES.join(' or ')}, not "${engine}".`);
	if (engine === 'node' && values.headless === true)
		throw new UsageError(
			'--headless runs the world in a headless browser and --engine node runs it without one. Give only one of them.',
		);
	if (values.gpu === true && runsInNode(values))
		throw new UsageError(
			'--gpu chooses how a headless browser draws, and the world runs in Node. Give only one of them.',
		);
	const journalBytes = wholeNumber('--journal-size', text('journal-size') ?? '1024', 1, MAX_MIB) * MIB;
	const dataBytes = wholeNumber('--data-size', text('data-size') ?? '10240', 1, MAX_MIB) * MIB;
	if (dataBytes <= journalBytes)
		throw new UsageError(
			`The journal may take ${journalBytes / MIB} MiB (--journal-size), so --data-size must be larger than that.`,
		);
	const readMebibytes = (name: keyof typeof FLAGS, defaultMiB: number) =>
		wholeNumber(`--${name}`, text(name) ?? String(defaultMiB), 1, MAX_MIB) * MIB;
	const [worldBytes, worldsBytes] = [
		readMebibytes('world-memory', 256),
		readMebibytes('worlds-memory', 4096),
	];
	if (worldsBytes < worldBytes)
		throw new UsageError(
			`A named world may take ${worldBytes / MIB} MiB of memory (--world-memory), so --worlds-memory must be at least that.`,
		);
	return {
		port: wholeNumber('--port', text('port') ?? '3917', 0, 65535),
		headless: values.headless === true,
		gpu: values.gpu === true,
		bare: values.bare === true,
		inNode: runsInNode(values),
		open: values['no-open'] !== true,
		data: text('data') ?? './data',
		seed: seed === undefined ? undefined : wholeNumber('--seed', seed, 0, Number.MAX_SAFE_INTEGER),
		scene: text('scene'),
		hosts: (values['allow-host'] ?? []) as string[],
		fresh: values.new === true,
		world: text('world'),
		journalBytes,
		dataBytes,
		cluster: clusterOf(text('cluster'), values.auth === true),
		worlds: wholeNumber('--worlds', text('worlds') ?? '64', 0, MAX_WORLDS),
		worldBytes,
		worldsBytes,
		worldJournalBytes: readMebibytes('world-journal-size', 64),
		fsync: values.fsync === true,
		memory: values.memory === true,
		verify: verify === undefined ? undefined : wholeNumber('--verify', verify, 1, MAX_TICKS),
		auth: values.auth === true,
		paidModels: paidModels === undefined ? undefined : wholeNumber('--paid-models', paidModels, 0, MAX_PAID),
		allowPaid: values['allow-paid'] === true,
		dev: values.dev === true,
		help: values.help === true,
	};
}

/** Returns the addresses of `--cluster`. Throws `UsageError` if one is not an address of NATS, or with `--auth`. */
function clusterOf(urls: string | undefined, auth: boolean): string | undefined {
	if (urls === undefined) return undefined;
	if (auth)
		throw new UsageError(
			'--auth keeps its sessions on one server, so it does not go with --cluster. Let a proxy before the servers check callers.',
		);
	for (const url of urls.split(','))
		if (!/^(nats|tls):\/\/[^\s,]+$/.test(url.trim()))
			throw new UsageError(`--cluster takes addresses such as nats://127.0.0.1:4222, not "${url}".`);
	return urls;
}

function unknownFlagError(name: string): UsageError {
	const suggestedName = nearest(
		name,
		Object.keys(FLAGS).map((flag) => `--${flag}`),
	);
	const hint = suggestedName === undefined ? '--help lists the flags.' : `Did you mean ${suggestedName}?`;
	return new UsageError(`There is no flag ${name}. ${hint}`);
}

function wholeNumber(name: string, text: string, min: number, max: number): number {
	const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
	if (value >= min && value <= max) return value;
	throw new UsageError(`${name} takes a whole number from ${min} to ${max}, not "${text}".`);
}
