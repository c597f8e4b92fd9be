/**
 * Generating models from a prompt: the prompt, the provider, and earlier results.
 * Owns: reading the progress while a model is generated. The server has the list of providers.
 */

import { useEffect, useState } from 'preact/hooks';
import { Choice } from '../controls/choice.tsx';
import { FieldError } from '../controls/field-error.tsx';
import { FieldRow } from '../controls/field-row.tsx';
import { IconButton } from '../controls/icon-button.tsx';
import { ask, askRaw, inWorld } from '../state/ask.ts';
import { usePanels } from '../state/panels.ts';

/** Interval of reading the progress (ms). */
const LOOK_MS = 1500;
const QUALITIES = ['low', 'medium', 'high'];

interface ListedTask {
	readonly task_id: string;
	readonly prompt: string;
	readonly status: string;
	readonly progress?: number;
	readonly file_path?: string;
	readonly error?: string;
}

interface Provider {
	readonly name: string;
	readonly available: boolean;
	readonly hint?: string;
}

/** Returns the generated models, oldest first, the reason of a failed read, and a function that reads again. */
function useMade(): readonly [made: readonly ListedTask[] | null, fault: string | null, read: () => void] {
	const { services } = usePanels();
	const [made, setMade] = useState<readonly ListedTask[] | null>(null);
	const [fault, setFault] = useState<string | null>(null);
	const [turn, setTurn] = useState(0);
	const running = made?.some(({ status }) => status === 'pending') === true;
	useEffect(() => {
		let isStale = false;
		const read = async (): Promise<void> => {
			const { status, body } = await services.call('GET', '/asset/generated', undefined, 'panels');
			if (isStale) return;
			const { error, fix } = body as { readonly error?: string; readonly fix?: string };
			setMade(status === 200 ? (body as readonly ListedTask[]) : null);
			setFault(status === 200 ? null : `${error ?? ''} ${fix ?? ''}`.trim());
		};
		const look = (): void => void read().catch((error: unknown) => !isStale && setFault(String(error)));
		look();
		const timer = running ? setInterval(look, LOOK_MS) : undefined;
		return () => {
			isStale = true;
			clearInterval(timer);
		};
	}, [services, turn, running]);
	return [made, fault, () => setTurn((before) => before + 1)];
}

function useProviders(): readonly Provider[] {
	const { services } = usePanels();
	const [providers, setProviders] = useState<readonly Provider[]>([]);
	useEffect(() => {
		let isStale = false;
		void ask(services, 'GET', '/asset/providers', { on: 'panels' }).then((outcome) => {
			if (!isStale && outcome.ok) setProviders(outcome.body.providers);
		});
		return () => {
			isStale = true;
		};
	}, [services]);
	return providers;
}

export function ModelsFromWords() {
	const { services, worlds } = usePanels();
	const providers = useProviders();
	const [made, fault, read] = useMade();
	const [prompt, setPrompt] = useState('');
	const [provider, setProvider] = useState('procedural');
	const [quality, setQuality] = useState('medium');
	const [refused, setRefused] = useState<string | null>(null);
	const call = async (method: string, path: string, body?: object): Promise<void> => {
		const outcome = await askRaw(services, method, path, body);
		setRefused(outcome.ok ? null : `${outcome.refusal.sentence} ${outcome.refusal.fix}`);
		read();
	};
	if (fault !== null && made === null) return <FieldError sentence={fault} />;
	return (
		<>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					void call('POST', '/asset/generate', { prompt, provider, quality });
				}}
			>
				<FieldRow name="words" says="Description of the model">
					<span class="field wide">
						<input
							aria-label="Description of the model"
							placeholder="a small red wooden house"
							value={prompt}
							maxLength={2000}
							autocomplete="off"
							onInput={(event) => setPrompt(event.currentTarget.value)}
						/>
					</span>
				</FieldRow>
				<Choice
					name="Made by"
					label="made by"
					value={provider}
					options={providers.map(({ name, available }) => [name, available ? name : `${name}, no key`])}
					says={providers.find(({ name }) => name === provider)?.hint ?? 'Provider of the model'}
					commit={async (name) => {
						setProvider(name);
						return null;
					}}
				/>
				<Choice
					name="Quality"
					label="quality"
					value={quality}
					options={QUALITIES.map((word) => [word, word])}
					commit={async (word) => {
						setQuality(word);
						return null;
					}}
				/>
				<button type="submit" class="button small" disabled={prompt.trim() === ''}>
					Make the model
				</button>
			</form>
			{refused !== null && <FieldError sentence={refused} />}
			{made !== null && made.length > 0 && (
				<ul class="rows">
					{[...made].reverse().map((item) => (
						<li key={item.task_id}>
							{item.file_path === undefined ? (
								<span class="cut">{item.prompt}</span>
							) : (
								<button
									type="button"
									class="cut"
									title="Spawn the model at the origin"
									onClick={() =>
										void call('POST', inWorld('/spawn', worlds.selected.value), { mesh: item.file_path })
									}
								>
									{item.prompt}
								</button>
							)}
							<em class="cut" title={item.error}>
								{aboutOf(item)}
							</em>
							{item.status === 'pending' && (
								<IconButton
									icon="close"
									small
									name={`Cancel ${item.prompt}`}
									title="Cancel"
									onClick={() => void call('DELETE', `/asset/generated/${encodeURIComponent(item.task_id)}`)}
								/>
							)}
						</li>
					))}
				</ul>
			)}
		</>
	);
}

function aboutOf({ status, progress = 0, error, file_path }: ListedTask): string {
	if (status === 'pending') return `${Math.round(progress * 100)} %`;
	return error ?? file_path ?? status;
}
