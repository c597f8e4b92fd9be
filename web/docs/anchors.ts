/** Anchor of a group of routes in the address. Owns: that name, which no route has. */

export const tagAnchor = (name: string): string => `tag-${name.toLowerCase().replace(/[^a-z]+/g, '-')}`;
