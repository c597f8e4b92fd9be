/** Module of the build's plugin: the golden trace of each game. */
declare module 'virtual:goldens' {
	const goldens: readonly import('../../relay/build/golden-list.ts').Golden[];
	export default goldens;
}
