/**
 * Words of a prompt that name a thing, or describe its look.
 * Owns: the lists of these words.
 */

import { isProjectModel } from './project-models.ts';
import type { Hue } from './sculpture.ts';
import { SHAPES } from './shapes.ts';

const HUES: Readonly<Record<string, Hue>> = {
	red: 0xc8402f,
	crimson: 0xa3203a,
	orange: 0xe08a2e,
	yellow: 0xe8c53a,
	golden: 0xe5b43c,
	green: 0x5c9a3e,
	emerald: 0x2f9a6a,
	teal: 0x3a9a94,
	cyan: 0x4ab8cf,
	blue: 0x3f6fc4,
	sapphire: 0x2c4fae,
	navy: 0x2c3a66,
	purple: 0x7a4aa8,
	violet: 0x8a5ac0,
	pink: 0xdf86a8,
	magenta: 0xb8408f,
	brown: 0x7a5230,
	black: 0x35323a,
	dark: 0x4a4650,
	white: 0xf2eee6,
	ivory: 0xe8e0c9,
	grey: 0x8f8f93,
	gray: 0x8f8f93,
	silver: 0xc9d0d8,
};

export type PromptMaterial = 'metal' | 'glow' | 'plain';

/** Words for materials: their surface, and their colour if the prompt names no other. */
const MATERIALS: Readonly<Record<string, readonly [PromptMaterial, Hue | null]>> = {
	metal: ['metal', 0x9aa3ad],
	metallic: ['metal', null],
	iron: ['metal', 0x8b939c],
	steel: ['metal', 0xc9d0d8],
	silver: ['metal', 0xd5dae0],
	gold: ['metal', 0xf2c14e],
	bronze: ['metal', 0xa9743a],
	copper: ['metal', 0xb8683f],
	chrome: ['metal', 0xdfe5ea],
	shiny: ['metal', null],
	glowing: ['glow', null],
	burning: ['glow', 0xd9702c],
	magic: ['glow', 0x8a6ad0],
	magical: ['glow', 0x8a6ad0],
	neon: ['glow', null],
	lava: ['glow', 0xd9502c],
	wood: ['plain', 0x8a5c34],
	wooden: ['plain', 0x8a5c34],
	oaken: ['plain', 0x7a5230],
	stone: ['plain', 0x9a948a],
	marble: ['plain', 0xe2dfd8],
	granite: ['plain', 0x7d7a78],
	clay: ['plain', 0xb5714a],
	ice: ['plain', 0xa9d8e8],
	icy: ['plain', 0xa9d8e8],
	frozen: ['plain', 0xa9d8e8],
	mossy: ['plain', 0x6f8f4a],
	bone: ['plain', 0xe8e0c9],
	sandy: ['plain', 0xd8bf8a],
};

/** Factors of width, height and depth. */
const SIZES: Readonly<Record<string, readonly [x: number, y: number, z: number]>> = {
	tiny: [0.35, 0.35, 0.35],
	small: [0.6, 0.6, 0.6],
	little: [0.6, 0.6, 0.6],
	mini: [0.45, 0.45, 0.45],
	big: [1.5, 1.5, 1.5],
	large: [1.6, 1.6, 1.6],
	huge: [2.2, 2.2, 2.2],
	giant: [2.8, 2.8, 2.8],
	massive: [2.5, 2.5, 2.5],
	tall: [1, 1.5, 1],
	high: [1, 1.4, 1],
	short: [1, 0.65, 1],
	low: [1, 0.6, 1],
	wide: [1.5, 1, 1],
	long: [1, 1, 1.6],
	thin: [0.7, 1.1, 0.7],
	slender: [0.75, 1.15, 0.75],
	fat: [1.35, 1, 1.35],
	thick: [1.35, 1, 1.35],
	flat: [1.1, 0.45, 1.1],
};

/** Synonyms of the kinds. */
const SYNONYMS: Readonly<Record<string, string>> = {
	home: 'house',
	hut: 'cottage',
	cabin: 'cottage',
	building: 'house',
	barn: 'longhouse',
	hall: 'longhouse',
	inn: 'house',
	tavern: 'house',
	temple: 'church',
	chapel: 'church',
	cathedral: 'church',
	windmill: 'mill',
	castle: 'tower',
	keep: 'tower',
	turret: 'tower',
	fortress: 'tower',
	lighthouse: 'tower',
	tree: 'oak',
	fir: 'pine',
	spruce: 'pine',
	conifer: 'pine',
	birch: 'maple',
	shrub: 'bush',
	hedge: 'bush',
	boulder: 'rock',
	pebble: 'rock',
	cliff: 'rock',
	warrior: 'soldier',
	fighter: 'soldier',
	paladin: 'knight',
	hero: 'knight',
	wizard: 'mage',
	witch: 'mage',
	sorcerer: 'mage',
	hunter: 'archer',
	ranger: 'archer',
	guardian: 'guard',
	sentinel: 'guard',
	monster: 'goblin',
	orc: 'goblin',
	troll: 'goblin',
	undead: 'skeleton',
	zombie: 'skeleton',
	blob: 'slime',
	jelly: 'slime',
	wyvern: 'dragon',
	drake: 'dragon',
	person: 'villager',
	man: 'villager',
	woman: 'villager',
	farmer: 'villager',
	peasant: 'villager',
	trader: 'merchant',
	shopkeeper: 'merchant',
	builder: 'mason',
	box: 'crate',
	cask: 'barrel',
	keg: 'barrel',
	bag: 'sack',
	treasure: 'hoard',
	loot: 'hoard',
	market: 'stall',
	shop: 'stall',
	lantern: 'lamp',
	lamppost: 'lamp',
	streetlight: 'lamp',
	wagon: 'cart',
	column: 'pillar',
	flag: 'banner',
	gate: 'door',
	altar: 'shrine',
	obelisk: 'pillar',
	loaf: 'bread',
	sign: 'signpost',
	hay: 'haystack',
	seat: 'bench',
	spike: 'spikes',
	trap: 'spikes',
	gem: 'crystal',
	diamond: 'crystal',
	ruby: 'crystal',
	jewel: 'crystal',
	blade: 'sword',
	dagger: 'sword',
	katana: 'sword',
	buckler: 'shield',
	hatchet: 'axe',
	potion: 'bottle',
	flask: 'bottle',
	vial: 'bottle',
	jar: 'vase',
	pot: 'vase',
	urn: 'vase',
	toadstool: 'mushroom',
	fungus: 'mushroom',
	automobile: 'car',
	truck: 'car',
	vehicle: 'car',
	spaceship: 'rocket',
	spacecraft: 'rocket',
	starship: 'rocket',
	missile: 'rocket',
	ship: 'boat',
	sailboat: 'boat',
	android: 'robot',
	golem: 'robot',
	mech: 'robot',
	stool: 'chair',
	throne: 'chair',
	desk: 'table',
	cat: 'animal',
	dog: 'animal',
	horse: 'animal',
	cow: 'animal',
	pig: 'animal',
	fox: 'animal',
	wolf: 'animal',
	sheep: 'animal',
	deer: 'animal',
	bird: 'bird',
	owl: 'bird',
	chicken: 'bird',
	duck: 'bird',
	planet: 'orb',
	sphere: 'orb',
	ball: 'orb',
	moon: 'orb',
	star: 'star',
};

export interface PromptWords {
	/** Kind; undefined if no word of the prompt names one. */
	readonly kind: string | undefined;
	readonly hue: Hue | null;
	readonly material: PromptMaterial;
	readonly size: readonly [number, number, number];
}

const lookUp = <T>(table: Readonly<Record<string, T>>, word: string): T | undefined =>
	Object.hasOwn(table, word) ? table[word] : undefined;

/** Returns the kind that a word names, in singular or plural; undefined for other words. */
function kindOf(word: string): string | undefined {
	const forms = [word, word.replace(/s$/, ''), word.replace(/es$/, ''), word.replace(/ies$/, 'y')];
	for (const form of forms) {
		const name = lookUp(SYNONYMS, form) ?? form;
		if (isProjectModel(name) || lookUp(SHAPES, name) !== undefined) return name;
	}
	return undefined;
}

/** Reads a prompt. If it names several things, the last one counts, as in "a stone house" and "a tree house". */
export function wordsOf(prompt: string): PromptWords {
	const words = prompt.toLowerCase().match(/[\p{L}]+/gu) ?? [];
	let kind: string | undefined;
	let hue: Hue | null = null;
	let materialHue: Hue | null = null;
	let material: PromptMaterial = 'plain';
	let size: readonly [number, number, number] = [1, 1, 1];
	// A thing after one of these words is only an addition, as in "a house with a garden".
	const additionIndex = words.findIndex((word) =>
		['with', 'on', 'in', 'under', 'beside', 'near', 'of'].includes(word),
	);
	for (const [i, word] of words.entries()) {
		const wordKind = kindOf(word);
		const isAddition = additionIndex >= 0 && i > additionIndex && kind !== undefined;
		const wordMaterial = lookUp(MATERIALS, word);
		if (wordMaterial !== undefined) {
			if (wordMaterial[0] !== 'plain') [material] = wordMaterial;
			materialHue ??= wordMaterial[1];
		}
		hue ??= lookUp(HUES, word) ?? null;
		const scale = lookUp(SIZES, word);
		if (scale !== undefined) size = [size[0] * scale[0], size[1] * scale[1], size[2] * scale[2]];
		if (wordKind !== undefined && !isAddition && wordMaterial === undefined) kind = wordKind;
	}
	return {
		kind,
		hue: hue ?? materialHue,
		material,
		size: size.map((part) => Math.min(4, Math.max(0.2, part))) as never,
	};
}
