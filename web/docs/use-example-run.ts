/**
 * Hook that runs an example.
 * Owns: one run at a time, and the outcome of the last one.
 */

import type { Signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { reasonOf } from '../../shared/contract/reason.ts';
import { type Example as Declared, hasBody } from '../../shared/contract/route.ts';
import { answerOf, type ConsoleAnswer, notSent } from '../ui/api/console-answer.ts';
import { inWorld } from '../ui/state/ask.ts';
import type { ApiDocument, DocRoute } from './document.ts';
import {
	type CompletedRun,
	type MadeNames,
	runExample,
	type SendCall,
	type WorldRun,
} from './run-example.ts';

export type ExampleRun =
	| { readonly kind: 'answered'; readonly ran: WorldRun; readonly answer: ConsoleAnswer }
	| {
			readonly kind: 'ran';
			readonly ran: CompletedRun;
			readonly answer: ConsoleAnswer;
			readonly noPicture: string;
	  }
	| { readonly kind: 'failed'; readonly answer: ConsoleAnswer };

export interface RunnableExample {
	readonly api: ApiDocument;
	readonly route: DocRoute;
	readonly example: Declared;
	readonly send: SendCall;
	/** Path and body as they were edited. */
	readonly path: Signal<string>;
	readonly body: Signal<string>;
	/** Ids that the preparation created when the example was recorded, in order. */
	readonly recordedNames: MadeNames;
}

/** Size of the pictures in pixels. */
const PICTURE = { width: 640, height: 360 };

const createForkId = (): string => `docs-${crypto.getRandomValues(new Uint32Array(1))[0]!.toString(36)}`;

/** Returns a function that takes pictures, and the reason why the last one did not come. */
function createPictureTaker(send: SendCall) {
	const taker = {
		noPicture: '',
		async take(world: string): Promise<Blob | undefined> {
			const size = `width=${PICTURE.width}&height=${PICTURE.height}`;
			const path = inWorld(`/screenshot?${size}`, world);
			const answer = await send({ method: 'GET', path, accept: 'image/png' });
			if (answer.picture === undefined)
				taker.noPicture = answerOf(answer).refusal?.sentence ?? 'No picture came.';
			return answer.picture;
		},
	};
	return taker;
}

export function useExampleRun({ api, route, example, send, path, body, recordedNames }: RunnableExample) {
	const [isRunning, setRunning] = useState(false);
	const [outcome, setOutcome] = useState<ExampleRun | null>(null);
	/** Runs the draft; `empty`: in an empty fork. */
	const run = async (empty: boolean): Promise<void> => {
		if (isRunning) return;
		let sentBody: unknown;
		try {
			sentBody = hasBody(route.method) ? JSON.parse(body.value.trim() || '{}') : undefined;
		} catch (error) {
			const answer = notSent(`The body is not JSON: ${reasonOf(error)}`, 'Nothing was sent.');
			setOutcome({ kind: 'failed', answer });
			return;
		}
		setRunning(true);
		const pictures = createPictureTaker(send);
		try {
			const editedExample: Declared = { ...example, path: path.value.trim(), body: sentBody };
			const ran = await runExample(route, editedExample, {
				document: api,
				send,
				fork: createForkId(),
				isEmpty: empty,
				recordedNames,
				takePicture: pictures.take,
				onAnswer: (run) => setOutcome({ kind: 'answered', ran: run, answer: answerOf(run.answer) }),
			});
			setOutcome({ kind: 'ran', ran, answer: answerOf(ran.answer), noPicture: pictures.noPicture });
		} catch (error) {
			setOutcome({ kind: 'failed', answer: notSent(reasonOf(error), '') });
		} finally {
			setRunning(false);
		}
	};
	return { running: isRunning, outcome, run };
}
