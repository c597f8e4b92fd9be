/**
 * The sections of the inspector in order. Frequently edited ones come first and are open. Other components have generic forms.
 * Owns: the list. A new section needs a file in this folder and a line in the list.
 */

import { animation } from './animation.tsx';
import { body } from './body.tsx';
import { collider } from './collider.tsx';
import { decal } from './decal.tsx';
import { health } from './health.tsx';
import { light } from './light.tsx';
import { listener } from './listener.tsx';
import { look } from './look.tsx';
import { material } from './material.tsx';
import { particles } from './particles.tsx';
import type { Section } from './section.ts';
import { side } from './side.tsx';
import { sound } from './sound.tsx';
import { tags } from './tags.tsx';
import { terrain } from './terrain.tsx';
import { transform } from './transform.tsx';
import { velocity } from './velocity.tsx';
import { water } from './water.tsx';

export const sections: readonly Section[] = [
	transform,
	look,
	body,
	health,
	light,
	particles,
	sound,
	terrain,
	water,
	decal,
	side,
	tags,
	material,
	collider,
	velocity,
	animation,
	listener,
];
