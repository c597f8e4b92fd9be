/**
 * A model from the words of a prompt. The words decide kind, colour, material and size. The letters of the whole
 * prompt decide the rest, so that two prompts rarely give the same model.
 */

import type { ModelQuality } from '../provider.ts';
import { createRandomSource, type RandomSource } from './chance.ts';
import { isProjectModel, projectModel } from './project-models.ts';
import { Sculpture } from './sculpture.ts';
import { SHAPES } from './shapes.ts';
import { wordsOf } from './words.ts';

/** Sides of what is round. */
const SIDES: Readonly<Record<ModelQuality, number>> = { low: 6, medium: 10, high: 16 };

/** Hues of what no word gives a colour. */
const HUES = [0xc8402f, 0xe08a2e, 0x5c9a3e, 0x3a9a94, 0x3f6fc4, 0x7a4aa8, 0xb5714a, 0x9a948a];

export function modelOf(prompt: string, quality: ModelQuality): Sculpture {
	const { kind, hue, stuff, size } = wordsOf(prompt);
	const chance = createRandomSource(prompt);
	const color = hue ?? HUES[Math.floor(chance() * HUES.length)]!;
	const sculpture = sculptureOf(kind ?? 'idol', color, SIDES[quality], chance);
	if (hue !== null) sculpture.dye(hue);
	if (stuff !== 'plain') sculpture.wear(stuff);
	const unlike = (): number => 0.93 + 0.14 * chance();
	return sculpture.stretch(size[0] * unlike(), size[1] * unlike(), size[2] * unlike());
}

function sculptureOf(kind: string, hue: number, sides: number, chance: RandomSource): Sculpture {
	if (isProjectModel(kind)) return projectModel(kind);
	const s = new Sculpture();
	SHAPES[kind]!(s, { hue, sides, chance });
	return s;
}
