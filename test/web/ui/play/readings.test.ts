/**
 * Derived values of the view Play.
 * Owns: the cases of units.ts, match.ts, story.ts, feed.ts, map-points.ts and of the touch stick.
 */

import { describe, expect, it, test } from 'vitest';
import { DEFAULT_BINDINGS } from '../../../../shared/documents/input.ts';
import type { Entity } from '../../../../web/ui/entities/entity.ts';
import { controlsText } from '../../../../web/ui/play/control-words.ts';
import { feedLines, feedParts } from '../../../../web/ui/play/feed.ts';
import { mapFrame, mapPoints, nearestTo, placeOn } from '../../../../web/ui/play/map-points.ts';
import {
	clockText,
	ending,
	goalOf,
	limitText,
	type Match,
	otherPlayers,
	sides,
} from '../../../../web/ui/play/match.ts';
import { portraitCamera } from '../../../../web/ui/play/pictures.ts';
import { stickAt } from '../../../../web/ui/play/stick-at.ts';
import { chronicleOf, type KeptEvent, tellStory } from '../../../../web/ui/play/story.ts';
import { candidates, dialState, foesOf, heldBy, isInReach, unitName } from '../../../../web/ui/play/units.ts';
import { walkLetters } from '../../../../web/ui/play/walk-letters.ts';

const place = (x: number, z: number) =>
	({ position: [x, 0, z], rotation: [0, 0, 0, 1], scale: [1, 1, 1] }) as const;
const unit = (id: number, more: Partial<Entity> = {}): Entity => ({
	id,
	generation: 0,
	transform: place(id, 0),
	...more,
});
const knight = unit(1, { role: 'Hero', team: 1, mesh: 'models/knight.glb', health: [50, 100] });
const mage = unit(2, { role: 'Hero', team: 2, mesh: 'models/dark_mage.glb', health: [80, 80] });
const tower = unit(3, { role: 'Tower', team: 2, mesh: 'models/tower.glb' });
const tree = unit(4, { mesh: 'cone' });

const match: Match = {
	ok: true,
	phase: 'playing',
	mode: 'arena',
	elapsed: 724.5,
	scores: [
		{ entity: 2, generation: 0, team: 2, score: 9 },
		{ entity: 1, generation: 0, team: 1, score: 4 },
		{ entity: 9, generation: 0, team: 1, score: 3 },
	],
	score_limit: 20,
	time_limit: 0,
	respawn_delay: 5,
	auto_start: true,
	countdown: 0,
	countdown_remaining: 0,
	started_at: 0,
	ended_at: null,
	winner: null,
	winner_team: null,
	ended_by: null,
};

describe('units', () => {
	it('with the same name are called by a unique tag, if they have one', () => {
		const trader = (id: number, tag: string) =>
			unit(id, { role: 'Hero', mesh: 'models/merchant.glb', tags: ['trader', tag] });
		const all = [trader(1, 'baker'), trader(2, 'weaver'), trader(3, 'smith'), knight];
		expect(all.map((entity) => unitName(entity, all))).toEqual(['Baker', 'Weaver', 'Smith', 'Knight']);
		const twins = [trader(1, 'baker'), trader(2, 'baker')];
		expect(twins.map((one) => unitName(one, twins))).toEqual(['Merchant', 'Merchant']);
	});

	it('are called by their hero, their model, or their tag', () => {
		expect([knight, mage].map((entity) => unitName(entity))).toEqual(['Knight', 'Dark mage']);
		expect(unitName({ ...knight, hero: 'Wren' })).toBe('Wren');
		expect(unitName({ ...knight, hero: 'Knight', name: 'Ada' })).toBe('Ada');
		expect(unitName(unit(5, { mesh: 'sphere', tags: ['ball'] }))).toBe('Ball');
	});

	it('can be taken over if they are heroes without an owner, usually played ones first', () => {
		const owned = unit(6, { role: 'Hero', team: 1, agent_id: 7 });
		const played = unit(8, { player: true, team: 1 });
		expect(candidates([knight, owned, tower, played]).map(({ id }) => id)).toEqual([8, 1]);
		const ball = unit(0, { team: 1, physics_body: 'Kinematic' });
		expect(candidates([tree, ball, tower])).toEqual([ball]);
		expect(candidates([tree])).toEqual([]);
	});

	test('abilities cool down by the tick, and then need mana', () => {
		const frost = { slot: 'Q', name: 'frost', cooldown: 4, mana_cost: 60, ready_at: 192 };
		expect(dialState(frost, 0, 100)).toEqual({ kind: 'cooling', seconds: 3.2, left: 0.8 });
		expect(dialState(frost, 192, 59)).toMatchObject({ kind: 'no mana' });
		expect(dialState(frost, 192, 60)).toMatchObject({ kind: 'ready', left: 0 });
		expect(dialState({ ...frost, mana_cost: 0 }, 500, null)).toMatchObject({ kind: 'ready' });
	});
});

describe('the match', () => {
	it('has a clock and the text of its limit', () => {
		expect([0, 59.9, 724.5, 3600].map(clockText)).toEqual(['0:00', '0:59', '12:04', '60:00']);
		expect(limitText(match)).toBe('first to 20');
		expect(limitText({ ...match, score_limit: 0, time_limit: 420 })).toBe('at most 7:00');
	});

	it('has sides with the sum of their scores, and their towers or players', () => {
		const fallen = { ...tower, id: 5, dead: true as const };
		expect(sides(match, [knight, mage, tower, fallen], [])).toEqual([
			{ team: 1, name: 'Lapis', score: 7, note: '' },
			{ team: 2, name: 'Vermilion', score: 9, note: '1 tower' },
		]);
		const others = otherPlayers([{ ...mage, player: true }], 1, ['agent-3']);
		expect(sides(match, [knight, mage, tower], others)[1]).toMatchObject({ note: 'agent-3' });
	});

	it('has the goal of a rule that ends the match, and names sides with one hero after it', () => {
		const rule = (value: number) => ({
			when: { kind: 'field', field: 'gold', op: 'greater_equal', value },
			do: [{ action: 'endgame', winner_team: 1 }],
		});
		const rules = (...values: number[]) => values.map(rule) as unknown as Parameters<typeof goalOf>[0];
		expect([goalOf(rules(200, 200)), goalOf(rules(200, 100)), goalOf([])]).toEqual([
			{ field: 'gold', value: 200 },
			null,
			null,
		]);
		const goal = { field: 'gold', value: 200 };
		expect(limitText(match, goal)).toBe('first to 200 gold');
		const traders = ['Baker', 'Weaver', 'Smith'].map((name, i) =>
			unit(i + 1, { name, role: 'Hero', team: i + 1, gold: 30 + i }),
		);
		const guard = { ...tower, team: 9 };
		expect(sides(match, [...traders, guard], [], goal).map(({ name, score }) => [name, score])).toEqual([
			['Baker', 30],
			['Weaver', 31],
			['Smith', 32],
		]);
	});

	it('lists worn items before carried ones', () => {
		const rich = { ...knight, equipment: { weapon: 2 }, inventory: [{ slot: 0, item_id: 5, count: 3 }] };
		expect(heldBy(rich)).toEqual([
			{ item_id: 2, count: 1, worn: true },
			{ item_id: 5, count: 3, worn: false },
		]);
		expect(heldBy(knight)).toEqual([]);
	});

	it('names an agent only if its unit is known', () => {
		const mine = { ...knight, player: true };
		const foe = { ...mage, player: true };
		expect(otherPlayers([mine, foe], 1, ['agent-3'])).toEqual([{ entity: foe, name: 'agent-3' }]);
		expect(otherPlayers([mine, foe], 1, ['agent-3', 'agent-4'])).toEqual([]);
		const owned = { ...foe, agent_id: 7 };
		expect(otherPlayers([mine, owned], 1, [])).toEqual([{ entity: owned, name: 'agent 7' }]);
	});

	it('has the winner and the reason after its end', () => {
		const rule = (name: string | null, text: string | null) => ({ kind: 'rule', rule: name, text }) as const;
		const limit = (kind: 'score_limit' | 'time_limit') => ({ kind, rule: null, text: null }) as const;
		const over: Match = { ...match, phase: 'post_match', winner_team: 2, ended_by: rule('hoard', null) };
		expect(ending(match, 1)).toBeNull();
		expect(ending({ ...over, ended_by: rule('hoard', 'THE HOARD IS YOURS') }, 1)).toEqual({
			title: 'You lose: Vermilion wins',
			why: 'The hoard is yours. It took 12:04.',
		});
		// The winning team of a dungeon may have no side.
		const lost = (team: number) => ending(over, 1, [{ team, name: 'Side' }])!.title;
		expect([lost(1), lost(2)]).toEqual(['You lose', 'You lose: Side wins']);
		const why = (ended_by: Match['ended_by'], more: Partial<Match> = {}) =>
			ending({ ...over, ended_by, ...more }, null)!.why.replace(' It took 12:04.', '');
		// The title already has the winner.
		expect(why(rule('Lapis ancient falls', 'VERMILION WINS'))).toBe('Lapis ancient falls.');
		expect(why(rule(null, 'VERMILION WINS'))).toBe('A rule of this world ended the match.');
		expect(why({ kind: 'script', rule: null, text: null })).toBe('A script of this world ended the match.');
		expect(why(limit('score_limit'))).toBe('The limit of 20 points was reached.');
		expect(why(limit('time_limit'))).toBe('The time is up, and the leading team wins.');
		expect(why(limit('time_limit'), { winner_team: null })).toBe('The time is up, and no team leads.');
		expect(ending(over, 2)).toMatchObject({ title: 'You win with Vermilion' });
		expect(ending(over, 2, [{ team: 2, name: 'Weaver' }])).toMatchObject({ title: 'You win as Weaver' });
		expect(ending({ ...over, winner_team: null }, null)).toMatchObject({ title: 'No team wins' });
	});
});

describe('the feed', () => {
	const all = new Map([knight, mage, tower].map((entity) => [entity.id, entity]));
	const feedText = (kind: string, data: Record<string, unknown>, mine: number | null = null) =>
		feedParts({ tick: 1, kind, data }, all, mine)
			?.map(({ text }) => text)
			.join(' ') ?? null;

	it('reports heroes and buildings, but not minions', () => {
		const by = { id: 1, generation: 0 };
		expect(feedText('death', { entity: { id: 2, generation: 0 }, killer: by })).toBe(
			'Knight killed Dark mage',
		);
		expect(feedText('death', { entity: { id: 3, generation: 0 }, killer: by })).toBe(
			'Knight destroyed Tower',
		);
		expect(feedText('death', { entity: { id: 2, generation: 0 }, killer: null })).toBe(
			'Dark mage has fallen',
		);
		expect(feedText('death', { entity: { id: 77, generation: 0 }, killer: by })).toBeNull();
		expect(feedText('level_up', { entity: by, level: 3 })).toBe('Knight reached level 3');
		expect(feedText('match', { phase: 'post_match', winner_team: 1 })).toBe('Lapis wins');
	});

	it('reports a failed cast only to the player', () => {
		const data = { entity: { id: 1, generation: 0 }, slot: 'Q', reason: 'on_cooldown' };
		expect(feedText('cast_failed', data, 1)).toBe('Q is not ready yet');
		expect(feedText('cast_failed', data, 2)).toBeNull();
	});

	it('keeps at most four lines for seven seconds of the world, and drops lines of later ticks', () => {
		const parts = [{ text: 'x', team: 1 }];
		const some = feedLines(
			[],
			[1, 2, 3, 4, 5].map((tick) => ({ tick, parts })),
			5,
		);
		expect(some.map(({ number }) => number)).toEqual([2, 3, 4, 5]);
		expect(feedLines(some, [], 423).map(({ tick }) => tick)).toEqual([4, 5]);
		expect(feedLines([{ number: 9, tick: 9000, parts }], [], 0)).toEqual([]);
	});
});

describe('the map', () => {
	it('shows all units of a side, with -z at the top, and does not move while they fit', () => {
		const units = [
			unit(1, { team: 1, transform: place(-10, 4) }),
			unit(2, { team: 2, transform: place(10, -4) }),
		];
		const frame = mapFrame([...units, unit(9, { transform: place(500, 0) })], null);
		expect([frame.x, frame.z]).toEqual([0, 0]);
		const points = mapPoints(units, frame);
		expect(points.every(({ x, y }) => Math.hypot(x, y) < 1)).toBe(true);
		expect(points[0]!.x).toBeLessThan(0);
		expect(points[0]!.y).toBeGreaterThan(0);
		const nearer = [unit(1, { team: 1, transform: place(-9, 4) }), units[1]!];
		expect(mapFrame(nearer, frame)).toBe(frame);
		expect(mapFrame([unit(1, { team: 1, transform: place(-90, 4) })], frame)).not.toBe(frame);
	});

	it('has the place and the nearest unit of a point on the dial, and nothing outside', () => {
		const frame = { x: 5, z: -3, reach: 20 };
		const [point] = mapPoints([unit(1, { team: 1, transform: place(-5, 9) })], frame);
		expect(placeOn(frame, [point!.x, point!.y])).toEqual([-5, 9]);
		expect(placeOn(frame, [0.8, 0.8])).toBeNull();
		expect(nearestTo([2, 2], [knight, mage])).toBe(mage);
		expect(nearestTo([2, 2], [])).toBeNull();
	});

	it('has portraits from the side that a unit faces: its motion, else its march, else its rotation', () => {
		const west = { direction: [-1, 0, 0] };
		const heading = { offset: [0, -0.6, 0], looks: 'heading' };
		const from = (more: Partial<Entity>): readonly number[] => {
			const { eye, target } = portraitCamera({ ...knight, transform: place(0, 0), ...more });
			return [eye[0] - target[0], eye[2] - target[2]].map((part) => Math.sign(Math.round(part)));
		};
		const walks = { linear: [0, 0, 2], angular: [0, 0, 0] } as const;
		expect(from({ stance: heading, march: west, velocity: walks })[1]).toBe(1);
		expect(from({ stance: heading, march: west })[0]).toBe(-1);
		expect(from({ march: west })[1]).toBe(-1);
	});

	it('omits dead units, and draws heroes last', () => {
		const frame = { x: 0, z: 0, reach: 10 };
		const points = mapPoints([knight, { ...mage, dead: true }, tower, unit(7, { team: 1 })], frame);
		expect(points.map(({ id }) => id)).toEqual([3, 7, 1]);
	});
});

test('the stick is limited to its rim in every direction', () => {
	const box = { left: 100, top: 100, width: 128, height: 128 };
	expect(stickAt(box, 164, 164)).toEqual([0, 0]);
	expect(stickAt(box, 196, 164)).toEqual([0.5, 0]);
	const [x, y] = stickAt(box, 1000, 1000);
	expect(Math.hypot(x, y)).toBeCloseTo(1, 6);
	expect(x).toBeCloseTo(y, 6);
});

test('the help has the keys that the world has bound', () => {
	const usual: Record<string, string[]> = {
		move_forward: ['ArrowUp', 'GamepadUp'],
		move_left: ['ArrowLeft'],
		move_back: ['ArrowDown'],
		move_right: ['ArrowRight'],
		move_or_attack: ['MouseRight'],
		attack: ['F', 'GamepadRT'],
		ability_q: ['Q', 'GamepadA'],
		ability_r: ['R'],
	};
	const abilities = [
		{ slot: 'Q', name: 'Sweep' },
		{ slot: 'R', name: '' },
	];
	const said = (keys: Record<string, string[]>, fights = true, letters: string[] = []) =>
		controlsText((action) => keys[action] ?? [], fights, abilities, letters);
	expect(said(usual)).toBe(
		'Arrow keys move. Right-click to go or attack. F attacks the nearest enemy. Cast: Q Sweep, R.',
	);
	expect(said(usual, false, ['W', 'A', 'S', 'D'])).toBe(
		'W A S D or arrow keys move. Right-click to go. Cast: Q Sweep, R.',
	);
	const own = { ...usual, move_forward: ['I'], move_or_attack: [], ability_q: ['GamepadA'] };
	expect(said(own)).toBe('I ← ↓ → move. F attacks the nearest enemy. Cast: R.');
	expect(said({})).toBe('');
});

describe('letters for walking', () => {
	const usual = new Map(DEFAULT_BINDINGS.map(({ key, action }) => [key, action]));
	const ARROWS = { W: 'ArrowUp', A: 'ArrowLeft', S: 'ArrowDown', D: 'ArrowRight' };
	const letters = (meanings: ReadonlyMap<string, string>, slots: readonly string[] = []) =>
		Object.fromEntries(walkLetters(meanings, slots));

	it('are used for a unit without abilities on them', () => {
		expect(letters(usual)).toEqual(ARROWS);
		expect(letters(usual, ['Q', 'R'])).toEqual(ARROWS);
		expect(letters(usual, ['Q', 'W'])).toEqual({});
	});

	it('are not used if the game binds one of them, or has no keys for walking', () => {
		expect(letters(new Map([...usual, ['D', 'dig']]))).toEqual({});
		expect(letters(new Map([...usual, ['W', 'move_forward']]))).toEqual({});
		expect(letters(new Map([...usual].filter(([key]) => key !== 'ArrowUp')))).toEqual({});
	});
});

describe('the story of a match', () => {
	const side = (team: number, score: number) => ({
		team,
		name: team === 1 ? 'Lapis' : 'Vermilion',
		score,
		note: '',
	});
	const scored = (tick: number, team: number, points: number): KeptEvent => ({
		type: 'ScoreEvent',
		tick,
		team,
		points,
	});
	const units = {
		1: { name: 'Knight', role: 'Hero', team: 1 },
		2: { name: 'Dark mage', role: 'Hero', team: 2 },
		3: { name: 'Tower', role: 'Tower', team: 2 },
	} as const;
	const deathOf = (tick: number, entity: 1 | 2 | 3, killer: 1 | 2 | 3): KeptEvent => ({
		type: 'DeathEvent',
		tick,
		entity,
		entity_name: units[entity].name,
		entity_role: units[entity].role,
		killer,
		killer_name: units[killer].name,
		killer_team: units[killer].team,
	});
	const both = [side(1, 0), side(2, 0)];
	const chronicle = (
		events: readonly KeptEvent[],
		mine: number | null,
		rows: readonly (readonly unknown[])[] = [],
	) => chronicleOf({ events, rows }, both, (id) => (id < 10 ? 1 : 2), mine, 0);

	it('has the turning point and its cause, the kills, and the part of the own unit', () => {
		const events = [
			scored(60, 2, 4),
			deathOf(1190, 1, 2),
			scored(1200, 1, 2),
			scored(1200, 2, 5),
			deathOf(5990, 3, 1),
			scored(6000, 1, 9),
			deathOf(6900, 2, 1),
			scored(7200, 1, 9),
		];
		const story = tellStory(chronicle(events, 1), [side(1, 20), side(2, 9)], {
			started: 0,
			ended: 7200,
			winner: 1,
		});
		expect(story.words).toEqual(['It turned at 1:40: Knight destroyed Tower.']);
		expect(story.turn).toEqual({ tick: 6000, time: 6000 / 7200 });
		expect(story.kills.map(({ heroes, buildings }) => [heroes, buildings])).toEqual([
			[1, 1],
			[1, 0],
		]);
		expect(story.own).toEqual({ kills: 2, falls: 1 });
		expect(story.lines[1]!.points.slice(0, 2)).toEqual([
			[0, 0],
			[60 / 7200, 4 / 20],
		]);
		expect(story.lines[0]!.points.at(-1)).toEqual([1, 1]);
	});

	it('reports a side that always led, one that lost while it led, and a winning number', () => {
		const from = (winner: number) =>
			tellStory(
				chronicle([scored(600, 1, 5), scored(600, 2, 1), scored(900, 1, 1), scored(900, 2, 2)], null),
				[side(1, 6), side(2, 3)],
				{ started: 0, ended: 1000, winner },
			).words;
		expect(from(1)).toEqual(['Lapis led from 0:10 on.']);
		expect(from(2)).toEqual(['Lapis was ahead to the end.']);
		// The only point ends the match, so its event comes after the end.
		const point = chronicle([deathOf(1000, 2, 1), scored(1001, 1, 1)], 1);
		const sudden = tellStory(point, [side(1, 9), side(2, 0)], { started: 0, ended: 1001, winner: 1 });
		expect(sudden.words).toEqual(['Lapis led from 0:16 on: Knight killed Dark mage.']);
		expect(sudden.lines.map(({ score }) => score)).toEqual([1, 0]);
		const late = { started: 0, since: 600, ended: 1001, winner: 1 };
		expect(tellStory(point, both, late).words.at(-1)).toBe('The time before 0:10 is no longer kept.');
		// With a winning number, the best entity of a side is its score.
		const gold = chronicle([scored(5, 1, 9)], null, [
			[60, 1, 20],
			[60, 2, 30],
			[60, 11, 25],
			[120, 1, 20],
			[120, 11, 40],
		]);
		expect(gold.samples.map(({ tick, scores }) => [tick, scores.get(1), scores.get(2)])).toEqual([
			[0, 0, 0],
			[60, 30, 25],
			[120, 20, 40],
		]);
	});
});

it('enemies are living units of another side, the nearest first, and in reach within the range of the weapon', () => {
	const armed = { ...knight, combat: { range: 2 } };
	const fort = { ...tower, health: [9, 9] as const };
	const others = [unit(9, { health: [5, 5] }), { ...mage, id: 8, dead: true as const }];
	expect(foesOf(armed, [armed, fort, mage, ...others]).map(({ id }) => id)).toEqual([2, 3]);
	expect([isInReach(armed, mage), isInReach(armed, { ...mage, transform: place(4, 0) })]).toEqual([
		true,
		false,
	]);
});

it('replaces a line by its repetition, as the newest', () => {
	const line = (tick: number, text: string) => ({ tick, parts: [{ text }] });
	const lines = feedLines(
		[],
		[line(1, 'Q is not ready yet'), line(2, 'Ada cast Q'), line(3, 'Q is not ready yet')],
		3,
	);
	expect(lines.map(({ parts }) => parts[0]!.text)).toEqual(['Ada cast Q', 'Q is not ready yet']);
});
