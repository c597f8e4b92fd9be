/**
 * Colours of the view: sRGB, as hexadecimal numbers.
 * Owns: the numbers. Never: decides where they are used.
 */

export const BACKDROP_TOP = 0x0d121b;
export const BACKDROP_LOW = 0x1b2536;
export const GRASS = 0x8b9f70;
export const GRASS_DARK = 0x7c9366;
export const GRASS_DRY = 0x9daa80;
export const TURF = 0x6d8c49;
export const TURF_DARK = 0x587c41;
export const TURF_DRY = 0x8d9a55;
export const ROCK = 0x87887c;
export const ROCK_DARK = 0x5b5b53;
export const SAND = 0xd8bf84;
export const SAND_DARK = 0xbf9f66;
export const SNOW = 0xf3f5f7;
export const SNOW_SHADE = 0xdde5ec;
export const BARK = 0x5f4632;
export const LEAF = 0x7ea24c;
export const LEAF_DARK = 0x4a7238;
export const NEEDLE = 0x55803f;
export const NEEDLE_DARK = 0x2f5532;
export const BLADE = 0x55793a;
export const BLADE_TIP = 0xa2b45c;
export const BLOSSOM = 0xe8c64e;
export const BRASS = 0xd2a650;
export const BRASS_LINE = 0xf0d39a;
export const ENAMEL = 0x2b3345;
export const WOOD_DARK = 0x6b5037;
export const INK = 0x0b0f17;
export const LAPIS = 0x6fb2f7;
export const LAPIS_SHADE = 0x3b82d6;
export const VERMILION = 0xf88b66;
export const VERMILION_SHADE = 0xe2602f;
export const VERDIGRIS = 0x5fbca6;
export const VERDIGRIS_SHADE = 0x3f8f7d;
export const ROSE = 0xf6cad8;
export const ROSE_SHADE = 0xcf8fa6;
export const ASH = 0x7d8389;
