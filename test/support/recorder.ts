/**
 * Recorder of all accesses to worlds while a system or a verb runs.
 * Owns: wrappers of `read`, `write`, `emit`, `drain` and similar functions, which report each access to a listener. The
 * returned arrays also report each accessed index.
 * Never: used in production; a test replaces the modules of `web/sim/core` with it.
 *
 * It does not report reads of liveness, because a dead entity has no components, whose reads are reported.
 */

import type { Component, Fields, Row } from '../../shared/contract/component.ts';
import type { EventData, EventType } from '../../shared/contract/event.ts';
import type * as bits from '../../web/sim/core/bits.ts';
import type * as events from '../../web/sim/core/events.ts';
import type * as resources from '../../web/sim/core/resource.ts';
import type * as worlds from '../../web/sim/core/world.ts';
import type { World } from '../../web/sim/core/world.ts';

export type AccessKind = 'read' | 'write' | 'emit' | 'drain';

/** Entities of an access: one slot, or all that have these components. */
export type AccessedBy = number | readonly Component[];

/** Listener of accesses. Only the innermost one is called. */
export interface Listener {
	note(kind: AccessKind, name: string, world: World, entities: AccessedBy | null): void;
	/** Called when an entity is spawned. */
	onSpawn(world: World, slot: number): void;
}

const listeners: Listener[] = [];

/** Returns true if a listener is set. */
export const isRecording = (): boolean => listeners.length > 0;

/** Runs `run` with a listener, which gets all its accesses. The previous listener gets none of them. */
export function withListener<T>(listener: Listener, run: () => T): T {
	listeners.push(listener);
	try {
		return run();
	} finally {
		listeners.pop();
	}
}

/** Runs `run` without recording. */
export const withoutRecording = <T>(run: () => T): T =>
	withListener({ note: () => {}, onSpawn: () => {} }, run);

/** Reports an access to the listener. */
export const note = (
	kind: AccessKind,
	name: string,
	world: World,
	entities: AccessedBy | null = null,
): void => listeners.at(-1)?.note(kind, name, world, entities);

interface Tracked {
	readonly raw: Indexed;
	readonly world: World;
	/** The component and its column; null for the array of its presence bits. */
	readonly component: Component;
	readonly field: string | null;
	/** Numbers per entity, and index in the column at which the array begins. */
	readonly stride: number;
	readonly from: number;
	/** True if writes to the array change the world. */
	readonly isWritable: boolean;
}

interface Indexed {
	[index: number]: unknown;
	readonly length: number;
}

const trackedOf = new WeakMap<object, Tracked>();

const nameOf = ({ component, field }: Tracked) =>
	field === null ? component.name : `${component.name}.${field}`;

function noteIndex(tracked: Tracked, kind: 'read' | 'write', index: number): void {
	const { world, stride, from, component } = tracked;
	// A word of presence bits has 32 entities, so it names no single one.
	const entities = tracked.field === null ? [component] : Math.floor((from + index) / stride);
	note(kind, nameOf(tracked), world, entities);
}

/** Array methods that return a part of the array, or write to it index by index. */
const ARRAY_METHODS: Readonly<Record<string, (tracked: Tracked, args: readonly never[]) => unknown>> = {
	slice: (tracked, [begin = 0, end]) => {
		const raw = (tracked.raw as unknown as unknown[]).slice(begin, end) as unknown as Indexed;
		return track({ ...tracked, raw, from: tracked.from + begin, isWritable: false });
	},
	subarray: (tracked, [begin = 0, end]) => {
		const raw = (tracked.raw as Float32Array).subarray(begin, end);
		return track({ ...tracked, raw, from: tracked.from + begin });
	},
	set: (tracked, [source, at = 0]) => {
		const values = source as unknown as Indexed;
		for (let i = 0; i < values.length; i++) setTracked(tracked, at + i, values[i]);
	},
	fill: (tracked, [value, begin = 0, end = tracked.raw.length as never]) => {
		for (let i = begin as number; i < end; i++) setTracked(tracked, i, value);
	},
};

function setTracked(tracked: Tracked, index: number, value: unknown): void {
	if (tracked.isWritable) noteIndex(tracked, 'write', index);
	tracked.raw[index] = value;
}

function track(tracked: Tracked): Indexed {
	const proxy = new Proxy(tracked.raw, {
		get(raw, key) {
			if (typeof key === 'string' && /^\d+$/.test(key)) {
				noteIndex(tracked, 'read', Number(key));
				return raw[Number(key)];
			}
			const value = Reflect.get(raw, key, raw) as unknown;
			if (typeof value !== 'function' || key === 'constructor') return value;
			const method = Object.hasOwn(ARRAY_METHODS, key) ? ARRAY_METHODS[key as string] : undefined;
			if (method !== undefined) return (...args: never[]) => method(tracked, args);
			note('read', nameOf(tracked), tracked.world, [tracked.component]);
			return value.bind(raw) as unknown;
		},
		set(_, key, value) {
			setTracked(tracked, Number(key as string), value);
			return true;
		},
	});
	trackedOf.set(proxy, tracked);
	return proxy;
}

function trackColumn(
	world: World,
	component: Component,
	field: string,
	raw: Indexed,
	isWritable: boolean,
): Indexed {
	if (listeners.length === 0) return raw;
	const declared = component.fields[field]!;
	const stride = declared.kind === 'entity' ? 2 : 'size' in declared ? declared.size : 1;
	return track({ raw, world, component, field, stride, from: 0, isWritable });
}

export function watchedBits(real: typeof bits): typeof bits {
	return {
		...real,
		hasBit(words, slot) {
			const tracked = trackedOf.get(words);
			if (tracked === undefined) return real.hasBit(words, slot);
			note('read', nameOf(tracked), tracked.world, slot);
			return real.hasBit(tracked.raw as Uint32Array, slot);
		},
	};
}

const fieldsOf = (component: Component) => Object.keys(component.fields);

export function watchedWorld(real: typeof worlds): typeof worlds {
	const noteFields = (
		kind: 'read' | 'write',
		world: World,
		component: Component,
		entities: AccessedBy,
		fields?: string[],
	) => {
		note(kind, component.name, world, entities);
		for (const field of fields ?? fieldsOf(component))
			note(kind, `${component.name}.${field}`, world, entities);
	};
	const watched: typeof worlds = {
		inTick: real.inTick,
		partState(world, part) {
			// The functions for events report their kinds themselves.
			if (part.name !== 'events') {
				note('read', part.name, world);
				note('write', part.name, world);
			}
			return real.partState(world, part);
		},
		has(world, slot, component) {
			note('read', component.name, world, slot);
			return real.has(world, slot, component);
		},
		hasAny(world, components) {
			for (const component of components) note('read', component.name, world, [component]);
			return real.hasAny(world, components);
		},
		presence(world, component) {
			const raw = real.presence(world, component);
			if (listeners.length === 0) return raw;
			return track({
				raw: raw as unknown as Indexed,
				world,
				component,
				field: null,
				stride: 1,
				from: 0,
				isWritable: false,
			}) as unknown as Uint32Array;
		},
		count(world, component) {
			note('read', component.name, world, [component]);
			return real.count(world, component);
		},
		read: (world, component, field) =>
			trackColumn(
				world,
				component as unknown as Component,
				field,
				real.read(world, component, field) as unknown as Indexed,
				false,
			) as never,
		write: (world, component, field) =>
			trackColumn(
				world,
				component as unknown as Component,
				field,
				real.write(world, component, field) as unknown as Indexed,
				true,
			) as never,
		versionOf(world, component, ...fields) {
			noteFields('read', world, component, [component], fields);
			return real.versionOf(world, component, ...fields);
		},
		each(world, components, visit) {
			for (const { name } of components) note('read', name, world, components);
			real.each(world, components, visit);
		},
		get(world, slot, component) {
			noteFields('read', world, component as unknown as Component, slot);
			return real.get(world, slot, component);
		},
		add<F extends Fields>(world: World, slot: number, of: Component<F>, values?: Partial<Row<F>>) {
			const component = of as unknown as Component;
			if (real.has(world, slot, component))
				for (const field of Object.keys(values ?? {}))
					note('write', `${component.name}.${field}`, world, slot);
			else noteFields('write', world, component, slot);
			real.add(world, slot, of, values);
		},
		remove(world, slot, component) {
			if (real.has(world, slot, component)) noteFields('write', world, component, slot);
			else note('read', component.name, world, slot);
			return real.remove(world, slot, component);
		},
		spawn(world) {
			note('write', 'entities', world, []);
			const handle = real.spawn(world);
			listeners.at(-1)?.onSpawn(world, handle.id);
			return handle;
		},
		despawn(world, slot) {
			note('write', 'entities', world, slot);
			// Events keep data of a removed entity. Reading these data is not an access of the system.
			withoutRecording(() => real.despawn(world, slot));
		},
		componentsOf(world, slot) {
			for (const component of real.componentsOf(world, slot)) note('read', component.name, world, slot);
			return real.componentsOf(world, slot);
		},
	};
	const missing = Object.keys(real).filter((name) => !Object.hasOwn(watched, name));
	if (missing.length > 0)
		throw new Error(`The recorder has no wrapper for ${missing.join(', ')} of core/world.ts.`);
	return watched;
}

export function watchedResources(real: typeof resources): typeof resources {
	return {
		// Only saves and undo of the host use it, not systems.
		ownResources: real.ownResources,
		resource(world, declaration) {
			note('read', declaration.name, world);
			return real.resource(world, declaration);
		},
		resourceVersion(world, declaration) {
			note('read', declaration.name, world);
			return real.resourceVersion(world, declaration);
		},
		clearResource(world, declaration) {
			note('write', declaration.name, world);
			return real.clearResource(world, declaration);
		},
		setResource(world, declaration, value) {
			note('write', declaration.name, world);
			real.setResource(world, declaration, value);
		},
	};
}

export function watchedEvents(real: typeof events): typeof events {
	const noting =
		<A extends unknown[], R>(run: (world: World, ...args: A) => R) =>
		(world: World, ...args: A): R => {
			note('drain', '*', world);
			return run(world, ...args);
		};
	return {
		...real,
		emit<T extends EventType>(world: World, type: T, data: EventData<T>) {
			note('emit', type.kind, world);
			real.emit(world, type, data);
		},
		drain(world, type, reader) {
			note('drain', type.kind, world);
			return real.drain(world, type, reader);
		},
		countSent(world, type) {
			note('drain', type.kind, world);
			return real.countSent(world, type);
		},
		skipEvents: noting(real.skipEvents),
		drainEvents: noting(real.drainEvents),
		eventsOfLastTick: noting(real.eventsOfLastTick),
		eventsSinceLastTick: noting(real.eventsSinceLastTick),
		pendingEvents: noting(real.pendingEvents),
	};
}
