/**
 * A resource: one immutable value of a world, such as its camera.
 * Owns: the declaration, and reading and replacing the value.
 */

import type * as z from 'zod';
import type { ComponentScope } from '../../../shared/contract/component.ts';
import { markChanged } from './version.ts';
import type { HostProfile, World } from './world.ts';

export interface Resource<T = unknown> {
	readonly name: string;
	readonly scope: ComponentScope;
	readonly summary: string;
	readonly schema: z.ZodType<T>;
	/** Of a registry: what there is with more put in, those of the same name replaced. */
	merge?(present: T, added: T): T;
	/** Of a registry: what it holds, by name. Each has an owner of its own; a resource without this is a setting of the world. */
	things?(value: T | undefined): Readonly<Record<string, unknown>>;
	/** Of a registry: limits on all that it holds together. On a server with sign-in, each agent has a part of them. */
	readonly room?: readonly ResourceRoom[];
	/** Of the last moments: exact saves and forks have it, documents and differences leave it out. */
	readonly passing?: true;
	/** Of one that fresh worlds do not have: whether a value says nothing, so that the world does not have it any more. */
	isNone?(value: T): boolean;
	/** Returns the value in a fresh world, or undefined if this kind of host has none. */
	initial(profile: HostProfile): T | undefined;
}

/** A limit on what a registry holds. */
export interface ResourceRoom {
	/** Name of the counted things, such as `layers of foliage`. */
	readonly what: string;
	readonly most: number;
	/** Returns what a thing takes of it; 1 unless given. */
	of?(thing: unknown): number;
}

/** A resource in a world. */
export interface HeldResource {
	readonly resource: Resource;
	readonly value: unknown;
	/** The world's version when it got this value. */
	readonly version: number;
}

/** Returns a number that rises whenever a resource gets another value; 0 when the world has none. */
export function resourceVersion<T>(world: World, { name }: Resource<T>): number {
	return world.resources.get(name)?.version ?? 0;
}

/** Returns the value of a resource, or undefined if the world has none. */
export function resource<T>(world: World, declaration: Resource<T>): T | undefined {
	return world.resources.get(declaration.name)?.value as T | undefined;
}

/** Returns the map of resources to write to: the world's own. */
export function ownResources(world: World): Map<string, HeldResource> {
	if (world.resourcesShared) {
		world.resources = new Map(world.resources);
		world.resourcesShared = false;
	}
	return world.resources as Map<string, HeldResource>;
}

/** Takes a resource from a world, as if it had never had it; false if it has none. */
export function clearResource<T>(world: World, { name }: Resource<T>): boolean {
	if (!world.resources.has(name)) return false;
	world.undo?.resource(name);
	ownResources(world).delete(name);
	markChanged(world);
	return true;
}

/** Replaces a resource. The value must never be changed afterwards. */
export function setResource<T>(world: World, declaration: Resource<T>, value: T): void {
	if (declaration.isNone?.(value) === true) {
		clearResource(world, declaration);
		return;
	}
	const version = markChanged(world);
	world.undo?.resource(declaration.name);
	ownResources(world).set(declaration.name, { resource: declaration as Resource, value, version });
}
