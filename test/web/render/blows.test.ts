/** Blows that are heard, each of them once. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
	DEFAULT_FEEDBACK,
	type FeedbackMoment,
	feedbackSettings,
} from '../../../shared/documents/feedback.ts';
import { HitSounds } from '../../../web/render/blows.ts';
import { PUBLIC } from '../../support/public-files.ts';
import { sceneNames } from '../../support/scenes.ts';

const moment = (
	number: number,
	tick: number,
	share: number,
	kind: FeedbackMoment['kind'] = 'hurt',
): FeedbackMoment => ({
	kind,
	tick,
	number,
	entity: { id: number, generation: 0 },
	place: [number, 1, 2],
	size: 1,
	team: null,
	color: null,
	amount: share * 100,
	share,
	shooter: null,
});
const frame = (moments: readonly FeedbackMoment[], sounds = true) => ({
	tick: 0,
	settings: { ...DEFAULT_FEEDBACK, sounds },
	moments,
	leaving: [],
});

test('blows are played once, the strongest of a frame, without old ones', () => {
	const blows = new HitSounds();
	const places = (moments: readonly FeedbackMoment[], tick: number) =>
		blows.takeEvents(frame(moments), tick).map(({ data }) => (data.position as number[])[0]);
	const first = [moment(1, 40, 0.1), moment(2, 100, 0.1), moment(3, 100, 0.5), moment(4, 100, 1, 'death')];
	expect(places(first, 100)).toEqual([3, 2]);
	expect(places(first, 101)).toEqual([]);
	const many = [5, 6, 7, 8, 9].map((number) => moment(number, 102, number / 10));
	expect(places([...first, ...many], 102)).toEqual([9, 8, 7, 6]);
	expect(places([...first, ...many], 103)).toEqual([]);
	// The world restarted counts from the beginning.
	expect(places([moment(1, 3, 0.1)], 3)).toEqual([1]);
});

test('no sound is played unless the world enables it, and silent blows are not made up for', () => {
	const blows = new HitSounds();
	expect(blows.takeEvents(frame([moment(1, 10, 1)], false), 10)).toEqual([]);
	expect(blows.takeEvents(frame([moment(1, 10, 1)]), 10)).toEqual([]);
	const [heard] = blows.takeEvents(frame([moment(2, 11, 1)]), 11);
	expect(heard).toMatchObject({ kind: 'sound_played', data: { clip: 'sounds/hit.wav', volume: 0.75 } });
});

test('stored worlds from before the sound of blows have none, and games with fights have it', () => {
	const { sounds: _, ...old } = DEFAULT_FEEDBACK;
	expect(feedbackSettings.parse(old).sounds).toBe(false);
	const resources = (name: string) =>
		JSON.parse(readFileSync(join(PUBLIC, 'scenes', `${name}.json`), 'utf8')).resources;
	const heard = sceneNames().filter((name) => resources(name).feedback?.sounds === true);
	expect(heard).toEqual(['arena', 'dungeon', 'skirmish']);
});
