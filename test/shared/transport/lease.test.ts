/** The lease of a world: its transitions as a table, and a model of engines that come, die, stall and write at any moment. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
	initialLease,
	type Lease,
	type LeaseEffect,
	type LeaseEvent,
	type LeaseOwner,
	transition,
} from '../../../shared/transport/lease.ts';
import { check, SEED } from '../../support/property.ts';

const A = { id: 'a', keeper: false, holds: false };
const B = { id: 'b', keeper: false, holds: false };
const KEEPER = { id: 'k', keeper: true, holds: false };

const lease = (owner: LeaseOwner, changes: Partial<Lease> = {}): Lease => ({
	owner,
	pages: [A, B],
	headless: false,
	gated: false,
	...changes,
});
const vacant: LeaseOwner = { state: 'vacant' };
const granted = (page: string): LeaseOwner => ({ state: 'granted', page });
const loading = (engine = 1, page: string | null = 'a'): LeaseOwner => ({ state: 'loading', engine, page });
const holding = (claim: string | null = null, engine = 1, page: string | null = 'a'): LeaseOwner => ({
	state: 'holding',
	engine,
	page,
	claim,
});
const detached = (engine = 1, page: string | null = 'a'): LeaseOwner => ({ state: 'detached', engine, page });
const refused: LeaseOwner = { state: 'refused', why: 'It is damaged.' };
const engineCame = (
	engineLease: 'none' | 'current' | 'old',
	engine = 2,
	page: string | null = 'a',
	keeper = false,
) => ({ event: 'engine-came', engine, page, keeper, lease: engineLease }) as const;

const rows: readonly (readonly [
	name: string,
	before: Lease,
	event: LeaseEvent,
	owner: LeaseOwner,
	effects: readonly string[],
])[] = [
	[
		'the first page may start an engine',
		lease(vacant, { pages: [] }),
		{ event: 'page-came', page: A },
		granted('a'),
		[],
	],
	[
		'a page waits while the server starts its own browser',
		lease(vacant, { pages: [], headless: true }),
		{ event: 'page-came', page: A },
		vacant,
		[],
	],
	[
		"the server's own page is granted",
		lease(vacant, { pages: [], headless: true }),
		{ event: 'page-came', page: KEEPER },
		granted('k'),
		[],
	],
	['an engine of the granted page loads', lease(granted('a')), engineCame('none'), loading(2), ['admit 2']],
	[
		'an engine of another page is dismissed',
		lease(granted('a')),
		engineCame('none', 2, 'b'),
		granted('a'),
		['dismiss 2'],
	],
	[
		'a loaded engine holds the world',
		lease(loading()),
		{ event: 'loaded', engine: 1 },
		holding(),
		['serve 1'],
	],
	[
		'an engine without a lease pushes no other out',
		lease(holding()),
		engineCame('none'),
		holding(),
		['dismiss 2'],
	],
	[
		'an engine with an old lease is dismissed',
		lease(granted('a')),
		engineCame('old'),
		granted('a'),
		['dismiss 2'],
	],
	[
		'a lost owner may come back',
		lease(holding()),
		{ event: 'engine-lost', engine: 1, orderly: false },
		detached(),
		['suspend 1'],
	],
	[
		'a lost owner comes back over another connection',
		lease(detached()),
		engineCame('current'),
		loading(2),
		['drop 1', 'admit 2'],
	],
	[
		'an owner comes back before its loss is noticed',
		lease(holding()),
		engineCame('current'),
		loading(2),
		['drop 1', 'admit 2'],
	],
	[
		'an owner comes back to a restarted server',
		lease(granted('b')),
		engineCame('current', 2, null),
		loading(2, null),
		['admit 2'],
	],
	[
		'a page follows an owner that is given up',
		lease(detached(1, null)),
		{ event: 'given-up' },
		granted('a'),
		['vacate 1'],
	],
	[
		'another page follows when the page of the owner is closed',
		lease(holding()),
		{ event: 'page-left', page: 'a', orderly: true },
		granted('b'),
		['vacate 1'],
	],
	[
		'an owner goes on when its page loses its connection',
		lease(holding()),
		{ event: 'page-left', page: 'a', orderly: false },
		holding(null, 1, null),
		[],
	],
	[
		'a claim makes the owner release',
		lease(holding()),
		{ event: 'claimed', page: 'b' },
		holding('b'),
		['suspend 1', 'release 1'],
	],
	[
		'a second claim is declined',
		lease(holding('b')),
		{ event: 'claimed', page: 'a' },
		holding('b'),
		['decline a'],
	],
	[
		'a claim on a world that is loading is declined',
		lease(loading()),
		{ event: 'claimed', page: 'b' },
		loading(),
		['decline b'],
	],
	[
		'a claim where callers sign in is declined',
		lease(holding(), { gated: true }),
		{ event: 'claimed', page: 'b' },
		holding(),
		['decline b'],
	],
	[
		'a claim does not wait for an owner that is away',
		lease(detached()),
		{ event: 'claimed', page: 'b' },
		granted('b'),
		['vacate 1', 'dismiss 1'],
	],
	[
		'a release grants the claimant',
		lease(holding('b')),
		{ event: 'released', engine: 1 },
		granted('b'),
		['vacate 1', 'dismiss 1'],
	],
	[
		'a crash of the owner grants the claimant',
		lease(holding('b')),
		{ event: 'engine-lost', engine: 1, orderly: false },
		granted('b'),
		['vacate 1'],
	],
	[
		'a claimant that went away is passed over',
		lease(holding('b'), { pages: [A] }),
		{ event: 'released', engine: 1 },
		granted('a'),
		['vacate 1', 'dismiss 1'],
	],
	[
		'an owner that cannot release goes on',
		lease(holding('b')),
		{ event: 'kept', engine: 1, why: 'The disk is full.' },
		holding(),
		['decline b', 'serve 1'],
	],
	['an ended page is no candidate', lease(holding()), { event: 'ended' }, granted('b'), ['vacate 1']],
	[
		'a journal that cannot be read refuses calls',
		lease(loading()),
		{ event: 'unreadable', engine: 1, why: 'It is damaged.' },
		refused,
		['refuse'],
	],
	['after a refusal, another engine may load', lease(refused), engineCame('none'), loading(2), ['admit 2']],
	[
		'a message of another engine changes nothing',
		lease(loading()),
		{ event: 'loaded', engine: 2 },
		loading(),
		[],
	],
];

const effectText = (effect: LeaseEffect): string =>
	'engine' in effect
		? `${effect.effect} ${effect.engine}`
		: 'page' in effect
			? `${effect.effect} ${effect.page}`
			: effect.effect;

describe('a transition', () => {
	test.each(rows)('%s', (_, before, event, owner, effects) => {
		const [next, run] = transition(before, event);
		expect(next.owner).toEqual(owner);
		expect(run.map(effectText)).toEqual(effects);
	});
});

/** An engine in the model, with its possibly outdated knowledge. */
interface ModelEngine {
	readonly page: string;
	id: number;
	epoch: number;
	alive: boolean;
	connected: boolean;
	/** The relay allowed it to acquire the lease and to load. */
	admitted: boolean;
	/** The relay told it to end, which it does in `hear`. */
	dismissed: boolean;
	/** Journal entries that it has read or appended. */
	entries: string[];
}

/** A relay's shell, a journal and engines, with messages that are delivered late or never. */
class Model {
	lease = initialLease(false, false);
	epoch = 0;
	readonly log: string[] = [];
	readonly acknowledged: string[] = [];
	readonly engines: ModelEngine[] = [];
	pages: string[] = [];
	#ids = 0;
	#writes = 0;

	/** Applies an event to the lease, and delivers the effects to the engines. */
	tell(event: LeaseEvent): void {
		const [next, effects] = transition(this.lease, event);
		this.lease = next;
		for (const effect of effects) if ('engine' in effect) this.#run(effect.effect, effect.engine);
	}

	#run(effect: string, id: number): void {
		const engine = this.engines.find((engine) => engine.id === id);
		if (engine === undefined) return;
		if (effect === 'admit') engine.admitted = true;
		if (effect === 'dismiss') engine.dismissed = true;
		// A stalled engine hears nothing; it finds out at its next append.
	}

	openPage(): void {
		const id = `page ${++this.#ids}`;
		this.pages.push(id);
		this.tell({ event: 'page-came', page: { id, keeper: false, holds: false } });
	}

	closePage(pick: number, orderly: boolean): void {
		const [page] = this.pages.splice(pick % Math.max(1, this.pages.length), 1);
		if (page === undefined) return;
		for (const engine of this.engines) if (engine.page === page && orderly) engine.alive = false;
		this.tell({ event: 'page-left', page, orderly });
	}

	/** The granted page starts an engine. */
	start(): void {
		const { owner } = this.lease;
		if (owner.state !== 'granted') return;
		const engine: ModelEngine = {
			page: owner.page,
			id: ++this.#ids,
			epoch: 0,
			alive: true,
			connected: true,
			admitted: false,
			dismissed: false,
			entries: [],
		};
		this.engines.push(engine);
		const { id, page } = engine;
		this.tell({ event: 'engine-came', engine: id, page, keeper: false, lease: 'none' });
	}

	/** An admitted engine acquires and reads. */
	load(pick: number): void {
		const engine = this.#living(pick);
		if (engine?.admitted !== true || !engine.connected) return;
		if (engine.epoch === 0) {
			// The relay lets the engine acquire that it admitted.
			const { owner } = this.lease;
			if (owner.state !== 'loading' || owner.engine !== engine.id) return;
			engine.epoch = ++this.epoch;
			engine.entries = [...this.log];
		}
		this.tell({ event: 'loaded', engine: engine.id });
	}

	/** An engine appends an entry, or ends because it is no longer the owner. */
	write(pick: number): void {
		const engine = this.#living(pick);
		if (engine === undefined || engine.epoch === 0 || !engine.connected) return;
		if (engine.epoch !== this.epoch) {
			engine.alive = false;
			return;
		}
		const entry = `${engine.id}:${++this.#writes}`;
		expect(this.log).toEqual(engine.entries);
		this.log.push(entry);
		engine.entries.push(entry);
		this.acknowledged.push(entry);
	}

	cut(pick: number): void {
		const engine = this.#living(pick);
		if (engine === undefined || !engine.connected) return;
		engine.connected = false;
		this.tell({ event: 'engine-lost', engine: engine.id, orderly: false });
	}

	comeBack(pick: number): void {
		const engine = this.#living(pick);
		if (engine === undefined || engine.connected || engine.epoch === 0) return;
		engine.connected = true;
		engine.id = ++this.#ids;
		const { id } = engine;
		const engineLease = engine.epoch === this.epoch ? 'current' : 'old';
		this.tell({ event: 'engine-came', engine: id, page: null, keeper: false, lease: engineLease });
	}

	/** The relay takes an engine for hung that only stalls, and continues later. */
	stall(pick: number): void {
		const engine = this.#living(pick);
		const { owner } = this.lease;
		if (engine === undefined || !('engine' in owner) || owner.engine !== engine.id) return;
		this.tell({ event: 'engine-lost', engine: engine.id, orderly: false });
		this.giveUp();
	}

	/** Every dismissed engine hears it and ends. */
	hear(): void {
		for (const engine of this.engines) if (engine.dismissed) engine.alive = false;
	}

	kill(pick: number): void {
		const engine = this.#living(pick);
		if (engine === undefined) return;
		engine.alive = false;
		if (engine.connected) this.tell({ event: 'engine-lost', engine: engine.id, orderly: false });
	}

	claim(pick: number): void {
		const page = this.pages[pick % Math.max(1, this.pages.length)];
		if (page !== undefined) this.tell({ event: 'claimed', page });
	}

	/** An owner that was asked to release does so, or says that it cannot. */
	release(keeps: boolean): void {
		const { owner } = this.lease;
		if (owner.state !== 'holding' || owner.claim === null) return;
		const { engine } = owner;
		this.tell(keeps ? { event: 'kept', engine, why: 'It is full.' } : { event: 'released', engine });
	}

	giveUp(): void {
		if (this.lease.owner.state === 'detached') this.tell({ event: 'given-up' });
	}

	restartRelay(): void {
		this.lease = initialLease(this.epoch > 0, false);
		for (const engine of this.engines) engine.connected = false;
		for (const id of this.pages) this.tell({ event: 'page-came', page: { id, keeper: false, holds: false } });
	}

	get owners(): readonly ModelEngine[] {
		return this.engines.filter(({ epoch }) => epoch !== 0 && epoch === this.epoch);
	}

	#living(pick: number): ModelEngine | undefined {
		const living = this.engines.filter(({ alive }) => alive);
		return living[pick % Math.max(1, living.length)];
	}
}

type Step = (model: Model) => void;

const steps: fc.Arbitrary<Step> = fc.nat(20).chain((pick) =>
	fc.constantFrom<Step>(
		(model) => model.openPage(),
		(model) => model.closePage(pick, pick % 2 === 0),
		(model) => model.start(),
		(model) => model.start(),
		(model) => model.load(pick),
		(model) => model.load(pick),
		(model) => model.write(pick),
		(model) => model.write(pick),
		(model) => model.cut(pick),
		(model) => model.comeBack(pick),
		(model) => model.kill(pick),
		(model) => model.stall(pick),
		(model) => model.hear(),
		(model) => model.claim(pick),
		(model) => model.release(pick % 3 === 0),
		(model) => model.giveUp(),
		(model) => model.restartRelay(),
	),
);

describe(`engines that start, stall and die in any order (seed ${SEED})`, () => {
	test('at most one is the owner, acknowledged writes survive, and after any loss there is an owner again', () =>
		check(600, [fc.array(steps, { maxLength: 80, size: 'max' })], (all) => {
			const model = new Model();
			for (const step of all) {
				step(model);
				expect(model.owners.length).toBeLessThanOrEqual(1);
				expect(model.log).toEqual(model.acknowledged);
			}
			// Whatever happened before: all engines end, and a new page opens.
			for (const engine of model.engines) if (engine.alive) model.kill(model.engines.indexOf(engine));
			for (const engine of model.engines) engine.alive = false;
			model.giveUp();
			const { owner } = model.lease;
			if ('engine' in owner) model.tell({ event: 'engine-lost', engine: owner.engine, orderly: false });
			model.giveUp();
			model.openPage();
			model.start();
			model.load(0);
			expect(model.lease.owner.state).toBe('holding');
			model.write(0);
			expect(model.log).toEqual(model.acknowledged);
		}));
});
