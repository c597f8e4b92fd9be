/** What a headless browser is started with, by the relay and by tests. */

/** The first four are all needed for WebGPU to draw without a graphics card; with fewer a canvas loses its device. */
export const GRAPHICS = [
	'--enable-unsafe-webgpu',
	'--enable-features=Vulkan',
	'--use-vulkan=swiftshader',
	'--use-angle=swiftshader',
	// A graphics process that died must not stay off for good.
	'--disable-domain-blocking-for-3d-apis',
	'--disable-gpu-process-crash-limit',
];

/** For a browser that nobody watches. */
export const QUIET = [
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
	'--disable-quic',
	// Without a graphics card the page's quiet motion alone takes most of a processor.
	'--force-prefers-reduced-motion',
];
