/** Flags of headless browsers, for the server and for tests. */

/** WebGPU without a graphics card needs the first four. Without one of them a canvas loses its device. */
export const GRAPHICS_FLAGS = [
	'--enable-unsafe-webgpu',
	'--enable-features=Vulkan',
	'--use-vulkan=swiftshader',
	'--use-angle=swiftshader',
	// The browser must restart a graphics process that died.
	'--disable-domain-blocking-for-3d-apis',
	'--disable-gpu-process-crash-limit',
	// Some distributions enable it. With software rendering it compiles shaders to draw text.
	'--disable-gpu-rasterization',
];

/** Flags of a browser that shows no window. */
export const HEADLESS_FLAGS = [
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
	'--disable-quic',
	// Without a graphics card the page's animations use most of a CPU core.
	'--force-prefers-reduced-motion',
];
