/**
 * Uniforms that a whole picture shares. They are written to the device once per pass, not once per draw.
 */

import { renderGroup, uniform } from 'three/tsl';

/** Creates a uniform whose value is set before a picture and does not change while it is drawn. */
export const pictureUniform = ((value: number) =>
	uniform(value).setGroup(renderGroup)) as unknown as typeof uniform;
