/** Data of the build's plugin: answers to examples, and source files of routes. */
declare module 'virtual:recorded-examples' {
	const recorded: import('../../relay/build/recorded-examples.ts').RecordedExamples;
	export default recorded;
}
