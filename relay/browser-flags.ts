/** Flags of headless browsers, for the server and for tests. */

/** WebGPU without a graphics card needs the first four. With fewer a canvas loses its device. */
export const GRAPHICS = [
	'--enable-unsafe-webgpu',
	'--enable-features=Vulkan',
	'--use-vulkan=swiftshader',
	'--use-angle=swiftshader',
	// A graphics process that died must not stay off for good.
	'--disable-domain-blocking-for-3d-apis',
	'--disable-gpu-process-crash-limit',
	// Some distributions switch it on. Where a processor poses as the graphics card, it compiles shaders to draw letters.
	'--disable-gpu-rasterization',
];

/** Flags of a browser that shows no window. */
export const QUIET = [
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
	'--disable-quic',
	// Without a graphics card the page's quiet motion alone takes most of a processor.
	'--force-prefers-reduced-motion',
];
