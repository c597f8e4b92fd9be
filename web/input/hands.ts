/**
 * Sends the input of a person as calls of the API: one for each press, each release, and each axis that moved since the last tick.
 * Owns: the held keys, and the order of the calls. Never: listens to a device, or interprets a key.
 */

/** Target of an aimed key. */
export interface AimPoint {
	readonly target_id?: number;
	readonly target_generation?: number;
	readonly point?: readonly number[];
}

export interface HandsServices {
	/** Sends a call. Calls arrive in the order in which they were sent. */
	readonly send: (path: string, body: CallBody) => void;
	/** Calls `sample` once when the next tick is due. */
	readonly onNextTick: (sample: () => void) => void;
	/** Returns the action that the key is bound to in the world, or null. */
	readonly meaning: (key: string) => string | null;
	/** Returns the played entity; null if there is none, and nothing is sent. */
	readonly player: () => { readonly entity_id: number; readonly entity_generation: number } | null;
}

export interface Hands {
	/**
	 * Presses a key. Returns true if it has a meaning in the world. Repeats of a held key return true, but are not sent.
	 */
	press(key: string, aim?: AimPoint | Promise<AimPoint>): boolean;
	release(key: string): void;
	/** Moves an axis to a position, which is sent at most once per tick. */
	axis(key: string, value: number): void;
	/** Releases everything. */
	releaseAll(): void;
	readonly held: ReadonlySet<string>;
}

type CallBody = Readonly<Record<string, unknown>>;

/** Actions that need no target. */
const UNAIMED = /^(move_(forward|back|left|right|x|z)|stop)$/;

export function createHands({ send, onNextTick, meaning, player }: HandsServices): Hands {
	const heldKeys = new Set<string>();
	const axes = new Map<string, number>();
	/** Axes that moved since they were sampled. */
	const moved = new Map<string, CallBody>();
	let isSampled = false;
	/** Presses that wait for their target. Other keys do not wait for them. */
	const looking = new Map<string, Promise<void>>();

	const sendMoved = (): void => {
		for (const body of moved.values()) send('/input/axis', body);
		moved.clear();
	};
	const sample = (): void => {
		isSampled = moved.size > 0;
		if (!isSampled) return;
		sendMoved();
		onNextTick(sample);
	};
	const sendKey = (path: string, body: CallBody): void => {
		sendMoved();
		send(path, body);
	};

	const hands: Hands = {
		held: heldKeys,
		press(key, aim) {
			if (heldKeys.has(key)) return true;
			const who = player();
			const action = meaning(key);
			if (who === null || action === null) return false;
			heldKeys.add(key);
			const body = { ...who, key, hold: true };
			const pressed = (found: AimPoint): void => sendKey('/input/press', { ...body, ...found });
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
			if (!heldKeys.delete(key)) return;
			const who = player();
			// Without a played entity, the world has no held key to release.
			if (who === null) return;
			const released = (): void => sendKey('/input/release', { ...who, key });
			const found = looking.get(key);
			if (found === undefined) released();
			else void found.then(released);
		},
		axis(key, value) {
			const who = player();
			if ((axes.get(key) ?? 0) === value || who === null || meaning(key) === null) return;
			if (value === 0) axes.delete(key);
			else axes.set(key, value);
			moved.set(key, { ...who, key, value });
			if (!isSampled) sample();
		},
		releaseAll() {
			for (const key of [...heldKeys]) hands.release(key);
			for (const key of [...axes.keys()]) hands.axis(key, 0);
			axes.clear();
			sendMoved();
		},
	};
	return hands;
}
