/**
 * The panels with the fake engine: `?entities=42&forks=1&place=held&picture=drawing&relay=ready&agents=1`,
 * `chance=none|few|many`, `peek=MS`, and any number of `text=words|x|y|size|colour`.
 * Owns: reading the options from the address. Never: part of the product.
 */

import type { Picture } from '../../../../web/render/page-picture.ts';
import { mountPanels } from '../../../../web/ui/mount.tsx';
import type { DoorStatus, WorldHolding } from '../../../../web/ui/services.ts';
import { createFakeEngine } from '../fake-engine.ts';
import type { FakeChance } from '../fake-odds.ts';

const query = new URLSearchParams(location.search);
const pictures: Record<string, Picture> = {
	drawing: { kind: 'drawing', backend: 'webgpu', reduced: false },
	webgl2: { kind: 'drawing', backend: 'webgl2', reduced: true },
	starting: { kind: 'starting' },
	none: { kind: 'none', message: 'No WebGPU and no WebGL 2: update the browser or its graphics driver.' },
};
const picture = pictures[query.get('picture') ?? 'drawing']!;
const engine = createFakeEngine({
	entities: Number(query.get('entities') ?? 42),
	forks: query.get('forks') === '1',
	holding: (query.get('place') ?? 'held') as WorldHolding,
	picture,
	doors: {
		tab: { state: 'ready' },
		worker: { state: 'ready', p50_ms: 2.7 },
		relay: { state: (query.get('relay') ?? 'ready') as DoorStatus['state'], p50_ms: 0.8 },
	},
	failure: query.get('failure'),
	hud: (query.getAll('text') as string[]).map((line, index) => {
		const [text = '', x = '0.5', y = '0.1', size = '24', color = 'white'] = line.split('|');
		const at = { x: Number(x), y: Number(y), anchor: 'top' } as const;
		return { type: 'text', id: `text-${index + 1}`, until: null, text, ...at, size: Number(size), color };
	}),
	chance: (query.get('chance') ?? 'few') as FakeChance,
	peekMs: Number(query.get('peek') ?? 2),
});
const panels = mountPanels(document.getElementById('panels')!, engine.services);
if (picture.kind === 'drawing') engine.start(panels.canvas);

if (query.get('agents') === '1') {
	engine.agent('agent-3', 'POST', '/fork', { fork_id: 'agent-plan' });
	engine.agent('agent-3', 'POST', '/fork/agent-plan/step', { ticks: 60 });
	engine.agent('agent-1/1.0', 'POST', '/observe');
	engine.agent('agent-1/1.0', 'POST', '/spawn', { team: 256 });
	engine.agent('curl/8.5.0', 'GET', '/');
	engine.agent('ci-7', 'GET', '/schema');
	engine.agent('agent-1/1.0', 'POST', '/entities/3/components', {
		transform: { position: [6.84, 0, -3.51] },
	});
	engine.agent('curl/8.5.0', 'GET', '/entities/888');
	engine.agent('', 'POST', '/step', { ticks: 1 });
}
