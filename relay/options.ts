/**
 * The flags of `npm start`.
 * Owns: their names, meanings and errors. Never: acts on one.
 */

import { nearest } from '../shared/contract/nearest.ts';

export interface StartOptions {
	readonly port: number;
	readonly headless: boolean;
	readonly bare: boolean;
	/** Open the page in the default browser. */
	readonly open: boolean;
	readonly data: string;
	readonly seed: number | undefined;
	/** A scene or level file to load once the world answers. */
	readonly scene: string | undefined;
	readonly hosts: readonly string[];
	readonly help: boolean;
}

export const USAGE = `npm start -- [flags]

  --port N           Port on this machine; 3917 unless given
  --headless         Run the world in a headless browser
  --bare             The bare host: the game's logic only, no picture, no registries
  --no-open          Start no browser; a tab comes by itself (with --headless: only that one)
  --data DIR         Folder for files that are saved and loaded; ./data unless given
  --seed N           Seed of the world's chance, a whole number from 0
  --scene FILE       Load this scene or level: a file's path, or a name in public/scenes
  --allow-host NAME  Also answer under this host name; may be given several times
  --help             Show this
`;

const SWITCHES = ['--headless', '--bare', '--no-open', '--help'];
const VALUED = ['--port', '--data', '--seed', '--scene', '--allow-host'];

/** A flag that cannot be understood, in plain words. */
export class FlagError extends Error {}

/** Reads the flags; `--name value` and `--name=value` both do. Throws `FlagError`. */
export function parseFlags(args: readonly string[]): StartOptions {
	const switches = new Set<string>();
	const values = new Map<string, string[]>();
	for (let i = 0; i < args.length; i++) {
		const arg = args[i]!;
		const at = arg.indexOf('=');
		const name = at < 0 ? arg : arg.slice(0, at);
		if (SWITCHES.includes(name)) {
			if (at >= 0) throw new FlagError(`${name} takes no value.`);
			switches.add(name);
		} else if (VALUED.includes(name)) {
			const value = at < 0 ? args[++i] : arg.slice(at + 1);
			if (value === undefined || value === '' || value.startsWith('--')) {
				throw new FlagError(`${name} needs a value after it.`);
			}
			values.set(name, [...(values.get(name) ?? []), value]);
		} else throw unknownFlag(name);
	}
	const last = (name: string): string | undefined => values.get(name)?.at(-1);
	const seed = last('--seed');
	return {
		port: wholeNumber('--port', last('--port') ?? '3917', 1, 65535),
		headless: switches.has('--headless'),
		bare: switches.has('--bare'),
		open: !switches.has('--no-open'),
		data: last('--data') ?? './data',
		seed: seed === undefined ? undefined : wholeNumber('--seed', seed, 0, Number.MAX_SAFE_INTEGER),
		scene: last('--scene'),
		hosts: values.get('--allow-host') ?? [],
		help: switches.has('--help'),
	};
}

function unknownFlag(name: string): FlagError {
	const near = nearest(name, [...SWITCHES, ...VALUED]);
	const hint = near === undefined ? 'See --help for those there are.' : `Did you mean ${near}?`;
	return new FlagError(`There is no flag ${name}. ${hint}`);
}

function wholeNumber(name: string, text: string, least: number, most: number): number {
	const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
	if (value >= least && value <= most) return value;
	throw new FlagError(`${name} takes a whole number from ${least} to ${most}, not "${text}".`);
}
