/**
 * A resource: one immutable value of a world, such as its camera. A registry is a resource with named entries, such as
 * the materials of a world.
 * Owns: the declaration of resources, and reading and replacing the value.
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
	/** Registries only: returns the present entries and the added ones. Added entries replace those with the same name. */
	merge?(present: T, added: T): T;
	/** Registries only: returns the entries by name. Each entry has its own owner. Without this, the value is a setting. */
	entriesOf?(value: T | undefined): Readonly<Record<string, unknown>>;
	/** Registries only: limits of all entries together. On a server with sign-in, each agent has a share of them. */
	readonly limits?: readonly ResourceLimit[];
	/** Its value matters only for a few ticks. Exact saves and forks contain it; documents and diffs omit it. */
	readonly transient?: true;
	/** Returns true if a value is empty. A world with an empty value does not have the resource. */
	isEmpty?(value: T): boolean;
	/** Returns the value in a new world, or undefined if this kind of host has none. */
	initial(profile: HostProfile): T | undefined;
}

/** Limit of the entries of a registry. */
export interface ResourceLimit {
	/** Name of the counted things, such as `layers of foliage`. */
	readonly noun: string;
	readonly max: number;
	/** Returns the number of counted things in an entry. Default: 1. */
	countIn?(entry: unknown): number;
}

/** A resource in a world. */
export interface HeldResource {
	readonly resource: Resource;
	readonly value: unknown;
	/** The world's version when it got this value. */
	readonly version: number;
}

/** Returns a number that increases whenever the value of a resource is replaced; 0 if the world does not have it. */
export function resourceVersion<T>(world: World, { name }: Resource<T>): number {
	return world.resources.get(name)?.version ?? 0;
}

/** Returns the value of a resource, or undefined if the world does not have it. */
export function resource<T>(world: World, declaration: Resource<T>): T | undefined {
	return world.resources.get(declaration.name)?.value as T | undefined;
}

/** Returns the world's own map of resources, for writing. */
export function ownResources(world: World): Map<string, HeldResource> {
	if (world.resourcesShared) {
		world.resources = new Map(world.resources);
		world.resourcesShared = false;
	}
	return world.resources as Map<string, HeldResource>;
}

/** Removes a resource from a world. Returns false if the world did not have it. */
export function clearResource<T>(world: World, { name }: Resource<T>): boolean {
	if (!world.resources.has(name)) return false;
	world.undo?.saveResource(name);
	ownResources(world).delete(name);
	markChanged(world);
	return true;
}

/** Replaces the value of a resource. The value must never be changed afterwards. */
export function setResource<T>(world: World, declaration: Resource<T>, value: T): void {
	if (declaration.isEmpty?.(value) === true) {
		clearResource(world, declaration);
		return;
	}
	const version = markChanged(world);
	world.undo?.saveResource(declaration.name);
	ownResources(world).set(declaration.name, { resource: declaration as Resource, value, version });
}
