/**
 * Owners of what registries hold: scripts, templates, items, materials, HUD elements and similar ones.
 * Owns: the list. What it lacks belongs to the operators. Entities have a component instead.
 */

import * as z from 'zod';
import { agentNumber } from '../../../shared/components/owner.ts';
import { type Resource, resource, setResource } from '../core/resource.ts';
import type { World } from '../core/world.ts';

/** `REGISTRY NAME` -> number of the owning agent. */
export type OwnerList = Readonly<Record<string, number>>;

export const Owners: Resource<OwnerList> = {
	name: 'owners',
	scope: 'state',
	transient: true,
	summary: 'Owners of definitions, if calls need a session; stored only if there are any',
	schema: z.record(z.string(), agentNumber),
	initial: () => undefined,
	isEmpty: (owners) => Object.keys(owners).length === 0,
};

/** Key of a definition in the list. */
export const ownerKey = (registry: string, thing: string): string => `${registry} ${thing}`;

export function ownersOf(world: World): OwnerList {
	return resource(world, Owners) ?? {};
}

export function setOwners(world: World, owners: OwnerList): void {
	setResource(world, Owners, owners);
}
