/**
 * The lease of a world: the right to append to its journal, which one engine has at a time.
 * Owns: the states and their transitions, as a pure function. It decides which engine may acquire the lease next. The
 * journal itself refuses writes with an old epoch.
 * Never: knows sockets, clocks or bytes. The relay runs the effects.
 *
 *            page came                 engine came               loaded
 *   vacant ────────────▶ granted ───────────────────▶ loading ───────────▶ holding
 *     ▲                     ▲                          │   ▲                │  │ claim: asks the engine
 *     │                     │ released, claimant open  │   │ came back      │  │ to release, stays holding
 *     │                     └──────────────────────────┼───┼────────────────┘  │
 *     │ given up            unreadable                 │   │                   │ connection lost
 *     ├────────── refused ◀────────────────────────────┘   │                   ▼
 *     └────────────────────────────────────────────────────┴──────────────  detached
 *
 * The steps of a handover are: write a state, release, acquire, load. After a crash the first two steps are missing.
 */

/** An open page. It can start an engine. */
export interface LeasePage {
	readonly id: string;
	/** True if it belongs to the server's own browser. */
	readonly keeper: boolean;
	/** True if it has an engine with the world. */
	readonly holds: boolean;
}

/**
 * Owner of the lease. `vacant`: there is no engine. `granted`: a page may start an engine. `loading`: an engine reads
 * the journal. `holding`: the engine answers calls; `claim` is the page for which it shall release the lease.
 * `detached`: the connection of the engine is lost, and it may come back. `refused`: no engine can read the journal.
 */
export type LeaseOwner =
	| { readonly state: 'vacant' }
	| { readonly state: 'granted'; readonly page: string }
	| { readonly state: 'loading'; readonly engine: number; readonly page: string | null }
	| {
			readonly state: 'holding';
			readonly engine: number;
			readonly page: string | null;
			readonly claim: string | null;
	  }
	| { readonly state: 'detached'; readonly engine: number; readonly page: string | null }
	| { readonly state: 'refused'; readonly why: string };

export interface Lease {
	readonly owner: LeaseOwner;
	/** Open pages, in the order of their arrival. */
	readonly pages: readonly LeasePage[];
	/** True if the server runs a browser of its own, so no other page needs to own the world. */
	readonly headless: boolean;
	/**
	 * True if callers sign in. The owner sees their sessions, so the world stays in the server's own browser if there is
	 * one.
	 */
	readonly gated: boolean;
}

export type LeaseEvent =
	| { readonly event: 'page-came'; readonly page: LeasePage }
	/** `orderly`: the page was closed or reloaded together with its engine. */
	| { readonly event: 'page-left'; readonly page: string; readonly orderly: boolean }
	/** `lease`: lease of the engine. `none`: it never had one. `current`: the newest of the journal. `old`: an earlier one. */
	| {
			readonly event: 'engine-came';
			readonly engine: number;
			readonly page: string | null;
			readonly keeper: boolean;
			readonly lease: 'none' | 'current' | 'old';
	  }
	| { readonly event: 'loaded'; readonly engine: number }
	| { readonly event: 'unreadable'; readonly engine: number; readonly why: string }
	| { readonly event: 'engine-lost'; readonly engine: number; readonly orderly: boolean }
	/** The owner will not come back. */
	| { readonly event: 'given-up' }
	/** A caller ends the owner and its page. */
	| { readonly event: 'ended' }
	| { readonly event: 'claimed'; readonly page: string }
	| { readonly event: 'released'; readonly engine: number }
	/** The owner could not release the lease, and continues. */
	| { readonly event: 'kept'; readonly engine: number; readonly why: string }
	| { readonly event: 'headless'; readonly headless: boolean };

export type LeaseEffect =
	/** The engine may acquire the lease and load. */
	| { readonly effect: 'admit'; readonly engine: number }
	/** The engine is not the owner, so it must end. */
	| { readonly effect: 'dismiss'; readonly engine: number }
	/** The connection is obsolete: the same engine came back over another. */
	| { readonly effect: 'drop'; readonly engine: number }
	/** The engine must write a state and release the lease. */
	| { readonly effect: 'release'; readonly engine: number }
	/** Calls go to the engine. */
	| { readonly effect: 'serve'; readonly engine: number }
	/** Calls wait. */
	| { readonly effect: 'suspend'; readonly engine: number }
	/** The owner is gone. Its calls wait for the next owner, which reads in the journal which calls were applied. */
	| { readonly effect: 'vacate'; readonly engine: number }
	| { readonly effect: 'decline'; readonly page: string; readonly why: string }
	/** Calls are refused: no engine can load the world. */
	| { readonly effect: 'refuse'; readonly why: string };

type LeaseTransition = readonly [Lease, readonly LeaseEffect[]];

/**
 * Returns the lease at the start of a server. `isTaken`: the journal names an owner that did not release the lease and
 * may come back.
 */
export function initialLease(isTaken: boolean, gated: boolean): Lease {
	const owner: LeaseOwner = isTaken ? { state: 'detached', engine: 0, page: null } : { state: 'vacant' };
	return { owner, pages: [], headless: false, gated };
}

/** Returns the engine that owns the lease or loads the world; undefined for none. */
export const engineOf = ({ owner }: Lease): number | undefined =>
	'engine' in owner ? owner.engine : undefined;

/** Returns the page whose engine owns the lease, or that may start an engine; undefined for none. */
export const pageOf = ({ owner }: Lease): string | undefined =>
	'page' in owner ? (owner.page ?? undefined) : undefined;

/** Returns the lease after an event, and its effects. Events of engines that are not the owner change nothing. */
export function transition(lease: Lease, event: LeaseEvent): LeaseTransition {
	const [next, effects] = apply(lease, event);
	return [grantVacant(next), effects];
}

function apply(lease: Lease, event: LeaseEvent): LeaseTransition {
	switch (event.event) {
		case 'page-came':
			return pageCame(lease, event.page);
		case 'page-left':
			return pageLeft(lease, event.page, event.orderly);
		case 'engine-came':
			return engineCame(lease, event);
		case 'claimed':
			return claimLease(lease, event.page);
		case 'headless':
			return [{ ...lease, headless: event.headless }, []];
		case 'given-up':
			return vacate(lease);
		case 'ended': {
			const endedPage = pageOf(lease);
			return vacate({ ...lease, pages: lease.pages.filter(({ id }) => id !== endedPage) });
		}
		default:
			return event.engine === engineOf(lease) ? applyOwnerEvent(lease, event) : [lease, []];
	}
}

type OwnerEvent = Extract<
	LeaseEvent,
	{ readonly event: 'loaded' | 'unreadable' | 'engine-lost' | 'released' | 'kept' }
>;

function applyOwnerEvent(lease: Lease, event: OwnerEvent): LeaseTransition {
	const { owner } = lease;
	const { engine } = event;
	switch (event.event) {
		case 'loaded':
			if (owner.state !== 'loading') return [lease, []];
			return [
				{ ...lease, owner: { state: 'holding', engine, page: owner.page, claim: null } },
				[{ effect: 'serve', engine }],
			];
		case 'unreadable':
			return [
				{ ...lease, owner: { state: 'refused', why: event.why } },
				[{ effect: 'refuse', why: event.why }],
			];
		case 'engine-lost': {
			if (owner.state !== 'loading' && owner.state !== 'holding') return [lease, []];
			const { page } = owner;
			const claim = owner.state === 'holding' ? owner.claim : null;
			// The lost engine was asked to release the lease and may have done so, so the claiming page need not wait.
			if (claim !== null || (event.orderly && page === null)) return vacate(lease);
			return [{ ...lease, owner: { state: 'detached', engine, page } }, [{ effect: 'suspend', engine }]];
		}
		case 'released':
			return owner.state !== 'holding' || owner.claim === null
				? [lease, []]
				: withEffect(vacate(lease), { effect: 'dismiss', engine });
		case 'kept':
			if (owner.state !== 'holding' || owner.claim === null) return [lease, []];
			return [
				{ ...lease, owner: { ...owner, claim: null } },
				[
					{ effect: 'decline', page: owner.claim, why: event.why },
					{ effect: 'serve', engine },
				],
			];
	}
}

const withEffect = ([lease, effects]: LeaseTransition, effect: LeaseEffect): LeaseTransition => [
	lease,
	[...effects, effect],
];

/** Removes the owner. If a page claims the lease, that page is next. */
function vacate(lease: Lease): LeaseTransition {
	const { owner, pages } = lease;
	const claim = owner.state === 'holding' ? owner.claim : null;
	const next: LeaseOwner =
		claim !== null && pages.some(({ id }) => id === claim)
			? { state: 'granted', page: claim }
			: { state: 'vacant' };
	const engine = engineOf(lease);
	return [{ ...lease, owner: next }, engine === undefined ? [] : [{ effect: 'vacate', engine }]];
}

function pageCame(lease: Lease, page: LeasePage): LeaseTransition {
	const pages = [...lease.pages, page];
	const { owner } = lease;
	// This is the page of the owner: the page had lost its connection, but the engine had not.
	if (page.holds && 'engine' in owner && owner.page === null)
		return [{ ...lease, pages, owner: { ...owner, page: page.id } }, []];
	return [{ ...lease, pages }, []];
}

function pageLeft(lease: Lease, id: string, orderly: boolean): LeaseTransition {
	const { owner } = lease;
	const remaining = { ...lease, pages: lease.pages.filter((page) => page.id !== id) };
	if (owner.state === 'granted' && owner.page === id)
		return [{ ...remaining, owner: { state: 'vacant' } }, []];
	if ('engine' in owner && owner.page === id)
		return orderly ? vacate(remaining) : [{ ...remaining, owner: { ...owner, page: null } }, []];
	// If this page claimed the lease, the owner still releases it, and then another page gets it.
	return [remaining, []];
}

type EngineCame = LeaseEvent & { readonly event: 'engine-came' };

function engineCame(lease: Lease, { engine, page, keeper, lease: shownLease }: EngineCame): LeaseTransition {
	const { owner } = lease;
	const loadingOwner: LeaseOwner = { state: 'loading', engine, page: page ?? ownerPageOf(lease) };
	const dismissed: LeaseTransition = [lease, [{ effect: 'dismiss', engine }]];
	// The name of a lease is no secret, so an engine that shows one needs the same right as any other.
	if (shownLease === 'old' || !canOwn(lease, keeper)) return dismissed;
	if (shownLease === 'current') {
		if (owner.state === 'refused') return dismissed;
		const oldConnection = engineOf(lease);
		const drop: LeaseEffect[] =
			oldConnection === undefined || oldConnection === 0 ? [] : [{ effect: 'drop', engine: oldConnection }];
		return [{ ...lease, owner: loadingOwner }, [...drop, { effect: 'admit', engine }]];
	}
	const isFree =
		owner.state === 'vacant' ||
		owner.state === 'refused' ||
		(owner.state === 'granted' && (owner.page === page || page === null));
	if (!isFree) return dismissed;
	return [{ ...lease, owner: { ...loadingOwner, page } }, [{ effect: 'admit', engine }]];
}

/** Returns the id of the page whose engine has the world; null for none. */
const ownerPageOf = ({ pages }: Lease): string | null => pages.find(({ holds }) => holds)?.id ?? null;

function claimLease(lease: Lease, id: string): LeaseTransition {
	const { owner, pages, gated } = lease;
	const page = pages.find((page) => page.id === id);
	if (page === undefined) return [lease, []];
	const decline = (why: string): LeaseTransition => [lease, [{ effect: 'decline', page: id, why }]];
	if (gated && !page.keeper && (lease.headless || owner.state === 'holding'))
		return decline('This server requires sign-in, so the world stays with the tab that owns it.');
	switch (owner.state) {
		case 'vacant':
		case 'granted':
			return [{ ...lease, owner: { state: 'granted', page: id } }, []];
		case 'detached':
			return withEffect(
				[{ ...lease, owner: { state: 'granted', page: id } }, [{ effect: 'vacate', engine: owner.engine }]],
				{ effect: 'dismiss', engine: owner.engine },
			);
		case 'holding':
			if (owner.claim !== null) return decline('The world is already being moved to another tab.');
			return [
				{ ...lease, owner: { ...owner, claim: id } },
				[
					{ effect: 'suspend', engine: owner.engine },
					{ effect: 'release', engine: owner.engine },
				],
			];
		case 'loading':
			return decline('The tab that owns the world is still loading it. Try again soon.');
		case 'refused':
			return decline(owner.why);
	}
}

const canOwn = ({ headless, gated }: Lease, keeper: boolean): boolean => keeper || !headless || !gated;

/** Grants a vacant lease to a page that may have it: first to a page with the world, then to the server's own page. */
function grantVacant(lease: Lease): Lease {
	const { owner, pages, headless } = lease;
	const candidate =
		pages.find(({ holds, keeper }) => holds && canOwn(lease, keeper)) ??
		pages.find(({ keeper }) => keeper) ??
		(headless ? undefined : pages[0]);
	const isVacant = owner.state === 'vacant';
	if (!isVacant || candidate === undefined) return lease;
	return { ...lease, owner: { state: 'granted', page: candidate.id } };
}
