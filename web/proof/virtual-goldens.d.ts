/** What the build's plugin provides: the golden trace of each game. */
declare module 'virtual:goldens' {
	const goldens: readonly import('../../relay/build/golden-list.ts').Golden[];
	export default goldens;
}
