/**
 * Makes calls that use the additions, and prints the answers as JSON. `test/adding.test.ts` runs it in a copy of the source
 * that has them.
 * Owns: these calls.
 */

import { decodeFrame, FRAME_TYPE } from '../../web/frames/frame-bytes.ts';
import { createEngine } from '../../web/host/engine.ts';
import { clientOf, requestOf } from './engine.ts';

const engine = await createEngine();
const client = clientOf((request) => engine.handle(request));
const { must, get } = client;

await must('POST', '/spawn', { mesh: 'cube', fur: 1, tags: ['goat'] });
await must('POST', '/spawn', { mesh: 'cube', tags: ['fish'] });
await must('POST', '/rule/create', { when: 'tick:2', actions: ['chill tag:goat 9'] });
await must('POST', '/rule/create', {
	name: 'wind',
	when: { kind: 'tick', every: 2 },
	outcomes: [
		{ label: 'blows', weight: 1, do: [{ action: 'chill', target: { tag: 'fish' }, degrees: 4 }] },
		{ label: 'rests', weight: 3, do: [] },
	],
});
await must('POST', '/rule/create', { when: 'frozen:6', actions: ['tag frosty:6 +white'] });
await must('POST', '/step', { ticks: 1 });

const peek = await must('POST', '/peek');
await must('POST', '/fork', { fork_id: 'same' });
const [mine, forks] = [await must('POST', '/step'), await must('POST', '/step?world=same')];
const picture = await engine.handle(requestOf('GET', '/frame', undefined, { accept: FRAME_TYPE }));
const { frame } = decodeFrame(picture.body);
const events = await must('GET', '/events');
const observed = await must('POST', '/observe');
const frost = await must('GET', '/frost');
const scenario = await must('GET', '/scenario?exact=true');
const digest = await must('GET', '/digest');
const thick = [
	await client.call('POST', '/entities/0/components', { fur: 60 }),
	await client.call('POST', '/level/load', {
		level: { version: 1, entities: [{ components: { frost: { degrees: 1 }, fur: { depth: 60 } } }] },
	}),
].map(({ body }) => body);
await must('POST', '/step?world=same');
const melted = await must('POST', '/observe?world=same');
await must('POST', '/reset', { fresh: true });
await must('POST', '/scenario', scenario);

console.log(
	JSON.stringify({
		peek,
		mine,
		forks,
		drawn: Array.from((frame.blocks as unknown as { frost: Int32Array }).frost),
		events,
		observed,
		frost,
		scenario,
		digest,
		thick,
		melted,
		restored: await must('GET', '/digest'),
		schema: await get('/schema'),
		document: await get('/openapi.json'),
	}),
);
await engine.close();
