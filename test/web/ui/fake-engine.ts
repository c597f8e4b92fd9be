/**
 * A small fake engine, to view the panels without the real one.
 * Owns: answers to the calls of the panels, in the shapes of the contract. Never: simulates; part of the product.
 */

import { effect, signal } from '@preact/signals';
import { components } from '../../../shared/components/index.ts';
import { schemaDocument } from '../../../shared/contract/schema-document.ts';
import { routes } from '../../../shared/routes/index.ts';
import type { CallRecord, EngineStatus, ShownElement } from '../../../web/frames/frames.ts';
import type { Picture } from '../../../web/render/page-picture.ts';
import type { ViewHandle } from '../../../web/render/view-host.ts';
import type { Entity } from '../../../web/ui/entities/entity.ts';
import type { Choice } from '../../../web/ui/odds/odds.ts';
import type { Doors, PanelServices, WorldHolding } from '../../../web/ui/services.ts';
import { createMemoryStorage } from '../../../web/ui/state/kept.ts';
import { NO_SESSION } from '../../support/no-session.ts';
import { type FakeChance, fakePeek, fakeRules, fakeSample } from './fake-odds.ts';

type Body = Readonly<Record<string, unknown>>;

interface FakeWorld {
	parent: string;
	parentTick: number;
	tick: number;
	playing: boolean;
	entities: Map<number, Entity>;
	/** Last outcome of chance. */
	luck: string;
}

export interface FakeOptions {
	/** Initial number of entities. */
	readonly entities: number;
	readonly forks: boolean;
	readonly holding: WorldHolding;
	readonly picture: Picture;
	readonly doors: Doors;
	readonly failure: string | null;
	readonly hud: readonly ShownElement[];
	readonly chance: FakeChance;
	/** Duration of a peek (ms). */
	readonly peekMs: number;
}

export interface FakeEngine {
	readonly services: PanelServices;
	/** Makes a call like an external agent. */
	agent(name: string, method: string, path: string, body?: Body): void;
	start(canvas: HTMLCanvasElement): void;
}

function hash(text: string): string {
	let h = 0xcbf29ce484222325n;
	for (const char of text) h = BigInt.asUintN(64, (h ^ BigInt(char.charCodeAt(0))) * 0x100000001b3n);
	return h.toString(16).padStart(16, '0');
}

function digestOf(world: FakeWorld): string {
	return hash(
		`${world.tick} ${world.luck} ${world.entities.size} ${JSON.stringify([...world.entities.values()].slice(0, 50))}`,
	);
}

const REST = { position: [0, 0, 0], rotation: [0, 0, 0, 1], scale: [1, 1, 1] } as const;

function populate(count: number): Map<number, Entity> {
	const entities = new Map<number, Entity>();
	const roles = ['Structure', 'Tower', 'Tower', 'Hero', 'Hero', 'Minion', 'Minion', 'Minion'];
	const meshes = ['cube', 'sphere', 'cylinder', 'cone'];
	const colors = ['gold', 'blue', 'green', 'orange', 'red'];
	for (let id = 0; id < count; id++) {
		const team = id % 5 < 2 ? 2 : id % 5 < 4 ? 1 : undefined;
		const role = team === undefined ? undefined : roles[(id >> 1) % roles.length];
		const at = [(id % 17) * 1.5 - 10, id % 3 === 0 ? 0.5 : 2.25, -3.51 + (id % 11) * 0.75] as const;
		const pose = { ...REST, position: at };
		entities.set(id, {
			id,
			generation: 0,
			transform: pose,
			local_transform: pose,
			mesh: role === 'Tower' ? 'cylinder' : meshes[id % 4],
			color: colors[id % 5],
			collider: { shape: 'Aabb', hx: 0.5, hy: 0.5, hz: 0.5 },
			physics_body: id % 4 === 0 ? 'Dynamic' : 'Static',
			...(id % 4 === 0 ? { velocity: { linear: [0, -1.25, 0] as const, angular: [0, 0, 0] as const } } : {}),
			...(team === undefined ? {} : { team, role, health: [376, 800] as const }),
			...(id % 7 === 3 ? { tags: ['guard', 'north'] } : {}),
			...(id % 16 === 12 && team ? { dead: true as const, health: [0, 800] as const } : {}),
			...(role === 'Tower'
				? { combat: { damage: 55, range: 7, speed: 0, cooldown: 1.5, detect_range: 20, style: 'stationary' } }
				: {}),
		} as Entity);
	}
	return entities;
}

export function createFakeEngine(options: FakeOptions): FakeEngine {
	const worlds = new Map<string, FakeWorld>([
		[
			'main',
			{
				parent: '',
				parentTick: 0,
				tick: 43_447,
				playing: false,
				entities: populate(options.entities),
				luck: '',
			},
		],
	]);
	const clone = (from: string): FakeWorld => {
		const world = worlds.get(from)!;
		return {
			parent: from,
			parentTick: world.tick,
			tick: world.tick,
			playing: false,
			entities: new Map(world.entities),
			luck: world.luck,
		};
	};
	if (options.forks) {
		worlds.set('dive', { ...clone('main'), parentTick: 42_300, tick: 43_700 });
		worlds.set('retreat', { ...clone('main'), parentTick: 42_300 });
	}
	let pending: CallRecord[] = [];
	let number = 0;
	const describe = (calls: readonly CallRecord[]): EngineStatus => {
		const main = worlds.get('main')!;
		return {
			tick: main.tick,
			world_name: '',
			state_digest: digestOf(main),
			entity_count: main.entities.size,
			rule_count: 0,
			playing: main.playing,
			dropped_ticks: 0,
			relay: 'ready',
			forks: [...worlds.keys()].filter((id) => id !== 'main').sort(),
			calls,
		};
	};
	const status = signal<EngineStatus | null>(null);
	let queued = false;
	const queueStatus = () => {
		if (queued) return;
		queued = true;
		setTimeout(() => {
			queued = false;
			const calls = pending;
			pending = [];
			status.value = describe(calls);
		}, 100);
	};
	setInterval(() => {
		for (const world of worlds.values()) if (world.playing) world.tick += 6;
		if (worlds.get('main')!.playing) queueStatus();
	}, 100);

	const refusal = (http: number, message: string, fix: string) => ({
		status: http,
		body: { ok: false, error: message, message, code: 'invalid_body', fix },
	});
	const answer = (method: string, url: string, body: Body): { status: number; body: unknown } => {
		const [path = '', query = ''] = url.split('?');
		const world = worlds.get(new URLSearchParams(query).get('world') ?? 'main');
		if (world === undefined) return refusal(404, 'There is no such world.', 'GET /fork/list names them.');
		const stamp = () => ({ tick: world.tick, state_digest: digestOf(world) });
		const call = `${method} ${path}`;
		const entityMatch = /^\/entities\/(\d+)(\/components)?$/.exec(path);
		if (entityMatch) {
			const entity = world.entities.get(Number(entityMatch[1]));
			if (entity === undefined)
				return refusal(404, `There is no entity ${entityMatch[1]}.`, 'POST /observe lists the entities.');
			if (method === 'GET') return { status: 200, body: entity };
			const { generation: _, agent_id: __, transform, remove, health, ...rest } = body;
			const next: Record<string, unknown> = { ...entity, ...rest };
			if (transform) next.local_transform = { ...entity.local_transform, ...(transform as object) };
			if (health !== undefined) next.health = [health, health];
			for (const key of (remove as string[] | undefined) ?? []) delete next[key];
			world.entities.set(entity.id, next as unknown as Entity);
			return { status: 200, body: { ok: true } };
		}
		const forkMatch = /^\/fork\/([^/]+)(\/step)?$/.exec(path);
		if (forkMatch && path !== '/fork/list') {
			const fork = worlds.get(forkMatch[1]!);
			if (fork === undefined) return refusal(200, `There is no fork "${forkMatch[1]}".`, 'GET /fork/list');
			if (method === 'DELETE') worlds.delete(forkMatch[1]!);
			else fork.tick += Number(body.ticks ?? 1);
			return { status: 200, body: { ok: true, tick: fork.tick, state_digest: digestOf(fork) } };
		}
		switch (call) {
			case 'GET /':
				return { status: 200, body: { ok: true, engine: 'fake', ...stamp() } };
			case 'GET /schema':
				return { status: 200, body: JSON.parse(JSON.stringify(schemaDocument(routes, components))) };
			case 'POST /observe':
				return {
					status: 200,
					body: {
						ok: true,
						...stamp(),
						entity_count: world.entities.size,
						entities: [...world.entities.values()],
					},
				};
			case 'POST /step': {
				world.tick += Number(body.ticks ?? 1);
				const sampled = fakeSample(options.chance, world.tick);
				world.luck = sampled.map(({ label }) => label).join();
				const { distribution_digest } = fakePeek({ tick: 0, digest: '', after: () => '' }, options.chance, 1);
				return {
					status: 200,
					body: {
						ok: true,
						ticks_advanced: body.ticks ?? 1,
						new_tick: world.tick,
						...stamp(),
						sampled,
						distribution_digest,
					},
				};
			}
			case 'POST /peek': {
				const after = (choices: readonly Choice[]) =>
					digestOf({ ...world, tick: world.tick + 1, luck: choices.map(({ label }) => label).join() });
				const fakeTick = { tick: world.tick, digest: digestOf(world), after };
				return { status: 200, body: fakePeek(fakeTick, options.chance, Number(body.max_branches)) };
			}
			case 'GET /rule/list':
				return { status: 200, body: { ok: true, rules: fakeRules, count: fakeRules.length } };
			case 'POST /play':
			case 'POST /pause':
				world.playing = path === '/play';
				return { status: 200, body: { ok: true, playing: world.playing } };
			case 'POST /spawn': {
				if (Number(body.team ?? 0) > 255)
					return refusal(422, `team is 0 to 255, got ${body.team}.`, 'Send "team": 2. Nothing was changed.');
				const id = Math.max(-1, ...world.entities.keys()) + 1;
				const pose = { ...REST, position: body.position ?? [0, 0, 0] };
				world.entities.set(id, {
					...body,
					id,
					generation: 0,
					transform: REST,
					local_transform: pose,
				} as unknown as Entity);
				return { status: 201, body: { ok: true, id, generation: 0, entity_id: id, entity_generation: 0 } };
			}
			case 'POST /despawn':
				world.entities.delete(Number(body.entity_id));
				return { status: 200, body: { ok: true } };
			case 'POST /entity/damage':
			case 'POST /entity/heal': {
				const entity = world.entities.get(Number(body.entity_id))!;
				const [now = 0, max = 0] = entity.health ?? [];
				const change = Number(body.amount) * (path.endsWith('heal') ? 1 : -1);
				const health = [Math.max(0, Math.min(max, now + change)), max] as const;
				world.entities.set(entity.id, { ...entity, health });
				return { status: 200, body: { ok: true } };
			}
			case 'POST /tag': {
				const entity = world.entities.get(Number(body.entity_id))!;
				const tags = new Set([...(entity.tags ?? []), ...((body.add as string[] | undefined) ?? [])]);
				for (const tag of (body.remove as string[] | undefined) ?? []) tags.delete(tag);
				world.entities.set(entity.id, { ...entity, tags: [...tags].sort() });
				return { status: 200, body: { ok: true, tags: [...tags].sort() } };
			}
			case 'POST /fork': {
				const id = String(body.fork_id);
				if (worlds.has(id))
					return refusal(200, `There is a fork "${id}" already.`, 'Choose another fork_id.');
				worlds.set(id, clone(String(body.from ?? 'main')));
				return { status: 200, body: { ok: true, fork_id: id, ...stamp() } };
			}
			case 'GET /fork/list': {
				const details = [...worlds]
					.filter(([id]) => id !== 'main')
					.sort(([a], [b]) => a.localeCompare(b))
					.map(([id, fork]) => ({
						fork_id: id,
						parent: fork.parent,
						parent_tick: fork.parentTick,
						entity_count: fork.entities.size,
						rule_count: 0,
						playing: fork.playing,
						tick: fork.tick,
						state_digest: digestOf(fork),
					}));
				return {
					status: 200,
					body: { ok: true, forks: details.map((d) => d.fork_id), count: details.length, details },
				};
			}
			default:
				return refusal(404, `There is no route ${call}.`, 'Nearest: /spawn');
		}
	};
	const record = (
		door: CallRecord['door'],
		sender: string,
		method: string,
		path: string,
		response: { status: number; body: unknown },
		ms: number,
	) => {
		const failed = response.body as { ok?: boolean; fix?: string };
		pending.push({
			number: ++number,
			tick: worlds.get('main')!.tick,
			door,
			sender,
			method,
			path: path.split('?')[0]!,
			world:
				new URLSearchParams(path.split('?')[1] ?? '').get('world') ??
				/^\/fork\/([^/]+)\//.exec(path)?.[1] ??
				'main',
			status: response.status,
			ms,
			...(failed.ok === false ? { fix: failed.fix } : {}),
		});
		queueStatus();
	};

	const view = signal<ViewHandle | null>(null);
	const start = (canvas: HTMLCanvasElement) => {
		const listeners = new Set<Parameters<ViewHandle['onSelected']>[0]>();
		let [width, height, isShown] = [canvas.clientWidth, canvas.clientHeight, true];
		let selected: number | null = null;
		const draw = () => {
			if (!isShown || width === 0) return;
			canvas.width = width;
			canvas.height = height;
			const c = canvas.getContext('2d')!;
			const sky = c.createLinearGradient(0, 0, 0, height);
			sky.addColorStop(0, '#1b2536');
			sky.addColorStop(1, '#0d121b');
			c.fillStyle = sky;
			c.fillRect(0, 0, width, height);
			c.fillStyle = '#5f7d4f';
			c.beginPath();
			c.ellipse(width / 2, height * 0.6, width * 0.46, height * 0.32, 0, 0, 7);
			c.fill();
			c.lineWidth = 4;
			c.strokeStyle = '#d2a650';
			c.stroke();
			c.fillStyle = '#f0e6cf';
			c.font = '14px sans-serif';
			c.fillText(`fake picture ${width} x ${height}, selected ${selected}`, 24, height - 64);
		};
		view.value = {
			select(entities) {
				selected = entities.at(-1)?.id ?? null;
				draw();
			},
			move() {},
			pick: async () => null,
			dispose() {},
			setTool() {},
			setSigns() {},
			setOutlines() {},
			cancel() {},
			settle() {},
			land: async () => null,
			onEdited: () => () => {},
			onBrushed: () => () => {},
			onReshaped: () => () => {},
			onDragging: () => () => {},
			focus: () => {},
			setWorld: draw,
			resize(w, h) {
				[width, height] = [w, h];
				draw();
			},
			setShown(now) {
				isShown = now;
				draw();
			},
			onSelected(listener) {
				listeners.add(listener);
				return () => listeners.delete(listener);
			},
			follow() {},
			watch() {},
			order() {},
			aim: async () => ({ hit: null, point: null }),
			onPlaces: () => () => {},
			onHappened: () => () => {},
			onUndecodable: () => () => {},
		};
		canvas.addEventListener('click', () => {
			selected = selected === null ? 3 : null;
			for (const listener of listeners)
				listener(selected === null ? [] : [{ id: selected, generation: 0 }], false);
			draw();
		});
		effect(() => {
			if (status.value) draw();
		});
	};

	const holding = signal(options.holding);
	queueStatus();
	return {
		services: {
			async call(method, path, body, on = 'you') {
				const began = performance.now();
				await new Promise((resolve) => setTimeout(resolve, path.startsWith('/peek') ? options.peekMs : 2));
				const response = answer(method, path, (body ?? {}) as Body);
				const copy = JSON.parse(JSON.stringify(response.body));
				const ms = performance.now() - began;
				record('page', on, method, path, response, ms);
				return { status: response.status, body: copy, ms };
			},
			status,
			view,
			picture: signal(options.picture),
			openPicture() {},
			takePicture: async () => null,
			kept: createMemoryStorage(),
			callLast() {},
			shows: signal(null),
			hud: signal(options.hud),
			sound: signal({ hearing: 'nothing', muted: false, fault: null }),
			mute() {},
			doors: signal(options.doors),
			holding,
			holder: signal('headless'),
			session: NO_SESSION,
			arriving: signal(null),
			reading: signal(null),
			failure: signal(options.failure),
			takeOver: () => {
				holding.value = 'held';
			},
			address: 'http://127.0.0.1:3917',
		},
		agent(name, method, path, body = {}) {
			record('relay', name, method, path, answer(method, path, body), 0.1 + Math.random() * 2);
		},
		start,
	};
}
