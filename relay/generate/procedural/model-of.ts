/**
 * Creates a model from a prompt. Words of the prompt decide kind, colour, material and size. The rest is random, with
 * the prompt as the seed, so that two prompts rarely give the same model.
 */

import type { ModelQuality } from '../provider.ts';
import { createRandomSource, type RandomSource } from './chance.ts';
import { isProjectModel, projectModel } from './project-models.ts';
import { Sculpture } from './sculpture.ts';
import { SHAPES } from './shapes.ts';
import { wordsOf } from './words.ts';

/** Number of sides of round parts, by quality. */
const SIDES: Readonly<Record<ModelQuality, number>> = { low: 6, medium: 10, high: 16 };

/** Colours for prompts without a word for a colour. */
const DEFAULT_HUES = [0xc8402f, 0xe08a2e, 0x5c9a3e, 0x3a9a94, 0x3f6fc4, 0x7a4aa8, 0xb5714a, 0x9a948a];

export function modelOf(prompt: string, quality: ModelQuality): Sculpture {
	const { kind, hue, material, size } = wordsOf(prompt);
	const chance = createRandomSource(prompt);
	const color = hue ?? DEFAULT_HUES[Math.floor(chance() * DEFAULT_HUES.length)]!;
	const sculpture = sculptureOf(kind ?? 'idol', color, SIDES[quality], chance);
	if (hue !== null) sculpture.recolor(hue);
	if (material !== 'plain') sculpture.changeSurface(material);
	const variation = (): number => 0.93 + 0.14 * chance();
	return sculpture.stretch(size[0] * variation(), size[1] * variation(), size[2] * variation());
}

function sculptureOf(kind: string, hue: number, sides: number, chance: RandomSource): Sculpture {
	if (isProjectModel(kind)) return projectModel(kind);
	const sculpture = new Sculpture();
	SHAPES[kind]!(sculpture, { hue, sides, chance });
	return sculpture;
}
