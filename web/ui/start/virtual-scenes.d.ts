/** Module of the build's plugin: a card for each world in public/scenes. */
declare module 'virtual:scenes' {
	const scenes: readonly import('../../../relay/build/scene-list.ts').SceneCard[];
	export default scenes;
}
