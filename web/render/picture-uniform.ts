/**
 * Numbers that a whole picture shares.
 * Owns: that they are written to the device once for a pass, and not again for each draw.
 */

import { renderGroup, uniform } from 'three/tsl';

/** Makes a uniform whose value is set before a picture and stays as it is while that is drawn. */
export const pictureUniform = ((value: number) =>
	uniform(value).setGroup(renderGroup)) as unknown as typeof uniform;
