/**
 * A person's devices in the view Play: keys with a meaning in the world are sent there, the others are the view's own.
 * Owns: when the world takes what is pressed, the view's own keys, and the entity that the calls are for.
 */

import { effect, type ReadonlySignal, signal, untracked } from '@preact/signals';
import { listenToDevices } from '../../input/devices.ts';
import { readGamepads } from '../../input/gamepads.ts';
import { type Aimed, createHands, type Hands } from '../../input/hands.ts';
import type { Entity } from '../entities/entity.ts';
import { showsWorld } from '../services.ts';
import { ask, askRaw, inWorld } from '../state/ask.ts';
import type { Panels } from '../state/panels.ts';
import type { GroundPlace } from './map-points.ts';
import type { Play } from './play-state.ts';
import { foesOf, isInReach } from './units.ts';

export interface PlayInput {
	readonly hands: Hands;
	/** True if a key was pressed here that the world takes. */
	readonly used: ReadonlySignal<boolean>;
	/** Does the action of the right mouse button at a place of the ground. */
	pointAt(place: GroundPlace): void;
	stop(): void;
}

/** Largest number of enemies to which a way is looked for. */
const MAX_FOES = 6;
/** Milliseconds of a tick. */
const TICK_MS = 1000 / 60;

export function createPlayInput({ services, worlds, navigation, canvas }: Panels, play: Play): PlayInput {
	const takes = (): boolean =>
		play.running.value &&
		play.mine.value !== null &&
		play.ending.value === null &&
		navigation.popup.value === null &&
		showsWorld(services.holding.value);
	const used = signal(false);
	const devices = createHands({
		send(path, body) {
			used.value = true;
			if (path === '/input/press' && play.meaning(String(body.key)) === 'move_or_attack') {
				const { target_id, point } = body as Aimed;
				services.view.peek()?.order({
					target: target_id ?? null,
					point: (point as readonly [number, number, number] | undefined) ?? null,
				});
			}
			void askRaw(services, 'POST', inWorld(path, worlds.selected.value), body).then((outcome) => {
				if (!outcome.ok) navigation.refuse('Your input', outcome.refusal);
			});
		},
		onNextTick: (sample) => void setTimeout(sample, TICK_MS),
		meaning: play.meaning,
		player() {
			const mine = play.mine.peek();
			return mine === null ? null : { entity_id: mine.id, entity_generation: mine.generation };
		},
	});

	/** The enemy with the shortest way to it; of several without a mesh to walk on, the nearest; null: none can be reached. */
	const easiestFoe = async (hero: Entity, foes: readonly Entity[]): Promise<Entity | null> => {
		const from = hero.transform!.position;
		const ways = foes.slice(0, MAX_FOES).map(async (foe) => {
			const way = await askRaw(
				services,
				'POST',
				inWorld('/path/compute', worlds.selected.value),
				{ from, to: foe.transform!.position },
				'panels',
			);
			const length = way.ok ? Number(way.body.length) : null;
			return { foe, length, hasNoMesh: !way.ok && way.refusal.code === 'no_navmesh' };
		});
		const found = await Promise.all(ways);
		if (found.some(({ hasNoMesh }) => hasNoMesh)) return foes[0] ?? null;
		const reachable = found.filter(({ length }) => length !== null);
		return reachable.sort((a, b) => a.length! - b.length!)[0]?.foe ?? null;
	};

	/** With no enemy in reach, the unit walks to one and attacks what it meets on its way. */
	const walkToAttack = async (): Promise<void> => {
		const hero = play.mine.peek();
		if (hero === null) return;
		const foes = foesOf(hero, play.entities.peek());
		if (foes.length === 0) return play.tell('No enemy is left');
		if (isInReach(hero, foes[0]!)) return;
		const foe = await easiestFoe(hero, foes);
		if (foe === null) return play.tell('No way leads to an enemy from here');
		services.view.peek()?.order({ target: foe.id, point: null });
		const body = {
			action: 'attack_move',
			entity_id: hero.id,
			entity_generation: hero.generation,
			point: foe.transform!.position,
		};
		const outcome = await askRaw(services, 'POST', inWorld('/input/press', worlds.selected.value), body);
		if (!outcome.ok) navigation.refuse('Your input', outcome.refusal);
	};

	/** Behind a plate nothing is pressed, and everything can be released. */
	const hands: Hands = {
		...devices,
		press(key, aim) {
			if (!takes()) return false;
			const isNew = !devices.held.has(key);
			const isTaken = devices.press(key, aim);
			if (isTaken && isNew && play.meaning(key) === 'attack') void walkToAttack();
			return isTaken;
		},
		axis(key, value) {
			if (value === 0 || takes()) devices.axis(key, value);
		},
	};

	/** Returns the target under the pointer: an entity to attack, or the ground at the height of the played entity. */
	const aim = async (x: number, y: number): Promise<Aimed> => {
		const mine = play.mine.peek();
		const view = services.view.peek();
		if (mine === null || view === null) return {};
		const { hit, point } = await view.aim(x, y, mine.transform?.position[1] ?? 0);
		const target = play.entities.peek().find(({ id }) => id === hit?.id);
		const isFoe = target?.health !== undefined && target.team !== mine.team && target.dead !== true;
		if (hit !== null && isFoe)
			return { target_id: hit.id, target_generation: hit.generation, ...(point === null ? {} : { point }) };
		return point === null ? {} : { point };
	};

	/** A place of the ground with its height: that of the terrain, else of the played entity. */
	const onGround = async ([x, z]: GroundPlace): Promise<Aimed> => {
		const world = worlds.selected.peek();
		const query = { x, z, space: 'world' } as const;
		const ground = await ask(services, 'GET', '/terrain/height', { world, query, on: 'panels' });
		const height = ground.ok ? ground.body.height : null;
		return { point: [x, height ?? play.mine.peek()?.transform?.position[1] ?? 0, z] };
	};

	const left = (event: KeyboardEvent): boolean => {
		if (navigation.popup.value !== null) return false;
		const { key, target } = event;
		const onControl = target instanceof Element && target.closest('button, summary') !== null;
		switch (key === 'Escape' ? key : key.toLowerCase()) {
			case 'Escape':
				if (navigation.notice.value !== null) navigation.notice.value = null;
				else if (play.open.value !== null) play.open.value = null;
				else if (play.ending.value !== null) return false;
				else void (play.running.value ? play.hold() : play.run());
				return true;
			case ' ':
				if (onControl || play.ending.value !== null) return false;
				void (play.running.value ? play.hold() : play.run());
				return true;
			case 'b':
				if (play.mine.value === null || play.items.value.length === 0) return false;
				play.open.value = play.open.value === 'shop' ? null : 'shop';
				return true;
			case 'm':
				play.open.value = play.open.value === 'map' ? null : 'map';
				return true;
			case 'n':
				if (play.mine.value !== null) return false;
				play.next();
				return true;
			case 'c':
				if (play.mine.value !== null) return false;
				play.free();
				return true;
			default:
				return false;
		}
	};

	const endings = [
		listenToDevices({ canvas, hands, takes, aim, left }),
		readGamepads(hands, takes),
		// What is held while time stops, or while something lies over the page, is let go of.
		effect(() => {
			if (!takes()) hands.releaseAll();
		}),
		// Play pauses while a person reads the list of keys.
		effect(() => {
			if (navigation.popup.value !== 'keys') return;
			untracked(() => {
				if (play.running.value && play.mine.value !== null) void play.hold();
			});
		}),
	];
	return {
		hands,
		used,
		pointAt(place) {
			if (!takes()) return;
			hands.press('MouseRight', onGround(place));
			hands.release('MouseRight');
		},
		stop() {
			for (const end of endings) end();
		},
	};
}
