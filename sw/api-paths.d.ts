/** Module that the build generates: method and path of every route. */
declare module 'virtual:api-paths' {
	const paths: readonly { readonly method: string; readonly path: string }[];
	export default paths;
}
