/**
 * Everything of the view that belongs to one renderer and is shared by its stages: materials and the plate's shape.
 * Owns: their lifetime, which ends with the renderer's.
 */

import type { LatheGeometry, MeshBasicNodeMaterial, MeshStandardNodeMaterial, Node } from 'three/webgpu';
import { Materials } from './materials.ts';
import type { Quality } from './quality.ts';
import { Air } from './scene/air.ts';
import { GroundPlane, plateMaterial, plateShape } from './scene/ground.ts';
import { contactMaterial } from './sync/contact.ts';
import { type BarMaterial, barMaterial } from './sync/health-bars.ts';
import type { Textures } from './textures.ts';

export class GpuResources {
	readonly air = new Air();
	readonly groundPlane = new GroundPlane();
	readonly textures: Textures;
	readonly materials: Materials;
	readonly contact: MeshBasicNodeMaterial = contactMaterial(this.groundPlane, false);
	readonly roundContact: MeshBasicNodeMaterial = contactMaterial(this.groundPlane, true);
	readonly bars: BarMaterial = barMaterial();
	readonly plateShape: LatheGeometry = plateShape();
	readonly plateMaterial: MeshStandardNodeMaterial = plateMaterial(this.air);
	readonly backdrop: Node<'vec4'> = this.air.backdrop();
	readonly quality: Quality;

	constructor(quality: Quality, textures: Textures) {
		this.quality = quality;
		this.textures = textures;
		this.materials = new Materials(this.groundPlane, this.air, textures);
	}

	dispose(): void {
		this.materials.dispose();
		this.textures.dispose();
		this.contact.dispose();
		this.roundContact.dispose();
		this.bars.material.dispose();
		this.plateShape.dispose();
		this.plateMaterial.dispose();
	}
}
