/**
 * Materials of instanced meshes, one set per renderer: paint, segmentation and depth.
 * Owns: the conversion of an instance's pose, paint and code (`RowNodes`) into vertices and colours.
 */

import {
	abs,
	attribute,
	cross,
	dot,
	Fn,
	float,
	floor,
	int,
	ivec2,
	Loop,
	length,
	max,
	min,
	mix,
	normalGeometry,
	normalize,
	normalLocal,
	positionGeometry,
	positionView,
	reflectVector,
	select,
	sign,
	smoothstep,
	sRGBTransferEOTF,
	step,
	texture,
	textureLoad,
	uniform,
	uv,
	varying,
	vec2,
	vec3,
	vec4,
	vertexIndex,
} from 'three/tsl';
import {
	type BufferGeometry,
	Color,
	DoubleSide,
	type EventDispatcher,
	FrontSide,
	MeshBasicNodeMaterial,
	MeshStandardNodeMaterial,
	type Node,
	type NodeMaterial,
	type Texture,
} from 'three/webgpu';
import type { AlphaMode } from '../../shared/media/material.ts';
import type { Channel, SurfaceKind } from '../frames/frames.ts';
import type { BonePalette } from './bone-palette.ts';
import type { ShapeName } from './geometries.ts';
import { lightBehind, physicalMaterial, type Volume } from './glass.ts';
import { grainAt } from './grain.ts';
import type { ModelPart, Morph, PartLook } from './models.ts';
import { ASH } from './palette.ts';
import { bumpNormal, occlusionShare } from './relief.ts';
import type { RowNodes } from './row-nodes.ts';
import type { Air } from './scene/air.ts';
import type { GroundPlane } from './scene/ground.ts';
import type { GroundDetail } from './terrain/detail.ts';
import { dataOf, type Textures } from './textures.ts';
import { liquidAt, liquidShare } from './water/liquid.ts';
import type { Ripples } from './water/ripples.ts';

/** Maximum bevel of a cube, in metres, and as a share of its shortest edge. */
const BEVEL_METRES = 0.035;
const BEVEL_SHARE = 0.08;

/** Last byte of a living entity's paint. Dead ones have 0; higher values add the brightness of a flash. */
export const LIVING = 128;

/** Returns a vector rotated by a unit quaternion. */
export function rotate(q: Node<'vec4'>, v: Node<'vec3'>): Node<'vec3'> {
	const axis = q.xyz;
	return v.add(cross(axis, cross(axis, v).add(v.mul(q.w))).mul(2));
}

/** Returns position and normal of a vertex after applying the instance's morph weights. */
function applyMorphs({ deltas, width, targets, texels, firstWeight }: Morph, bones: BonePalette) {
	const position = positionGeometry.toVar();
	const normal = normalGeometry.toVar();
	const displacements = texture(deltas);
	Loop({ start: int(0), end: int(targets), type: 'int' }, ({ i }) => {
		const target = int(i);
		const weight = bones.weight(target.add(firstWeight));
		const start = int(vertexIndex).mul(targets).add(target).mul(texels);
		const displacement = (texel: Node<'int'>): Node<'vec3'> =>
			textureLoad(displacements, ivec2(texel.mod(width), texel.div(width))).xyz.mul(weight);
		position.addAssign(displacement(start));
		if (texels === 2) normal.addAssign(displacement(start.add(1)));
	});
	return { place: position, normal };
}

/** Properties of a part that affect its deformation. */
type Deformation = Pick<ModelPart, 'morph' | 'canFlip' | 'bonesPerVertex'>;

/** Returns position and normal of a vertex after applying morph targets and bones. */
function deform(
	bones: BonePalette,
	{ morph, canFlip, bonesPerVertex }: Deformation,
): { readonly place: Node<'vec3'>; readonly normal: Node<'vec3'> } {
	const index = attribute<'vec4'>('skinIndex', 'vec4');
	const weight = attribute<'vec4'>('skinWeight', 'vec4');
	const parts = (['x', 'y', 'z', 'w'] as const).slice(0, Math.max(bonesPerVertex, 1));
	const row = (rowIndex: number): Node<'vec4'> => {
		const weighted = parts.map((part) => bones.row(int(index[part]), rowIndex).mul(weight[part]));
		return weighted.reduce((sum, term) => sum.add(term)).toVar();
	};
	const [x, y, z] = [row(0), row(1), row(2)];
	const vertex =
		morph === null ? { place: positionGeometry, normal: normalGeometry } : applyMorphs(morph, bones);
	const position = vec4(vertex.place, 1);
	// Cofactors keep normals perpendicular under non-uniform scaling. Normals of a mirrored part point inwards. They are turned
	// here; or, if its triangles are inside out too, three.js turns them as back sides.
	const [u, v, w] = [cross(y.xyz, z.xyz).toVar(), cross(z.xyz, x.xyz), cross(x.xyz, y.xyz)];
	const normal = vec3(dot(u, vertex.normal), dot(v, vertex.normal), dot(w, vertex.normal));
	return {
		place: vec3(dot(x, position), dot(y, position), dot(z, position)),
		normal: canFlip ? normal : normal.mul(step(0, dot(x.xyz, u)).mul(2).sub(1)),
	};
}

/** Returns the position of an instance's vertex in the world, in metres. Also sets its normal. */
function instanceVertex(
	{ position, rotation, scale }: RowNodes,
	hasBevel: boolean,
	bones: BonePalette | null = null,
	part: Deformation = { morph: null, canFlip: false, bonesPerVertex: 0 },
): Node<'vec3'> {
	return Fn(() => {
		const vertex = bones === null ? { place: positionGeometry, normal: normalGeometry } : deform(bones, part);
		const local = vertex.place.mul(scale).toVar();
		if (hasBevel) {
			const size = abs(scale);
			const shortest = min(size.x, min(size.y, size.z));
			const bevel = min(shortest.mul(BEVEL_SHARE), BEVEL_METRES);
			const inwards = sign(positionGeometry)
				.mul(sign(scale))
				.mul(vec3(1).sub(abs(normalGeometry)));
			local.subAssign(inwards.mul(bevel));
		}
		const safeScale = max(abs(scale), vec3(1e-5)).mul(step(vec3(0), scale).mul(2).sub(1));
		normalLocal.assign(normalize(rotate(rotation, vertex.normal.div(safeScale))));
		return rotate(rotation, local).add(position);
	})();
}

/** Paint of an instance (sRGB), and its state as in `RowNodes.state`. */
type Paint = Pick<RowNodes, 'paint' | 'state'>;

/** Returns the paint of an instance, linear. */
const paintOf = ({ paint }: Paint): Node<'vec3'> => vec3(sRGBTransferEOTF(paint) as Node<'vec3'>);

/** Paint of plants, whose instances have other attributes. */
const PLANT: Paint = {
	paint: attribute<'vec4'>('paint', 'vec4').xyz,
	state: varying(attribute<'vec4'>('paint', 'vec4').w),
};

/** Flash colour of a hurt entity, brighter than any paint. */
const FLASH = vec3(1.7, 1.5, 1.25);

/** Returns the shown colour of an instance: ashen if it is dead, bright if it is hurt. */
function withLifeState(instance: Paint, color: Node<'vec3'>): Node<'vec3'> {
	const state = instance.state.mul(2);
	const alive = min(state, 1);
	// The threshold is slightly more than one byte's step above LIVING.
	const flash = max(state.sub(1.004), 0);
	const grey = dot(color, vec3(0.2126, 0.7152, 0.0722));
	const ash = new Color(ASH);
	const ashen = mix(vec3(ash.r, ash.g, ash.b).mul(grey.mul(0.6).add(0.35)), color, 0.12);
	return mix(mix(ashen, color, alive), FLASH, flash.mul(0.8));
}

/** Returns the millimetres along the view axis as three bytes, lowest first. */
export function depthBytes(): Node<'vec3'> {
	const mm = min(floor(max(positionView.z.negate(), 0).mul(1000).add(0.5)), float(0xfffffe));
	const high = floor(mm.div(65536));
	const rest = mm.sub(high.mul(65536));
	const middle = floor(rest.div(256));
	const low = rest.sub(middle.mul(256));
	return vec3(low, middle, high).div(255);
}

/**
 * Returns the texture coordinates of a shape. The instance has the number of repeats, or, as a negative number, the metres per repeat.
 */
const textureCoordinates = (rows: RowNodes): Node<'vec2'> => {
	const repeat = varying(rows.repeat);
	return select(
		repeat.x.lessThan(0),
		surfacePosition(rows.scale).div(repeat.negate()),
		uv().mul(repeat),
	) as Node<'vec2'>;
};

/** Returns the colour of a picture on a shape. */
const pictureColor = (rows: RowNodes, picture: Texture): Node<'vec4'> =>
	texture(picture, textureCoordinates(rows));

/** Returns the texture coordinates of a material's picture on a model's part. The model's own pictures begin at the top, materials' at the bottom. */
const partTextureCoordinates = (rows: RowNodes): Node<'vec2'> => {
	const upwards: Node<'vec2'> = vec2(0, 1).add(uv().mul(vec2(1, -1)));
	return varying(upwards.mul(rows.repeat));
};

/** Loaded pictures of a material; null for missing ones. */
interface Pictures {
	readonly texture: Texture | null;
	readonly normal: Texture | null;
	readonly occlusion: Texture | null;
}

/** Returns the position on a shape's surface in metres, projected along the axis that it faces most. */
function surfacePosition(scale: Node<'vec3'>): Node<'vec2'> {
	const position = varying(positionGeometry.mul(scale)).toVar();
	const facing = abs(varying(normalGeometry)).toVar();
	const isLevel = facing.y.greaterThan(max(facing.x, facing.z));
	const horizontal = select(facing.x.greaterThan(facing.z), position.z, position.x);
	return select(isLevel, vec2(position.x, position.z.negate()), vec2(horizontal, position.y));
}

/** Width and depth from which on a rough, level surface is a floor (m), and its least roughness. */
const FLOOR_METRES = 4;
const FLOOR_ROUGH = 0.85;

/** Width and depth from which on a smooth, half-transparent surface is a liquid (m). */
const LIQUID_METRES = 1.5;

/** Returns 1 on the upper side of a wide, level instance, otherwise 0. */
function levelShare({ scale, rotation }: RowNodes, metres: number): Node<'float'> {
	const narrower = min(abs(scale.x), abs(scale.z));
	const up = rotate(rotation, normalGeometry).y;
	return varying(smoothstep(metres * 0.97, metres, narrower)).mul(smoothstep(0.9, 0.97, varying(up)));
}

/** Returns 1 on floors of instances, otherwise 0. */
const floorShare = (rows: RowNodes): Node<'float'> =>
	levelShare(rows, FLOOR_METRES).mul(smoothstep(FLOOR_ROUGH - 0.02, FLOOR_ROUGH, rows.surface.y));

/** Returns the share of instances that is a liquid. */
const liquidOf = (rows: RowNodes): Node<'float'> =>
	levelShare(rows, LIQUID_METRES).mul(liquidShare(rows.surface.y, rows.surface.z)).toVar();

/** Returns the alpha of an instance at a point. */
function alphaOf(rows: RowNodes, picture: Texture | null): Node<'float'> {
	const alpha = rows.surface.z;
	return picture === null ? alpha : alpha.mul(pictureColor(rows, picture).w);
}

/** Normal and occlusion of a surface at a point. */
interface Relief {
	/** Null for the geometry's normal. */
	readonly normal: Node<'vec3'> | null;
	/** Share of indirect light that reaches the point; null for all of it. */
	readonly openness: Node<'float'> | null;
}

/** Returns bumps and occlusion of an instance's material. */
function reliefOf(rows: RowNodes, { normal, occlusion }: Pictures, place: () => Node<'vec2'>): Relief {
	const point = normal === null && occlusion === null ? null : place().toVar();
	return {
		normal: normal === null ? null : bumpNormal(texture(normal, point!).xyz, point!, vec2(rows.bump)),
		openness: occlusion === null ? null : occlusionShare(texture(occlusion, point!), rows.occlusion),
	};
}

/** Returns bumps and occlusion of a part of a model. */
function reliefOfPart({ normalMap, normalScale, occlusionMap, occlusion }: PartLook): Relief {
	return {
		// Coordinates of a model's pictures increase downwards, but green points upwards.
		normal:
			normalMap === null
				? null
				: bumpNormal(texture(normalMap).xyz, uv(normalMap.channel), vec2(normalScale, -normalScale)),
		openness: occlusionMap === null ? null : occlusionShare(texture(occlusionMap), float(occlusion)),
	};
}

/** Factor of the colour where no light of the sky arrives. */
const HOLLOW = 0.6;

/** Returns the share of light that reaches a vertex of a model, which is the length of its normal. */
const opennessOfVertex = (): Node<'float'> => varying(length(normalGeometry));

/** Surface of a part of a model at a point. */
interface PartSurface {
	readonly color: Node<'vec3'>;
	readonly alpha: Node<'float'>;
	readonly cutoff: Node<'float'>;
	readonly metallic: Node<'float'>;
	readonly roughness: Node<'float'>;
	readonly glow: Node<'vec3'>;
	readonly relief: Relief;
}

/** Returns the surface of a part. Values and pictures of the instance's material override its own. */
function partSurface(
	rows: RowNodes,
	{ look }: ModelPart,
	surface: SurfaceKind | null,
	pictures: Pictures,
	paint: Paint = rows,
): PartSurface {
	const ownPicture = look.map === null ? null : texture(look.map);
	const picture =
		pictures.texture === null ? ownPicture : texture(pictures.texture, partTextureCoordinates(rows));
	const [partRelief, materialRelief] = [
		reliefOfPart(look),
		reliefOf(rows, pictures, () => partTextureCoordinates(rows)),
	];
	const vertexOpenness = opennessOfVertex();
	const relief = {
		normal: materialRelief.normal ?? partRelief.normal,
		openness: materialRelief.openness ?? partRelief.openness ?? vertexOpenness,
	};
	const vertexColor = look.hasVertexColors ? varying(attribute<'vec4'>('color', 'vec4')) : null;
	const base = uniform(look.color) as unknown as Node<'vec3'>;
	let color = look.isPainted ? varying(paintOf(paint)).mul(base) : base;
	let alpha = uniform(look.opacity) as Node<'float'>;
	for (const factor of [picture as Node<'vec4'> | null, vertexColor])
		if (factor !== null) {
			color = color.mul(factor.xyz);
			alpha = alpha.mul(factor.w);
		}
	color = color.mul(vertexOpenness.mul(1 - HOLLOW).add(HOLLOW));
	const glow = uniform(look.emissive) as unknown as Node<'vec3'>;
	const emitted = look.emissiveMap === null ? glow : glow.mul(texture(look.emissiveMap).xyz);
	if (surface !== null) {
		const values = rows.surface;
		const usesOwnCutoff = surface.alpha === 'opaque';
		return {
			color,
			alpha: alpha.mul(values.z),
			cutoff: usesOwnCutoff ? (uniform(look.cutoff) as Node<'float'>) : values.w,
			metallic: values.x,
			roughness: values.y,
			glow: emitted.add(rows.glow),
			relief,
		};
	}
	const map = look.roughMap === null ? null : texture(look.roughMap);
	const metallic = uniform(look.metallic) as Node<'float'>;
	const roughness = uniform(look.roughness) as Node<'float'>;
	return {
		color,
		alpha,
		cutoff: uniform(look.cutoff) as Node<'float'>,
		metallic: map === null ? metallic : metallic.mul(map.z),
		roughness: map === null ? roughness : roughness.mul(map.y),
		glow: emitted,
		relief,
	};
}

/** Position and colour variation of plants, which `FoliageMaterials` implements. */
export interface Growth {
	/** Returns the position of a plant's vertex in the world (m). Also sets its normal. */
	placeVertex(): Node<'vec3'>;
	/** Returns a colour varied for one plant. */
	varyColor(color: Node<'vec3'>): Node<'vec3'>;
}

/** Returns a material whose colour does not depend on light. */
function unlitMaterial(color: Node<'vec3'>, glow: Node<'vec3'>): MeshBasicNodeMaterial {
	const material = new MeshBasicNodeMaterial();
	material.colorNode = color.add(glow);
	return material;
}

const NO_PICTURES: Pictures = { texture: null, normal: null, occlusion: null };

/** Returns the part of a cache key for a kind of surface without its pictures. */
const surfaceKey = ({ alpha, unlit, transmits }: SurfaceKind): string => `${alpha} ${unlit} ${transmits}`;

/** Returns the part of a cache key for pictures. */
const picturesKey = ({ texture, normal, occlusion }: Pictures): string =>
	`${texture?.uuid} ${normal?.uuid} ${occlusion?.uuid}`;

/** Materials by kind of shape and channel, created at their first use. */
export class Materials {
	readonly #rows: RowNodes;
	readonly #groundPlane: GroundPlane;
	readonly #air: Air;
	readonly #textures: Textures;
	readonly #detail: GroundDetail;
	readonly #ripples: Ripples;
	readonly #cache = new Map<string, NodeMaterial>();

	constructor(
		rows: RowNodes,
		groundPlane: GroundPlane,
		air: Air,
		textures: Textures,
		detail: GroundDetail,
		ripples: Ripples,
	) {
		this.#detail = detail;
		this.#ripples = ripples;
		this.#rows = rows;
		this.#groundPlane = groundPlane;
		this.#air = air;
		this.#textures = textures;
	}

	/** Returns the material that draws `shape` in `channel`; `surface` is null for paint alone. */
	shapeMaterial(
		shape: ShapeName,
		hasBevel: boolean,
		surface: SurfaceKind | null,
		channel: Channel,
	): NodeMaterial {
		const isSheet = shape === 'plane';
		const pictures = this.#picturesOf(surface);
		const isMasked = surface?.alpha === 'mask';
		const look = channel === 'color' ? surface && surfaceKey(surface) : isMasked && 'mask';
		const key = `${channel} ${isSheet} ${hasBevel} ${look} ${picturesKey(pictures)}`;
		let material = this.#cache.get(key);
		if (material === undefined) {
			if (channel !== 'color')
				material = this.#exactMaterial(channel, isMasked ? alphaOf(this.#rows, pictures.texture) : null);
			else if (surface === null) material = this.#paint();
			else material = this.#surface(surface, pictures);
			this.#removeWithAll(pictures, key);
			material.positionNode = instanceVertex(this.#rows, hasBevel);
			material.side = isSheet ? DoubleSide : FrontSide;
			// The faces towards the sun cast the shadows, so that shadows touch their objects.
			material.shadowSide = isSheet ? DoubleSide : FrontSide;
			material.name = key;
			this.#cache.set(key, material);
		}
		return material;
	}

	/** Returns the alpha mode of an instance of a shape, or of a part of a model. */
	alphaOf(shape: ShapeName | ModelPart, surface: SurfaceKind | null): AlphaMode {
		const mode = surface?.alpha ?? 'opaque';
		return mode !== 'opaque' || typeof shape === 'string' ? mode : shape.look.alpha;
	}

	/**
	 * Returns the material that draws a part of a model in `channel`. `surface` overrides the model's own surface.
	 */
	partMaterial(
		part: ModelPart,
		surface: SurfaceKind | null,
		channel: Channel,
		bones: BonePalette | null,
	): NodeMaterial {
		const pictures = this.#picturesOf(surface);
		const alpha = this.alphaOf(part, surface);
		const ownKey = surface !== null && surfaceKey({ ...surface, alpha });
		const look = channel === 'color' ? ownKey || alpha : alpha === 'mask' && 'mask';
		const key = `${part.key} ${channel} ${surface !== null} ${look} ${picturesKey(pictures)} ${bones?.key}`;
		let material = this.#cache.get(key);
		if (material === undefined) {
			const values = partSurface(this.#rows, part, surface, pictures);
			const mask = alpha === 'mask' ? values : null;
			if (channel === 'color') material = this.#part(this.#rows, part, values, alpha, surface);
			else material = this.#exactMaterial(channel, mask?.alpha ?? null, mask?.cutoff);
			this.#removeWithAll(pictures, key);
			this.#removeWith(part.geometry, key);
			if (bones !== null) this.#removeWith(bones, key);
			material.positionNode = instanceVertex(this.#rows, false, bones, part);
			material.side = part.look.isDoubleSided ? DoubleSide : FrontSide;
			material.shadowSide = material.side;
			material.name = key;
			this.#cache.set(key, material);
		}
		return material;
	}

	/** Returns the material that draws a part of a model as a plant. In segmentation, plants have no id. */
	plantMaterial(part: ModelPart, channel: Channel, growth: Growth): NodeMaterial {
		const key = `${part.key} plant ${channel}`;
		let material = this.#cache.get(key);
		if (material === undefined) {
			const { alpha } = part.look;
			const values = partSurface(this.#rows, part, null, NO_PICTURES, PLANT);
			const mask = alpha === 'mask' ? values : null;
			if (channel === 'color')
				material = this.#part(PLANT, part, { ...values, color: growth.varyColor(values.color) }, alpha, null);
			else material = this.#exactMaterial(channel, mask?.alpha ?? null, mask?.cutoff, vec3(0));
			this.#removeWith(part.geometry, key);
			material.positionNode = growth.placeVertex();
			material.side = part.look.isDoubleSided ? DoubleSide : FrontSide;
			material.shadowSide = material.side;
			material.name = key;
			this.#cache.set(key, material);
		}
		return material;
	}

	dispose(): void {
		for (const material of this.#cache.values()) material.dispose();
		this.#cache.clear();
	}

	#paint(): MeshStandardNodeMaterial {
		const material = new MeshStandardNodeMaterial({ roughness: 0.46, metalness: 0 });
		material.colorNode = varying(withLifeState(this.#rows, paintOf(this.#rows)));
		material.aoNode = this.#groundPlane.openness();
		material.outputNode = this.#air.outputColor();
		return material;
	}

	#surface(kind: SurfaceKind, pictures: Pictures): NodeMaterial {
		const rows = this.#rows;
		const { surface } = rows;
		const paint = varying(paintOf(rows));
		const picture = pictures.texture;
		const isPlain = picture === null && !kind.unlit && !kind.transmits;
		const grain =
			isPlain && kind.alpha === 'opaque'
				? grainAt(this.#detail, surfacePosition(rows.scale), surface.y, floorShare(rows))
				: null;
		const painted = picture === null ? paint : paint.mul(pictureColor(rows, picture).xyz);
		const mortalColor = withLifeState(rows, grain === null ? painted : painted.mul(grain.shade)).toVar();
		const isLiquid = isPlain && kind.alpha === 'blend' && kind.normal === null;
		const liquid = isLiquid ? liquidAt(this.#ripples, this.#air, mortalColor, liquidOf(rows)) : null;
		const color = liquid?.color ?? mortalColor;
		const relief = reliefOf(rows, pictures, () => textureCoordinates(rows));
		const values = {
			metallic: surface.x,
			roughness: grain?.roughness ?? surface.y,
			glow: liquid === null ? rows.glow : rows.glow.add(liquid.glow),
			relief: { ...relief, normal: relief.normal ?? grain?.normal ?? liquid?.normal ?? null },
		};
		const material = kind.unlit
			? unlitMaterial(color, values.glow)
			: this.#setLight(new MeshStandardNodeMaterial(), color, values);
		if (kind.transmits && !kind.unlit)
			this.#setTransmission(material, color, values, rows.transmission, null);
		return this.#finish(material, kind.alpha, {
			alpha: kind.alpha === 'opaque' ? float(1) : alphaOf(rows, picture),
			cutoff: surface.w,
		});
	}

	#part(
		paint: Paint,
		{ look }: ModelPart,
		partSurface: PartSurface,
		alpha: AlphaMode,
		surface: SurfaceKind | null,
	): NodeMaterial {
		const color = withLifeState(paint, partSurface.color).toVar();
		if (look.isUnlit || surface?.unlit === true)
			return this.#finish(unlitMaterial(color, partSurface.glow), alpha, partSurface);
		const physical = look.physical;
		const material = this.#setLight(
			physical === null ? new MeshStandardNodeMaterial() : physicalMaterial(physical),
			color,
			partSurface,
		);
		if (surface?.transmits === true)
			this.#setTransmission(material, color, partSurface, this.#rows.transmission, physical);
		else if (physical !== null && physical.transmission > 0) {
			const { transmission, transmissionMap } = physical;
			const share = transmissionMap === null ? float(1) : texture(transmissionMap).x;
			this.#setTransmission(material, color, partSurface, share.mul(transmission), physical);
		}
		return this.#finish(material, alpha, partSurface);
	}

	/** Sets the properties that all materials need: alpha, and the air in front of the surface. */
	#finish<T extends NodeMaterial>(
		material: T,
		mode: AlphaMode,
		{ alpha, cutoff }: Pick<PartSurface, 'alpha' | 'cutoff'>,
	): T {
		if (mode !== 'opaque') material.opacityNode = alpha;
		if (mode === 'mask') material.alphaTestNode = cutoff;
		if (mode === 'blend') {
			material.transparent = true;
			material.depthWrite = false;
		}
		material.outputNode = this.#air.outputColor();
		return material;
	}

	#setLight<T extends MeshStandardNodeMaterial>(
		material: T,
		color: Node<'vec3'>,
		{ metallic, roughness, glow, relief }: Omit<PartSurface, 'color' | 'alpha' | 'cutoff'>,
	): T {
		material.colorNode = color;
		material.metalnessNode = metallic;
		material.roughnessNode = roughness;
		const groundOpenness = this.#groundPlane.openness();
		const openness = relief.openness === null ? groundOpenness : groundOpenness.mul(relief.openness);
		material.aoNode = openness;
		// There is no picture of the surroundings, so metals reflect the gradient of the sky.
		const reflection = color
			.mul(metallic)
			.mul(this.#air.reflectedLight(reflectVector, roughness))
			.mul(openness);
		material.emissiveNode = glow.add(reflection);
		if (relief.normal !== null) material.normalNode = relief.normal;
		return material;
	}

	/** Makes a surface transparent for a share of the light behind it. */
	#setTransmission(
		material: NodeMaterial,
		color: Node<'vec3'>,
		{ metallic, roughness }: Pick<PartSurface, 'metallic' | 'roughness'>,
		share: Node<'float'>,
		volume: Volume | null,
	): void {
		material.backdropNode = lightBehind(volume, roughness, this.#air).mul(color);
		material.backdropAlphaNode = share.mul(float(1).sub(metallic));
	}

	/** Returns the loaded pictures of a kind of surface. */
	#picturesOf(surface: SurfaceKind | null): Pictures {
		if (surface === null) return NO_PICTURES;
		const { texture, normal, occlusion } = surface;
		return {
			texture: texture === null ? null : this.#textures.get(texture),
			normal: normal === null ? null : this.#textures.get(dataOf(normal)),
			occlusion: occlusion === null ? null : this.#textures.get(dataOf(occlusion)),
		};
	}

	#removeWithAll(pictures: Pictures, key: string): void {
		for (const picture of Object.values(pictures)) if (picture !== null) this.#removeWith(picture, key);
	}

	/** Removes a material from the cache when its texture, model or bones are disposed of. */
	#removeWith(resource: Texture | BufferGeometry | BonePalette, key: string): void {
		const target = resource as EventDispatcher<{ dispose: object }>;
		const remove = (): void => {
			target.removeEventListener('dispose', remove);
			this.#cache.get(key)?.dispose();
			this.#cache.delete(key);
		};
		target.addEventListener('dispose', remove);
	}

	/** Returns a material whose bytes reach the picture unchanged, without light, tone curve and blending. */
	#exactMaterial(
		channel: 'segmentation' | 'depth',
		alpha: Node<'float'> | null,
		cutoff: Node<'float'> | null = this.#rows.surface.w,
		code: Node<'vec3'> = this.#rows.code,
	): MeshBasicNodeMaterial {
		const material = new MeshBasicNodeMaterial();
		const bytes = channel === 'depth' ? depthBytes() : code;
		material.fragmentNode = Fn(() => {
			if (alpha !== null && cutoff !== null) alpha.lessThan(cutoff).discard();
			return vec4(bytes, 1);
		})();
		material.toneMapped = false;
		material.fog = false;
		material.transparent = false;
		return material;
	}
}
