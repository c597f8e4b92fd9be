/**
 * Held keys of a person, on a real engine: the same calls as an agent would send.
 * Owns: the cases of hands.ts, keys.ts and gamepads.ts.
 */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readPad } from '../../../web/input/gamepads.ts';
import { type AimPoint, createInputSender, type InputSender } from '../../../web/input/hands.ts';
import { keyOfStroke, steadyAxis } from '../../../web/input/keys.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';

let engine: TestEngine;
let sent: { readonly path: string; readonly body: Readonly<Record<string, unknown>> }[];
let hands: InputSender;
let hero: { entity_id: number; entity_generation: number } | null;
let meanings: Map<string, string>;
/** Samples the axes again, as the next tick does; undefined while none is planned. */
let tick: (() => void) | undefined;
/** Settles when everything so far was answered. */
let answered: Promise<void>;

beforeEach(async () => {
	engine = await startEngine();
	hero = { entity_id: await engine.spawn({ player: true, position: [0, 0, 0] }), entity_generation: 0 };
	const { bindings } = await engine.get('/input/list');
	meanings = new Map(bindings.map(({ key, action }: { key: string; action: string }) => [key, action]));
	sent = [];
	answered = Promise.resolve();
	tick = undefined;
	hands = createInputSender({
		send(path, body) {
			sent.push({ path, body });
			const call = engine.must('POST', path, body).then(() => {});
			answered = answered.then(() => call);
		},
		onNextTick: (sample) => {
			tick = sample;
		},
		findAction: (key) => meanings.get(key) ?? null,
		findPlayer: () => hero,
	});
});
afterEach(async () => {
	// What was sent last is answered first.
	await settled();
	await engine.engine.close();
});

/** Resolves when every aim was found and every call answered. */
async function settled(): Promise<void> {
	await new Promise((resolve) => setImmediate(resolve));
	await answered;
}
const heldKeys = async () => (await engine.get('/input/list')).held;
const paths = () => sent.map(({ path, body }) => `${path} ${String(body.key)}`);

describe('hands', () => {
	test('press once during key repeat, walk the hero, and let go', async () => {
		expect(hands.press('ArrowRight')).toBe(true);
		expect(hands.press('ArrowRight')).toBe(true);
		await settled();
		expect(sent).toEqual([{ path: '/input/press', body: { ...hero, key: 'ArrowRight', hold: true } }]);
		await engine.step(60);
		expect((await engine.position(hero!.entity_id))[0]).toBeCloseTo(5, 3);
		hands.release('ArrowRight');
		hands.release('ArrowRight');
		await settled();
		expect(paths()).toEqual(['/input/press ArrowRight', '/input/release ArrowRight']);
		await engine.step();
		expect(await heldKeys()).toEqual([]);
	});

	test('ignore keys without a binding, and all keys while no entity is played', async () => {
		expect(hands.press('Tab')).toBe(false);
		hero = null;
		expect(hands.press('Q')).toBe(false);
		hands.axis('TouchX', 1);
		await settled();
		expect(sent).toEqual([]);
	});

	test('release everything together, axes too', async () => {
		hands.press('ArrowUp');
		hands.press('F');
		hands.axis('GamepadLeftX', 0.5);
		await settled();
		await engine.step();
		expect(await heldKeys()).toHaveLength(3);
		hands.releaseAll();
		await settled();
		await engine.step();
		expect([await heldKeys(), hands.heldKeys.size]).toEqual([[], 0]);
	});

	test('let a key wait for its aim, and no other key with it, and aim only aimable abilities', async () => {
		let found: (aim: AimPoint) => void = () => {};
		const looking = new Promise<AimPoint>((resolve) => {
			found = resolve;
		});
		hands.press('MouseRight', looking);
		hands.release('MouseRight');
		hands.press('ArrowUp', { point: [9, 9, 9] });
		await settled();
		expect(paths()).toEqual(['/input/press ArrowUp']);
		found({ point: [4, 0, 2] });
		await settled();
		expect(paths()).toEqual(['/input/press ArrowUp', '/input/press MouseRight', '/input/release MouseRight']);
		expect([sent[0]!.body.point, sent[1]!.body.point]).toEqual([undefined, [4, 0, 2]]);
	});

	test('send each call immediately, whatever earlier calls are still being stored', async () => {
		hands.press('F');
		hands.release('F');
		expect(paths()).toEqual(['/input/press F', '/input/release F']);
		await settled();
		await engine.step();
		expect(await heldKeys()).toEqual([]);
	});

	test('send the position of a stick once a tick, and before the next key', () => {
		const values = () => sent.map(({ body }) => body.value ?? body.key);
		const move = (...to: number[]) => {
			for (const value of to) hands.axis('TouchX', value);
		};
		move(0.2, 0.5, 0.9);
		expect(values()).toEqual([0.2]);
		tick!();
		expect(values()).toEqual([0.2, 0.9]);
		move(0.1, 1);
		hands.press('F');
		expect(values()).toEqual([0.2, 0.9, 1, 'F']);
		tick!();
		tick = undefined;
		move(1);
		expect([values().length, tick]).toEqual([4, undefined]);
		move(0.3);
		expect(values().at(-1)).toBe(0.3);
	});
});

describe('names of keys', () => {
	test.each([
		[{ key: 'w', code: 'KeyW' }, 'W'],
		[{ key: 'W', code: 'KeyZ' }, 'W'],
		[{ key: 'ц', code: 'KeyW' }, 'W'],
		[{ key: '!', code: 'Digit1' }, '1'],
		[{ key: ' ', code: 'Space' }, 'Space'],
		[{ key: 'ArrowUp', code: 'ArrowUp' }, 'ArrowUp'],
		[{ key: '>', code: 'Period' }, 'Period'],
		[{ key: 'F5', code: 'F5' }, 'F5'],
		[{ key: 'MediaPlay', code: 'MediaPlay' }, null],
	])('%j is %s', (stroke, name) => expect(keyOfStroke(stroke)).toBe(name));

	test('an axis rests near its middle and moves in steps', () => {
		expect([0.1, -0.14, 1, -1, 1.2].map(steadyAxis)).toEqual([0, 0, 1, -1, 1]);
		expect(steadyAxis(0.571)).toBe(steadyAxis(0.574));
	});

	test('a change of gamepad names is reported', () => {
		const names: string[] = [];
		const pad = {
			press: (key: string) => names.push(`+${key}`) > 0,
			release: (key: string) => void names.push(`-${key}`),
			axis: (key: string, value: number) => void (value !== 0 && names.push(`${key} ${value}`)),
		};
		const up = { pressed: false };
		const first = readPad(pad, { buttons: [{ pressed: true }, up], axes: [0.05, -1] }, new Set());
		const second = readPad(pad, { buttons: [up, { pressed: true }], axes: [0, 0] }, first);
		readPad(pad, { buttons: [up, { pressed: true }], axes: [0, 0] }, second);
		expect(names).toEqual(['+GamepadA', 'GamepadLeftY -1', '+GamepadB', '-GamepadA']);
	});
});
