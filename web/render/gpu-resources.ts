/**
 * Resources of one renderer that its stages share: materials, textures, models and the plate's shape.
 * Owns: their lifetime, which ends with the renderer's.
 */

import type { LatheGeometry, MeshBasicNodeMaterial, MeshStandardNodeMaterial } from 'three/webgpu';
import { FoliageMaterials } from './foliage/material.ts';
import { Materials } from './materials.ts';
import type { Models } from './models.ts';
import type { Quality } from './quality.ts';
import { RowNodes } from './row-nodes.ts';
import { Air } from './scene/air.ts';
import { BackdropMaterials } from './scene/backdrop.ts';
import { GroundPlane, plateCover, plateMaterial, plateShape } from './scene/ground.ts';
import { contactMaterial } from './sync/contact.ts';
import { type NumberMaterial, numberMaterial } from './sync/damage-numbers.ts';
import { haloMaterial } from './sync/halos.ts';
import { type BarMaterial, barMaterial } from './sync/health-bars.ts';
import { groundDetail } from './terrain/detail.ts';
import { TerrainMaterials } from './terrain/material.ts';
import type { Textures } from './textures.ts';
import { Ripples } from './water/ripples.ts';

export class GpuResources {
	readonly air = new Air();
	readonly groundPlane = new GroundPlane();
	readonly rows = new RowNodes();
	readonly textures: Textures;
	readonly models: Models;
	readonly materials: Materials;
	readonly contact: MeshBasicNodeMaterial = contactMaterial(this.rows, this.groundPlane, this.air, false);
	readonly roundContact: MeshBasicNodeMaterial = contactMaterial(this.rows, this.groundPlane, this.air, true);
	readonly bars: BarMaterial = barMaterial();
	readonly numbers: NumberMaterial = numberMaterial();
	readonly halo: MeshBasicNodeMaterial = haloMaterial(this.air);
	readonly plateShape: LatheGeometry = plateShape();
	readonly plateMaterial: MeshStandardNodeMaterial = plateMaterial(this.air);
	readonly plateCover: MeshBasicNodeMaterial = plateCover();
	readonly foliage = new FoliageMaterials(this.air);
	/** Relief of ground and of rough surfaces. */
	readonly detail = groundDetail();
	readonly terrain = new TerrainMaterials(this.air, this.detail);
	/** Ripples of liquids that are shapes. */
	readonly ripples = new Ripples();
	readonly backdrop = new BackdropMaterials(this.air);
	readonly quality: Quality;

	constructor(quality: Quality, textures: Textures, models: Models) {
		this.quality = quality;
		if (quality.software) this.air.simplify();
		this.textures = textures;
		this.models = models;
		this.materials = new Materials(
			this.rows,
			this.groundPlane,
			this.air,
			textures,
			this.detail,
			this.ripples,
		);
	}

	dispose(): void {
		this.rows.dispose();
		this.materials.dispose();
		this.textures.dispose();
		this.models.dispose();
		this.contact.dispose();
		this.roundContact.dispose();
		this.bars.material.dispose();
		this.numbers.material.dispose();
		this.numbers.digits.dispose();
		this.halo.dispose();
		this.plateShape.dispose();
		this.plateMaterial.dispose();
		this.plateCover.dispose();
		this.terrain.dispose();
		this.detail.dispose();
		this.foliage.dispose();
		this.backdrop.dispose();
		this.air.dispose();
	}
}
