/** Flags of headless browsers, for the server and for tests. */

/** The browser must restart a graphics process that died. */
const RESTART_FLAGS = ['--disable-domain-blocking-for-3d-apis', '--disable-gpu-process-crash-limit'];

/** The processor draws. WebGPU needs the first four. Without one of them a canvas loses its device. */
export const GRAPHICS_FLAGS = [
	'--enable-unsafe-webgpu',
	'--enable-features=Vulkan',
	'--use-vulkan=swiftshader',
	'--use-angle=swiftshader',
	...RESTART_FLAGS,
	// Some distributions enable it. With software rendering it compiles shaders to draw text.
	'--disable-gpu-rasterization',
];

/** The graphics card draws. Without a display, Linux reaches it by Vulkan and without a surface to show. */
export const GPU_FLAGS = [
	'--enable-unsafe-webgpu',
	'--ignore-gpu-blocklist',
	...(process.platform === 'linux'
		? ['--enable-features=Vulkan', '--use-angle=vulkan', '--disable-vulkan-surface']
		: []),
	...RESTART_FLAGS,
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
