/** What the build's plugin provides: answers to examples, and where routes are declared. */
declare module 'virtual:recorded-examples' {
	const recorded: import('../../relay/build/recorded-examples.ts').RecordedExamples;
	export default recorded;
}
