/**
 * The flags of `npm start`.
 * Owns: the cases of options.ts.
 */

import { describe, expect, test } from 'vitest';
import { parseFlags } from '../../relay/options.ts';
import { engineFlags, runsInNode } from '../../relay/setup/engine.mjs';

test('without flags, port and folder have their defaults, and a browser opens', () =>
	expect(parseFlags([])).toEqual({
		port: 3917,
		headless: false,
		gpu: false,
		bare: false,
		inNode: false,
		open: true,
		data: './data',
		seed: undefined,
		scene: undefined,
		hosts: [],
		fresh: false,
		world: undefined,
		journalBytes: 1024 * 1024 * 1024,
		dataBytes: 10 * 1024 * 1024 * 1024,
		worlds: 64,
		worldBytes: 256 * 1024 * 1024,
		worldsBytes: 4096 * 1024 * 1024,
		worldJournalBytes: 64 * 1024 * 1024,
		fsync: false,
		cluster: undefined,
		memory: false,
		verify: undefined,
		auth: false,
		paidModels: undefined,
		allowPaid: false,
		dev: false,
		help: false,
	}));

test('a value follows its flag or =, the last one counts, and hosts add up', () => {
	const typed = '--port 4000 --port=4001 --no-open --data=a=b --seed 7 --allow-host x --allow-host=y';
	expect(parseFlags(typed.split(' '))).toMatchObject({
		port: 4001,
		open: false,
		data: 'a=b',
		seed: 7,
		hosts: ['x', 'y'],
	});
	expect(parseFlags(['--verify', '60'])).toMatchObject({ verify: 60 });
});

test.each([
	['--engine node', true],
	['--bare', true],
	['--bare --no-open', true],
	['--engine browser --bare', false],
	['--bare --headless', false],
])('%s: in Node is %s, also for the set-up step', (typed, inNode) => {
	const args = typed.split(' ');
	expect(parseFlags(args).inNode).toBe(inNode);
	expect(runsInNode(engineFlags([...args, '--nonsense', '--port']))).toBe(inNode);
});

describe('unknown flags are refused with a clear error', () => {
	test.each([
		['--prot 1', 'There is no flag --prot. Did you mean --port?'],
		['-x', 'There is no flag -x. --help lists the flags.'],
		['arena', 'There is no flag arena. --help lists the flags.'],
		['--', 'There is no flag --. --help lists the flags.'],
		['--headless=yes', '--headless takes no value.'],
		['--port', '--port needs a value after it.'],
		['--data=', '--data needs a value after it.'],
		['--scene --bare', '--scene needs a value after it.'],
		['--port 65536', '--port takes a whole number from 0 to 65535, not "65536".'],
		['--journal-size 0', '--journal-size takes a whole number from 1 to 1048576, not "0".'],
		[
			'--data-size 1024',
			'The journal may take 1024 MiB (--journal-size), so --data-size must be larger than that.',
		],
		[
			'--worlds-memory 100',
			'A named world may take 256 MiB of memory (--world-memory), so --worlds-memory must be at least that.',
		],
		['--verify 0', '--verify takes a whole number from 1 to 5184000, not "0".'],
		['--engine deno', '--engine takes browser or node, not "deno".'],
		['--cluster', '--cluster needs a value after it.'],
		[
			'--cluster 127.0.0.1:4222',
			'--cluster takes addresses such as nats://127.0.0.1:4222, not "127.0.0.1:4222".',
		],
		['--cluster nats://127.0.0.1:4222 --auth', 'Let a proxy before the servers check callers.'],
		['--engine node --gpu', '--gpu chooses how a headless browser draws, and the world runs in Node.'],
		['--engine node --headless', 'and --engine node runs it without one. Give only one of them.'],
		[
			'--new --world Arena',
			'--new starts a new world and --world resumes a kept one. Give only one of them.',
		],
		['--seed -1', '--seed takes a whole number from 0 to 9007199254740991, not "-1".'],
	])('%s', (typed, text) => expect(() => parseFlags(typed.split(' '))).toThrow(text));
});
