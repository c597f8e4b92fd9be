/**
 * Drawing backend of this machine, tested before the real canvas is used, and its renderer.
 * Owns: the choice between WebGPU and WebGL 2, and `GpuInfo`. Never: draws a world.
 */

import { LinearSRGBColorSpace, NoToneMapping, PCFShadowMap, WebGPURenderer } from 'three/webgpu';
import type { GpuInfo } from '../frames/frames.ts';
import { qualityFor } from './quality.ts';

/** Error with a message for the person if nothing can be drawn. */
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
	/** True if the CPU draws, so that pictures are slow. */
	readonly isSoftware: boolean;
	/** Settles when everything submitted so far is drawn. */
	readonly waitUntilDrawn: () => Promise<void>;
	/** Settles with the reason when the device is lost. */
	readonly loss: Promise<string>;
	/**
	 * Begins to record GPU errors. The returned function ends the recording, and resolves to the first error's
	 * message, or null.
	 */
	readonly recordErrors: () => () => Promise<string | null>;
}

const SOFTWARE_NAMES = /swiftshader|llvmpipe|softpipe|software|basic render|lavapipe/i;

/** Creates a renderer for a canvas. Rejects with `NoGraphicsError` if neither WebGPU nor WebGL 2 works. */
export async function startDrawing(
	canvas: OffscreenCanvas | HTMLCanvasElement,
	forceWebGL: boolean,
): Promise<Drawing> {
	const gpu = forceWebGL ? null : await tryWebGpu();
	if (gpu !== null) return startWebGpu(canvas, gpu.adapter, gpu.device);
	return startWebGl(canvas);
}

/**
 * Returns a WebGPU adapter and its device; null if they do not work. Some drivers have an adapter, but lose
 * the device at the first picture. So a small picture is drawn to a hidden canvas first.
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
	let isLost = false;
	void device.lost.then(() => {
		isLost = true;
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
		if (error !== null || isLost) return null;
	} catch {
		// The device was lost, so WebGPU cannot draw to a canvas here. WebGL 2 may work.
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
	const software = adapter.info.isFallbackAdapter === true || SOFTWARE_NAMES.test(`${name} ${architecture}`);
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
		isSoftware: software,
		waitUntilDrawn: () => device.queue.onSubmittedWorkDone(),
		recordErrors: () => recordDeviceErrors(device),
	};
}

const SCOPES = ['validation', 'out-of-memory', 'internal'] as const;

/**
 * Begins to record errors. Error scopes are a stack, so no await may be between begin and end. The end
 * rejects if the device is lost.
 */
function recordDeviceErrors(device: GPUDevice): () => Promise<string | null> {
	for (const scope of SCOPES) device.pushErrorScope(scope);
	return async () => {
		const errors = await Promise.all(SCOPES.map(() => device.popErrorScope()));
		return errors.find((error) => error !== null)?.message ?? null;
	};
}

async function startWebGl(canvas: OffscreenCanvas | HTMLCanvasElement): Promise<Drawing> {
	const trialCanvas =
		typeof OffscreenCanvas === 'undefined' ? document.createElement('canvas') : new OffscreenCanvas(1, 1);
	const trialContext = trialCanvas.getContext('webgl2') as WebGL2RenderingContext | null;
	if (trialContext === null) throw new NoGraphicsError('neither WebGPU nor WebGL 2 is available.');
	trialContext.getExtension('WEBGL_lose_context')?.loseContext();
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
	const software = SOFTWARE_NAMES.test(name);
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
		isSoftware: software,
		waitUntilDrawn: () => waitForWebGl(gl),
		recordErrors: () => recordWebGlErrors(gl),
	};
}

function recordWebGlErrors(gl: WebGL2RenderingContext): () => Promise<string | null> {
	errorsOf(gl);
	return async () => {
		const errors = errorsOf(gl);
		return errors.length === 0 ? null : `WebGL 2 refused a command (${errors.join(', ')})`;
	};
}

/**
 * Returns the errors that WebGL has recorded, each kind once. A lost context returns an error for ever, so it
 * is ignored; `lost` reports it.
 */
function errorsOf(gl: WebGL2RenderingContext): string[] {
	const errors = [];
	for (let error = gl.getError(); error !== gl.NO_ERROR && !gl.isContextLost(); error = gl.getError())
		errors.push(`0x${error.toString(16)}`);
	return errors;
}

/** Resolves when WebGL has drawn all commands. It is polled, because WebGL has no event for it. */
async function waitForWebGl(gl: WebGL2RenderingContext): Promise<void> {
	const sync = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
	if (sync === null) return;
	gl.flush();
	await new Promise<void>((resolve) => {
		const poll = (): void => {
			if (gl.isContextLost() || gl.clientWaitSync(sync, 0, 0) !== gl.TIMEOUT_EXPIRED) resolve();
			else setTimeout(poll, 4);
		};
		poll();
	});
	gl.deleteSync(sync);
}

async function makeRenderer(
	canvas: OffscreenCanvas | HTMLCanvasElement,
	software: boolean,
	backend: GPUDevice | WebGL2RenderingContext,
): Promise<Pick<Drawing, 'renderer' | 'loss'>> {
	// three.js sets the style of its canvas, but a canvas in a Worker has none.
	if (!('style' in canvas)) Object.assign(canvas, { style: {} });
	const isWebGl = 'getParameter' in backend;
	const renderer = new WebGPURenderer({
		canvas: canvas as HTMLCanvasElement,
		antialias: !software,
		alpha: false,
		stencil: true,
		forceWebGL: isWebGl,
		...(isWebGl ? { context: backend as unknown as GPUCanvasContext } : { device: backend }),
	});
	const loss = Promise.withResolvers<string>();
	renderer.onDeviceLost = (reason) => loss.resolve(reason.message);
	// Materials output final bytes (scene/tone.ts), so no conversion follows.
	renderer.toneMapping = NoToneMapping;
	renderer.outputColorSpace = LinearSRGBColorSpace;
	renderer.shadowMap.enabled = true;
	renderer.shadowMap.type = PCFShadowMap;
	await renderer.init();
	return { renderer, loss: loss.promise };
}

/** Renderer of three.js with its private animation loop. */
interface AnimatedRenderer {
	readonly _animation: { stop(): void };
}

/**
 * Stops the animation loop that three.js starts with every picture. The loop would run while nothing is
 * drawn. Shadow maps are drawn at most once per turn of the loop, so stopping it gives each picture a turn of
 * its own, also in hidden tabs.
 */
export function endPicture(renderer: WebGPURenderer): void {
	(renderer as unknown as AnimatedRenderer)._animation.stop();
}
