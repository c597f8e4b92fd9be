/**
 * Differences of a fork as rows, and the places of their pins.
 * Owns: the cases of differences.ts and camera.ts.
 */

import { expect, it } from 'vitest';
import { type Camera, lookingAt, placeInPicture, turned, zoomed } from '../../../../web/ui/forks/camera.ts';
import {
	type Diff,
	differencesOf,
	KNOWN_FIELDS,
	pinsOf,
	readKnown,
} from '../../../../web/ui/forks/differences.ts';
import { startEngine } from '../../../support/engine.ts';

it('lists new and removed entities, health, places and gold, each with its name, pin and verdict', async () => {
	const { engine, must, spawn } = await startEngine();
	try {
		await spawn({
			name: 'Wren',
			role: 'Hero',
			team: 1,
			health: 100,
			gold: 10,
			position: [0, 0, 0],
			player: true,
		});
		await spawn({ name: 'Rook', role: 'Hero', team: 2, health: 100, position: [4, 0, 0] });
		await spawn({ name: 'Tower', role: 'Tower', team: 2, health: 50, position: [9, 0, 0], mesh: 'cylinder' });
		await must('POST', '/fork', { fork_id: 'dive' });
		for (const body of [
			{ path: '/entity/damage?world=dive', body: { entity_id: 0, amount: 60 } },
			{ path: '/entity/damage?world=dive', body: { entity_id: 1, amount: 10 } },
			{ path: '/despawn?world=dive', body: { entity_id: 2 } },
			{ path: '/entities/0/components?world=dive', body: { position: [3, 0, 4], gold: 25 } },
			{ path: '/entities/1/components?world=dive', body: { color: 'blue' } },
			{ path: '/spawn?world=dive', body: { name: 'Wall', mesh: 'cube', position: [1, 1, 1] } },
			{ path: '/step?world=dive', body: { ticks: 1 } },
		])
			await must('POST', body.path, body.body);
		const diff = (await must('GET', '/fork/dive/diff?against=main')) as unknown as Diff;
		const known = async (world: string) => {
			const { columns, rows } = await must('POST', `/observe?world=${world}`, { fields: [...KNOWN_FIELDS] });
			return readKnown(columns as string[], rows as unknown[][]);
		};
		const [main, fork] = [await known('main'), await known('dive')];
		expect(main.team).toBe(1);
		const { rows } = differencesOf(diff, { main: main.entities, fork: fork.entities, team: main.team });
		expect(
			rows.map(({ number, name, field, from, to, verdict }) => [number, name, field, from, to, verdict]),
		).toEqual([
			[1, 'Tower', '', 'there', 'gone', 'better'],
			[2, 'Wall', '', '', 'new', null],
			[3, 'Wren', 'health', '100', '40 HP', 'worse'],
			[4, 'Rook', 'health', '100', '90 HP', 'better'],
			[5, 'Wren', 'place', '', '5 m away', null],
			[3, 'Wren', 'gold', '10', '25', 'better'],
			[4, 'Rook', 'colour', 'none', 'blue', null],
		]);
		// The pin of a moved entity is at its place in main.
		expect(rows.map(({ place }) => place?.map(Math.round))).toEqual([
			[9, 0, 0],
			[1, 1, 1],
			[3, 0, 4],
			[4, 0, 0],
			[0, 0, 0],
			[3, 0, 4],
			[4, 0, 0],
		]);
		// In main, Wren's three rows are at one place.
		expect(pinsOf(rows, true).map(({ numbers }) => numbers)).toEqual([[1], [3, 5], [4]]);
		expect(pinsOf(rows, false).map(({ numbers }) => numbers)).toEqual([[1], [2], [3], [4], [5]]);
		expect(rows.map(({ placeInMain }) => placeInMain?.map(Math.round))).toEqual([
			[9, 0, 0],
			undefined,
			[0, 0, 0],
			[4, 0, 0],
			[0, 0, 0],
			[0, 0, 0],
			[4, 0, 0],
		]);
	} finally {
		engine.close();
	}
});

it('projects places into the picture of a camera, which turns around its target and zooms', () => {
	const camera: Camera = {
		eye: [0, 0, 10],
		target: [0, 0, 0],
		up: [0, 1, 0],
		fov_y: Math.PI / 2,
		orthographic: false,
		ortho_size: 5,
	};
	const expectClose = (found: readonly number[] | null, wanted: readonly number[]) => {
		for (const [at, part] of wanted.entries()) expect(found?.[at]).toBeCloseTo(part, 9);
	};
	expectClose(placeInPicture(camera, 2, [0, 0, 0]), [0.5, 0.5]);
	expectClose(placeInPicture(camera, 2, [5, 5, 0]), [0.625, 0.25]);
	expectClose(placeInPicture({ ...camera, orthographic: true }, 2, [5, 2.5, 3]), [0.75, 0.25]);
	expect([placeInPicture(camera, 2, [0, 0, 11]), placeInPicture(camera, 2, [0, 11, 0])]).toEqual([
		null,
		null,
	]);
	expectClose(turned(camera, 1, 0).eye, [-10, 0, 0]);
	expectClose(turned(camera, 0, 0.5).eye, [0, 10 * Math.SQRT1_2, 10 * Math.SQRT1_2]);
	expectClose(zoomed(camera, 0.5).eye, [0, 0, 5]);
	expectClose(zoomed(camera, 1e-9).eye, [0, 0, 1]);
	expectClose(lookingAt({ ...camera, eye: [0, 0, 28] }, [5, 1, 0]).eye, [5, 1, 14]);
});

it('lists the settings of the world by field, and what is too long for a line in a word', async () => {
	const { engine, must } = await startEngine();
	try {
		await must('POST', '/fork', { fork_id: 'dusk' });
		for (const [path, body] of [
			['/sky/settings', { time_of_day: 18.2, clouds: 0.9, plate: false }],
			['/fog/settings', { enabled: true }],
			['/tuning', { physics: { gravity: [0, -1, 0] } }],
			['/foliage/scatter', { mesh_name: 'grass', seed: 1 }],
			['/camera', { eye: [1, 2, 3] }],
		] as const)
			await must('POST', `${path}?world=dusk`, body);
		const diff = (await must('GET', '/fork/dusk/diff?against=main')) as unknown as Diff;
		const none = readKnown([], []).entities;
		const { rows, others } = differencesOf(diff, { main: none, fork: none, team: null });
		expect(rows.map(({ name, field, from, to }) => [name, field, from, to])).toEqual([
			['Fog', '', 'none', 'set'],
			['Plants', '', 'none', 'set'],
			['Sky', 'time of day', 'none', '18.2'],
			['Sky', 'plate', 'on', 'off'],
			['Sky', 'clouds', 'none', '0.9'],
			['Tuning', '', 'none', 'set'],
		]);
		expect(others).toBe(1);
	} finally {
		engine.close();
	}
});
