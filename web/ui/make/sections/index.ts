/**
 * Every section of the inspector, in order. Components that none of them shows are shown as they come.
 * Owns: the list. A new section is one file here and one line.
 */

import { body } from './body.tsx';
import { collider } from './collider.tsx';
import { health } from './health.tsx';
import { look } from './look.tsx';
import type { Section } from './section.ts';
import { side } from './side.tsx';
import { tags } from './tags.tsx';
import { transform } from './transform.tsx';
import { velocity } from './velocity.tsx';

export const sections: readonly Section[] = [transform, look, velocity, body, collider, health, side, tags];
