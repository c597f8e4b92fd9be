/** What follows the `#` in the address of a group of routes. Owns: that name, which no route has. */

export const tagAnchor = (name: string): string => `tag-${name.toLowerCase().replace(/[^a-z]+/g, '-')}`;
