/**
 * Worlds with every component and every kind of event, and changed values for any field.
 * Owns: the values and the smallest changes of each kind of field.
 */

import { components } from '../../shared/components/index.ts';
import type { Component, Field } from '../../shared/contract/component.ts';
import { Collision } from '../../shared/events/collision.ts';
import { DamageDealt } from '../../shared/events/damage.ts';
import { Death } from '../../shared/events/death.ts';
import { Signal } from '../../shared/events/signal.ts';
import { emit } from '../../web/sim/core/events.ts';
import { add, spawn, type World } from '../../web/sim/core/world.ts';
import { freshWorld } from './engine.ts';

/** Number of entities in `fullWorld`. */
export const ENTITY_COUNT = 3;

/** Returns a world with a few entities that have every component, and with some events. */
export async function fullWorld(seed = 5): Promise<World> {
	const world = await freshWorld(seed);
	for (let i = 0; i < ENTITY_COUNT; i++) {
		const { id } = spawn(world);
		for (const component of components) {
			const row: Record<string, unknown> = {};
			for (const [name, field] of Object.entries(component.fields)) row[name] = fieldValue(field, i);
			add(world, id, component, row as never);
		}
	}
	const handle = { id: 0, generation: 0 };
	emit(world, DamageDealt, { target: handle, amount: 3, source: null });
	emit(world, Death, { entity: handle, killer: { id: 1, generation: 0 } });
	emit(world, Collision, { a: handle, b: { id: 1, generation: 0 }, started: true });
	emit(world, Signal, { name: 'gate', data: { open: true } });
	return world;
}

/** Returns a value that fits a field, different for every `index`. */
export function fieldValue(field: Field, index: number): unknown {
	switch (field.kind) {
		case 'word':
			return field.words[index % field.words.length];
		case 'entity':
			return { id: index, generation: 0 };
		case 'json':
			if (field.documentField === 'terrain') return { width: 2, height: 2, cell_size: index + 1, chunks: [] };
			return index === 0 ? field.initial : otherJson(field.initial, index);
		case 'f32':
			return sized(field.size, index + 0.5);
		default:
			return sized(field.size, index + 1);
	}
}

function sized(size: number, value: number): unknown {
	return size === 1 ? value : Array.from({ length: size }, (_, i) => value + i);
}

function otherJson(initial: unknown, index: number): unknown {
	if (Array.isArray(initial)) return [...initial, `${index}`];
	if (typeof initial === 'string') return `${initial}${index}`;
	if (typeof initial === 'object' && initial !== null) return { ...initial, other: index };
	return `other ${index}`;
}

/** Smallest change of one number, word, reference or value of a field. */
export interface ComponentChange {
	readonly component: Component;
	readonly field: string;
	readonly description: string;
	/** Applies the change to the data of a column, for the entity in `slot`. */
	apply(data: never, slot: number): void;
}

/** Returns a smallest change for every value of every field of the components. */
export function everyChange(list: readonly Component[]): ComponentChange[] {
	return list.flatMap((component) =>
		Object.entries(component.fields).flatMap(([name, field]): ComponentChange[] => {
			const change = (suffix: string, apply: (data: never, slot: number) => void): ComponentChange => ({
				component,
				field: name,
				description: `${component.title}.${name}${suffix}`,
				apply,
			});
			if (field.kind === 'json')
				return [
					change('', ((data: unknown[], slot: number) => {
						data[slot] = otherJson(data[slot], 99);
					}) as never),
				];
			const stride = field.kind === 'entity' ? 2 : 'size' in field ? field.size : 1;
			return Array.from({ length: stride }, (_, i) =>
				change(stride === 1 ? '' : `[${i}]`, ((data: Float32Array, slot: number) => {
					// Flips the least significant bit of the number.
					const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
					const offset = (slot * stride + i) * data.BYTES_PER_ELEMENT;
					bytes[offset] = bytes[offset]! ^ 1;
				}) as never),
			);
		}),
	);
}
