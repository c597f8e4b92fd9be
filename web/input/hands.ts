/**
 * Sends the input of a person as calls of the API: one for each press, each release, and each axis that moved since the last tick.
 * Owns: the held keys, and the order of the calls.
 * Never: listens to a device, or interprets a key.
 */

/** Target of an aimed key. */
export interface AimPoint {
	readonly target_id?: number;
	readonly target_generation?: number;
	readonly point?: readonly number[];
}

export interface InputSenderServices {
	/** Sends a call. Calls arrive in the order in which they were sent. */
	readonly send: (path: string, body: CallBody) => void;
	/** Calls `sample` once when the next tick is due. */
	readonly onNextTick: (sample: () => void) => void;
	/** Returns the action to which the world binds a key; null if there is none. */
	readonly findAction: (key: string) => string | null;
	/** Returns the played entity; null if there is none. Without a played entity, nothing is sent. */
	readonly findPlayer: () => { readonly entity_id: number; readonly entity_generation: number } | null;
}

export interface InputSender {
	/** Presses a key. Returns true if the world binds it. Repeats of a held key return true, but are not sent. */
	press(key: string, aim?: AimPoint | Promise<AimPoint>): boolean;
	/** Releases a key, after its press was sent. */
	release(key: string): void;
	/** Moves an axis to a position, which is sent at most once per tick. */
	axis(key: string, value: number): void;
	/** Releases all keys, and moves all axes to 0. */
	releaseAll(): void;
	readonly heldKeys: ReadonlySet<string>;
}

type CallBody = Readonly<Record<string, unknown>>;

/** Actions that need no target. */
const UNAIMED_ACTIONS = /^(move_(forward|back|left|right|x|z)|stop)$/;

export function createInputSender({
	send,
	onNextTick,
	findAction,
	findPlayer,
}: InputSenderServices): InputSender {
	const heldKeys = new Set<string>();
	const axes = new Map<string, number>();
	/** Axes that moved since they were sampled. */
	const movedAxes = new Map<string, CallBody>();
	let isSampled = false;
	/** Presses that wait for their target. Other keys do not wait for them. */
	const pendingPresses = new Map<string, Promise<void>>();

	const sendMoved = (): void => {
		for (const body of movedAxes.values()) send('/input/axis', body);
		movedAxes.clear();
	};
	const sample = (): void => {
		isSampled = movedAxes.size > 0;
		if (!isSampled) return;
		sendMoved();
		onNextTick(sample);
	};
	const sendKey = (path: string, body: CallBody): void => {
		sendMoved();
		send(path, body);
	};

	const hands: InputSender = {
		heldKeys,
		press(key, aim) {
			if (heldKeys.has(key)) return true;
			const playerFields = findPlayer();
			const action = findAction(key);
			if (playerFields === null || action === null) return false;
			heldKeys.add(key);
			const body = { ...playerFields, key, hold: true };
			const sendPress = (target: AimPoint): void => sendKey('/input/press', { ...body, ...target });
			if (aim === undefined || UNAIMED_ACTIONS.test(action)) sendPress({});
			else if (!(aim instanceof Promise)) sendPress(aim);
			else {
				const pending = aim.then(sendPress).finally(() => {
					if (pendingPresses.get(key) === pending) pendingPresses.delete(key);
				});
				pendingPresses.set(key, pending);
			}
			return true;
		},
		release(key) {
			if (!heldKeys.delete(key)) return;
			const who = findPlayer();
			// Without a played entity, the world has no held key to release.
			if (who === null) return;
			const sendRelease = (): void => sendKey('/input/release', { ...who, key });
			const pending = pendingPresses.get(key);
			if (pending === undefined) sendRelease();
			else void pending.then(sendRelease);
		},
		axis(key, value) {
			const who = findPlayer();
			if ((axes.get(key) ?? 0) === value || who === null || findAction(key) === null) return;
			if (value === 0) axes.delete(key);
			else axes.set(key, value);
			movedAxes.set(key, { ...who, key, value });
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
