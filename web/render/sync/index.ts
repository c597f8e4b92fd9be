/**
 * Constructors of a stage's parts other than entity meshes and terrains, in the order in which the parts get
 * frames.
 */

import { Backdrop } from '../scene/backdrop.ts';
import { Ground } from '../scene/ground.ts';
import { Sun } from '../scene/sun.ts';
import { Contacts } from './contact.ts';
import { DamageNumbers } from './damage-numbers.ts';
import { Decals } from './decals.ts';
import { Foliage } from './foliage.ts';
import { Halos } from './halos.ts';
import { HealthBars } from './health-bars.ts';
import { Lights } from './lights.ts';
import { Navigation } from './navigation.ts';
import { ParticleClouds } from './particles.ts';
import type { MakeSync } from './sync.ts';
import { Waters } from './waters.ts';

export const syncs: readonly MakeSync[] = [
	(resources) => new Sun(resources),
	({ quality }) => new Lights(quality),
	(resources) => new Backdrop(resources),
	(resources) => new Ground(resources),
	(resources, _meshes, terrains) => new Foliage(resources, terrains),
	(resources, _meshes, terrains) => new Decals(resources, terrains),
	(resources, _meshes, terrains) => new Waters(resources, terrains),
	(resources, meshes) => new Contacts(resources, meshes),
	(resources, meshes) => new Halos(resources, meshes),
	() => new Navigation(),
	(resources) => new ParticleClouds(resources),
	(resources) => new HealthBars(resources.bars),
	(resources) => new DamageNumbers(resources.numbers),
];
