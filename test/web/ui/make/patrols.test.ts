/**
 * Patrols in the picture: a drag of a waypoint changes the world.
 * Owns: the cases of patrols.ts, with a real engine.
 */

import { expect, test, vi } from 'vitest';
import { callWords } from '../../../../web/ui/make/call-words.ts';
import { patrolRequests, patrolsOf } from '../../../../web/ui/make/patrols.ts';
import { startEngine } from '../../../support/engine.ts';

test('a selected guard shows its waypoints, and walks to a dragged one', async () => {
	const engine = await startEngine();
	const observe = async () => (await engine.call('POST', '/observe')).body.entities;
	const square = [
		[4, 0, 0],
		[0, 0, 0],
	];
	await engine.spawn({ name: 'Guard', health: 100, combat: true, combat_speed: 2.5, ai_patrol: square });
	await engine.spawn({ name: 'Idler', health: 100 });
	const list = await observe();
	const [patrol, ...none] = patrolsOf(list);
	expect([patrol, none]).toEqual([{ key: 'patrol 0', waypoints: square }, []]);
	const dragged = { ...patrol!, waypoints: patrol!.waypoints.with(0, [0, 0, -6]) };
	const [request] = patrolRequests(dragged, list);
	expect(callWords('POST', request!.path, request!.body, () => 'Guard')).toBe('Set the patrol of Guard');
	await engine.must('POST', request!.path, request!.body);
	expect((await observe())[0].ai_goal).toMatchObject({ waypoints: dragged.waypoints, speed: 2.5 });
	await engine.step(120);
	expect((await engine.position(0))[2]).toBeLessThan(-3);
	// On its way back to the second waypoint it goes on to that.
	await vi.waitFor(async () => {
		await engine.step(30);
		expect((await observe())[0].ai_goal.next).toBe(1);
	});
	const [again] = patrolRequests(
		{ ...dragged, waypoints: dragged.waypoints.with(0, [9, 0, 9]) },
		await observe(),
	);
	await engine.must('POST', again!.path, again!.body);
	expect((await observe())[0].ai_goal).toMatchObject({
		next: 1,
		waypoints: [
			[9, 0, 9],
			[0, 0, 0],
		],
	});
	// The guard has gone meanwhile.
	expect(patrolRequests(dragged, list.slice(1))).toEqual([]);
});
