/**
 * What a person holds down, as calls of the API: each press, release and move of an axis is one, in its order.
 * Owns: what is held, and the order of the calls. Never: listens to a device, or knows what a key does.
 */

/** What something is aimed at. */
export interface Aimed {
	readonly target_id?: number;
	readonly target_generation?: number;
	readonly point?: readonly number[];
}

export interface HandsServices {
	/** Makes a call. Resolves when it was answered, refused or not. */
	readonly send: (path: string, body: Readonly<Record<string, unknown>>) => Promise<void>;
	/** The action that the key is bound to in the world, or null. */
	readonly meaning: (key: string) => string | null;
	/** Whom the calls are for; null: nobody is played, and nothing is sent. */
	readonly player: () => { readonly entity_id: number; readonly entity_generation: number } | null;
}

export interface Hands {
	/** Whether it was taken: what means nothing is left to the page. Held keys are taken again and again, and sent once. */
	press(key: string, aim?: Aimed | Promise<Aimed>): boolean;
	release(key: string): void;
	/** Moves an axis and leaves it there. */
	axis(key: string, value: number): void;
	/** Lets go of everything. */
	releaseAll(): void;
	readonly held: ReadonlySet<string>;
}

interface Sent {
	readonly path: string;
	body: Readonly<Record<string, unknown>>;
}

/** Actions that are about nobody and no place. */
const UNAIMED = /^(move_(forward|back|left|right|x|z)|stop)$/;

export function createHands({ send, meaning, player }: HandsServices): Hands {
	const held = new Set<string>();
	const axes = new Map<string, number>();
	/** Keys whose aim is still looked for: what else is pressed does not wait for it. */
	const looking = new Map<string, Promise<void>>();
	/** What waits for the calls before it, oldest first. */
	const queue: Sent[] = [];
	let sending = false;

	const drain = async (): Promise<void> => {
		if (sending) return;
		sending = true;
		try {
			for (let next = queue.shift(); next !== undefined; next = queue.shift())
				await send(next.path, next.body);
		} finally {
			sending = false;
		}
	};
	const put = (sent: Sent): void => {
		queue.push(sent);
		void drain();
	};

	const hands: Hands = {
		held,
		press(key, aim) {
			if (held.has(key)) return true;
			const who = player();
			const action = meaning(key);
			if (who === null || action === null) return false;
			held.add(key);
			const body = { ...who, key, hold: true };
			const pressed = (found: Aimed): void => put({ path: '/input/press', body: { ...body, ...found } });
			if (aim === undefined || UNAIMED.test(action)) pressed({});
			else if (!(aim instanceof Promise)) pressed(aim);
			else {
				const found = aim.then(pressed).finally(() => {
					if (looking.get(key) === found) looking.delete(key);
				});
				looking.set(key, found);
			}
			return true;
		},
		release(key) {
			if (!held.delete(key)) return;
			const who = player();
			// Who is gone, or is played no longer, holds nothing.
			if (who === null) return;
			const released = (): void => put({ path: '/input/release', body: { ...who, key } });
			const found = looking.get(key);
			if (found === undefined) released();
			else void found.then(released);
		},
		axis(key, value) {
			const who = player();
			if ((axes.get(key) ?? 0) === value || who === null || meaning(key) === null) return;
			if (value === 0) axes.delete(key);
			else axes.set(key, value);
			const body = { ...who, key, value };
			// A place on the way that was not sent yet is of no use any more.
			const waiting = queue.find((sent) => sent.path === '/input/axis' && sent.body.key === key);
			if (waiting === undefined) put({ path: '/input/axis', body });
			else waiting.body = body;
		},
		releaseAll() {
			for (const key of [...held]) hands.release(key);
			for (const key of [...axes.keys()]) hands.axis(key, 0);
			axes.clear();
		},
	};
	return hands;
}
