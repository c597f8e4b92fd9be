/**
 * Owners of definitions in registries: scripts, templates, items, materials, HUD elements and others.
 * Owns: the list. Definitions that are not in it belong to the operators. Entities have the component `Owner` instead.
 */

import * as z from 'zod';
import { agentNumber } from '../../../shared/components/owner.ts';
import { type Resource, resource, setResource } from '../core/resource.ts';
import type { World } from '../core/world.ts';

/** Number of the owning agent by `REGISTRY NAME`. */
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

/** Returns the key of a definition in the list. */
export const ownerKey = (registry: string, name: string): string => `${registry} ${name}`;

export function ownersOf(world: World): OwnerList {
	return resource(world, Owners) ?? {};
}

export function setOwners(world: World, owners: OwnerList): void {
	setResource(world, Owners, owners);
}
