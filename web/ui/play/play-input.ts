/**
 * Input devices in the view Play: keys with a meaning in the world are sent to it, and the view handles others.
 * Owns: the conditions for sending input, and the entity of the calls.
 */

import { effect, untracked } from '@preact/signals';
import { listenToDevices } from '../../input/devices.ts';
import { pollGamepads } from '../../input/gamepads.ts';
import {
	type AimPoint,
	createInputSender,
	type InputSender,
	type InputSenderServices,
} from '../../input/hands.ts';
import { showsWorld } from '../services.ts';
import { askRaw, inWorld } from '../state/ask.ts';
import { aimAt, aimAtGround } from './aim.ts';
import type { GroundPlace } from './map-points.ts';
import { pressPlayKey } from './play-keys.ts';
import type { Play, PlayServices } from './play-state.ts';
import { walkToAttack } from './walk-to-attack.ts';

/** Duration of a tick (ms). */
const TICK_MS = 1000 / 60;

export interface PlayInputServices extends PlayServices {
	readonly canvas: HTMLElement;
}

export class PlayInput {
	/** Pressed keys. Presses are accepted only while the world accepts input, releases always. */
	readonly hands: InputSender;
	readonly #panels: PlayInputServices;
	readonly #play: Play;
	readonly #endings: readonly (() => void)[];

	constructor(panels: PlayInputServices, play: Play) {
		this.#panels = panels;
		this.#play = play;
		const { navigation, canvas } = panels;
		const hands = this.#handsWhile();
		const takes = () => this.#takes();
		this.hands = hands;
		this.#endings = [
			listenToDevices({
				canvas,
				inputSender: hands,
				isWorldActive: takes,
				findTarget: (x, y) => aimAt(panels, play, x, y),
				handlePageKey: (event) => pressPlayKey(event, play, navigation),
			}),
			pollGamepads(hands, takes),
			// Releases held keys when time stops or a dialog opens.
			effect(() => {
				if (!takes()) hands.releaseAll();
			}),
			// Pauses the game while the list of keys is open.
			effect(() => {
				if (navigation.popup.value !== 'keys') return;
				untracked(() => {
					if (play.running.value && play.mine.value !== null) void play.hold();
				});
			}),
		];
	}

	/** Performs the action of the right mouse button at a place on the ground. */
	pointAt(place: GroundPlace): void {
		if (!this.#takes()) return;
		this.hands.press('MouseRight', aimAtGround(this.#panels, this.#play, place));
		this.hands.release('MouseRight');
	}

	stop(): void {
		for (const end of this.#endings) end();
	}

	/** Returns true if the world accepts input: while it plays, and no plate or popup is open. */
	#takes(): boolean {
		const { running, mine, ending } = this.#play;
		const { navigation, services } = this.#panels;
		return (
			running.value &&
			mine.value !== null &&
			ending.value === null &&
			navigation.popup.value === null &&
			showsWorld(services.holding.value)
		);
	}

	/** Returns hands that press keys only while the world accepts input. */
	#handsWhile(): InputSender {
		const play = this.#play;
		/** Pressed key of each held letter, because the meaning of a letter can change while it is held. */
		const letters = new Map<string, string>();
		const devices = createInputSender({
			send: (path, body) => this.#send(path, body),
			onNextTick: (sample) => void setTimeout(sample, TICK_MS),
			findAction: (key) => play.meaning(key),
			findPlayer() {
				const entity = play.mine.peek();
				return entity === null ? null : { entity_id: entity.id, entity_generation: entity.generation };
			},
		});
		return {
			...devices,
			press: (pressed, aim) => {
				if (!this.#takes()) return false;
				const key = play.walkLetters.peek().get(pressed) ?? pressed;
				if (key !== pressed) letters.set(pressed, key);
				const isNew = !devices.heldKeys.has(key);
				const isTaken = devices.press(key, aim);
				if (isTaken && isNew && play.meaning(key) === 'attack') void walkToAttack(this.#panels, play);
				return isTaken;
			},
			release: (pressed) => {
				devices.release(letters.get(pressed) ?? pressed);
				letters.delete(pressed);
			},
			axis: (key, value) => {
				if (value === 0 || this.#takes()) devices.axis(key, value);
			},
		};
	}

	#send(path: string, body: Parameters<InputSenderServices['send']>[1]): void {
		const { services, worlds, navigation } = this.#panels;
		this.#play.begun.value = true;
		if (path === '/input/press' && this.#play.meaning(String(body.key)) === 'move_or_attack') {
			const { target_id, point } = body as AimPoint;
			services.view.peek()?.order({
				target: target_id ?? null,
				point: (point as readonly [number, number, number] | undefined) ?? null,
			});
		}
		void askRaw(services, 'POST', inWorld(path, worlds.selected.value), body).then((outcome) => {
			if (!outcome.ok) navigation.refuse('Your input', outcome.refusal);
		});
	}
}
