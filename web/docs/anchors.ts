/** Anchors of groups of routes in addresses. No route has such an anchor. */

/** Returns the anchor of a tag. */
export const tagAnchor = (name: string): string => `tag-${name.toLowerCase().replace(/[^a-z]+/g, '-')}`;
