/**
 * Drawing backend of this machine, tried out before the real canvas is touched, and the renderer made from it.
 * Owns: the choice between WebGPU and WebGL 2, and `GpuInfo`. Never: draws a world.
 */

import { LinearSRGBColorSpace, NoToneMapping, PCFShadowMap, WebGPURenderer } from 'three/webgpu';
import type { GpuInfo } from '../frames/frames.ts';
import { qualityFor } from './quality.ts';

/** Reason that nothing can be drawn, in words for people. */
export class NoGraphicsError extends Error {
	constructor(reason: string) {
		super(
			`This browser cannot draw the world: ${reason} All panels and the API work. ` +
				'Turn on hardware acceleration or use a browser with WebGPU or WebGL 2, then reload the page.',
		);
		this.name = 'NoGraphicsError';
	}
}

export interface Drawing {
	readonly renderer: WebGPURenderer;
	/** Device of the renderer; null with WebGL 2. */
	readonly device: GPUDevice | null;
	readonly info: GpuInfo;
	/** True if a processor does the drawing: pictures are dear. */
	readonly software: boolean;
	/** Settles when everything submitted so far is drawn. */
	readonly finished: () => Promise<void>;
	/** Settles with the reason when the device is lost. */
	readonly lost: Promise<string>;
	/** Listens from now on for what the GPU refuses; the function it answers ends that at once, and settles with what it was, or null. */
	readonly listen: () => () => Promise<string | null>;
}

const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render|lavapipe/i;

/** Makes a renderer for the canvas. Rejects with `NoGraphicsError` where neither WebGPU nor WebGL 2 works. */
export async function startDrawing(
	canvas: OffscreenCanvas | HTMLCanvasElement,
	forceWebGL: boolean,
): Promise<Drawing> {
	const gpu = forceWebGL ? null : await tryWebGpu();
	if (gpu !== null) return startWebGpu(canvas, gpu.adapter, gpu.device);
	return startWebGl(canvas);
}

/**
 * An adapter being there does not mean that canvases work: some drivers lose the device at the first picture.
 * So one pixel is drawn to a hidden canvas. Null if that fails.
 */
async function tryWebGpu(): Promise<{ adapter: GPUAdapter; device: GPUDevice } | null> {
	if (typeof navigator === 'undefined' || navigator.gpu === undefined) return null;
	const request = () => navigator.gpu.requestAdapter({ powerPreference: 'high-performance' });
	// Chromium on Linux finds no adapter the first time, if its graphics process has just started.
	const adapter = (await request()) ?? (await request());
	if (adapter === null) return null;
	const device = await adapter.requestDevice({ requiredFeatures: [...adapter.features] as GPUFeatureName[] });
	const context = new OffscreenCanvas(4, 4).getContext('webgpu');
	if (context === null) return null;
	let failed = false;
	void device.lost.then(() => {
		failed = true;
	});
	device.pushErrorScope('validation');
	context.configure({ device, format: navigator.gpu.getPreferredCanvasFormat() });
	const encoder = device.createCommandEncoder();
	encoder
		.beginRenderPass({
			colorAttachments: [
				{ view: context.getCurrentTexture().createView(), loadOp: 'clear', storeOp: 'store' },
			],
		})
		.end();
	device.queue.submit([encoder.finish()]);
	try {
		const error = await device.popErrorScope();
		await device.queue.onSubmittedWorkDone();
		if (error !== null || failed) return null;
	} catch {
		// The device was lost on the way: WebGPU cannot draw to a canvas here, WebGL 2 may.
		return null;
	}
	context.unconfigure();
	return { adapter, device };
}

async function startWebGpu(
	canvas: OffscreenCanvas | HTMLCanvasElement,
	adapter: GPUAdapter,
	device: GPUDevice,
): Promise<Drawing> {
	const { vendor, architecture, device: model, description } = adapter.info;
	const name =
		description || [vendor, model || architecture].filter((part) => part !== '').join(' ') || 'unknown';
	const software = adapter.info.isFallbackAdapter === true || SOFTWARE.test(`${name} ${architecture}`);
	const limits = device.limits;
	const info: GpuInfo = {
		backend: 'webgpu',
		device_name: name,
		capabilities: {
			unified_memory: software,
			multi_draw_indirect: device.features.has('chromium-experimental-multi-draw-indirect' as GPUFeatureName),
			multi_draw_indirect_count: device.features.has(
				'chromium-experimental-multi-draw-indirect' as GPUFeatureName,
			),
			texture_binding_array: false,
			non_uniform_indexing: false,
			max_texture_dimension_2d: limits.maxTextureDimension2D,
			max_bind_groups: limits.maxBindGroups,
			max_bindings_per_bind_group: limits.maxBindingsPerBindGroup,
			max_binding_array_elements: 0,
		},
		quality: qualityFor(software),
	};
	const renderer = await makeRenderer(canvas, software, device);
	return {
		...renderer,
		device,
		info,
		software,
		finished: () => device.queue.onSubmittedWorkDone(),
		listen: () => listenTo(device),
	};
}

const SCOPES = ['validation', 'out-of-memory', 'internal'] as const;

/** Scopes are a stack: what is between begin and end must not wait. Rejects when the device is lost. */
function listenTo(device: GPUDevice): () => Promise<string | null> {
	for (const scope of SCOPES) device.pushErrorScope(scope);
	return async () => {
		const found = await Promise.all(SCOPES.map(() => device.popErrorScope()));
		return found.find((error) => error !== null)?.message ?? null;
	};
}

async function startWebGl(canvas: OffscreenCanvas | HTMLCanvasElement): Promise<Drawing> {
	const trial =
		typeof OffscreenCanvas === 'undefined' ? document.createElement('canvas') : new OffscreenCanvas(1, 1);
	const tried = trial.getContext('webgl2') as WebGL2RenderingContext | null;
	if (tried === null) throw new NoGraphicsError('neither WebGPU nor WebGL 2 is available.');
	tried.getExtension('WEBGL_lose_context')?.loseContext();
	const restored = Promise.withResolvers<void>();
	canvas.addEventListener('webglcontextrestored', () => restored.resolve(), { once: true });
	const gl = canvas.getContext('webgl2', {
		alpha: false,
		antialias: false,
		depth: true,
		stencil: true,
		powerPreference: 'high-performance',
	}) as WebGL2RenderingContext | null;
	if (gl === null) throw new NoGraphicsError('the canvas cannot take WebGL 2.');
	if (gl.isContextLost()) await restored.promise;
	const detail = gl.getExtension('WEBGL_debug_renderer_info');
	const name = String(gl.getParameter(detail === null ? gl.RENDERER : detail.UNMASKED_RENDERER_WEBGL));
	const software = SOFTWARE.test(name);
	const info: GpuInfo = {
		backend: 'webgl2',
		device_name: name,
		capabilities: {
			unified_memory: software,
			multi_draw_indirect: false,
			multi_draw_indirect_count: false,
			texture_binding_array: false,
			non_uniform_indexing: false,
			max_texture_dimension_2d: gl.getParameter(gl.MAX_TEXTURE_SIZE) as number,
			max_bind_groups: gl.getParameter(gl.MAX_UNIFORM_BUFFER_BINDINGS) as number,
			max_bindings_per_bind_group: gl.getParameter(gl.MAX_COMBINED_UNIFORM_BLOCKS) as number,
			max_binding_array_elements: 0,
		},
		quality: qualityFor(software, 'webgl2'),
	};
	const renderer = await makeRenderer(canvas, software, gl);
	return {
		...renderer,
		device: null,
		info,
		software,
		finished: () => waitForDraws(gl),
		listen: () => listenToWebGl(gl),
	};
}

function listenToWebGl(gl: WebGL2RenderingContext): () => Promise<string | null> {
	errorsOf(gl);
	return async () => {
		const errors = errorsOf(gl);
		return errors.length === 0 ? null : `WebGL 2 refused a command (${errors.join(', ')})`;
	};
}

/**
 * Returns the errors that WebGL keeps, each kind once, until it is asked. A lost context answers one for ever: `lost`
 * reports it.
 */
function errorsOf(gl: WebGL2RenderingContext): string[] {
	const errors = [];
	for (let error = gl.getError(); error !== gl.NO_ERROR && !gl.isContextLost(); error = gl.getError())
		errors.push(`0x${error.toString(16)}`);
	return errors;
}

/** Settles when WebGL has drawn all it was given; looked at once in a while, as it has no signal of its own. */
async function waitForDraws(gl: WebGL2RenderingContext): Promise<void> {
	const sync = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
	if (sync === null) return;
	gl.flush();
	await new Promise<void>((resolve) => {
		const look = (): void => {
			if (gl.isContextLost() || gl.clientWaitSync(sync, 0, 0) !== gl.TIMEOUT_EXPIRED) resolve();
			else setTimeout(look, 4);
		};
		look();
	});
	gl.deleteSync(sync);
}

async function makeRenderer(
	canvas: OffscreenCanvas | HTMLCanvasElement,
	software: boolean,
	using: GPUDevice | WebGL2RenderingContext,
): Promise<Pick<Drawing, 'renderer' | 'lost'>> {
	// three sets the style of the canvas it is given, which one of a Worker does not have.
	if (!('style' in canvas)) Object.assign(canvas, { style: {} });
	const webgl = 'getParameter' in using;
	const renderer = new WebGPURenderer({
		canvas: canvas as HTMLCanvasElement,
		antialias: !software,
		alpha: false,
		stencil: true,
		forceWebGL: webgl,
		...(webgl ? { context: using as unknown as GPUCanvasContext } : { device: using }),
	});
	const lost = Promise.withResolvers<string>();
	renderer.onDeviceLost = (reason) => lost.resolve(reason.message);
	// Materials put out finished bytes themselves (scene/tone.ts), so nothing is converted afterwards.
	renderer.toneMapping = NoToneMapping;
	renderer.outputColorSpace = LinearSRGBColorSpace;
	renderer.shadowMap.enabled = true;
	renderer.shadowMap.type = PCFShadowMap;
	await renderer.init();
	return { renderer, lost: lost.promise };
}

/** The part of three's renderer that has no public name: its own animation loop. */
interface WithAnimation {
	readonly _animation: { stop(): void };
}

/**
 * Stops the animation loop that three starts with every picture. It would run on while nothing is drawn, and shadow
 * maps are drawn at most once per turn of it: stopped, each picture begins a turn of its own, in hidden tabs too.
 */
export function endPicture(renderer: WebGPURenderer): void {
	(renderer as unknown as WithAnimation)._animation.stop();
}
