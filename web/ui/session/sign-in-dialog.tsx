/**
 * Dialog for signing in and out.
 * Owns: the dialog, and the text of a key while it is open. Never: shows a session token.
 */

import { useState } from 'preact/hooks';
import { reasonOf } from '../../../shared/contract/reason.ts';
import { closePopup, Dialog } from '../chrome/dialog.tsx';
import { FieldError } from '../controls/field-error.tsx';
import { usePanels } from '../state/panels.ts';

const ACCESS_WORDS: Readonly<Record<string, string>> = {
	read: 'You can read everything but change nothing.',
	write: 'You can change your own entities and those without an owner.',
	admin: 'You can change everything.',
};

export function SignInDialog() {
	const { navigation, services } = usePanels();
	const { agent, access } = services.session.who.value;
	const closed = (): void => closePopup(navigation, 'sign-in');
	return (
		<Dialog popup="sign-in" title={agent === null ? 'Sign in' : agent} look="sign-in">
			{agent === null ? (
				navigation.popup.value === 'sign-in' && <KeyForm done={closed} />
			) : (
				<>
					<p>{ACCESS_WORDS[access ?? ''] ?? ''}</p>
					<button type="button" class="button" onClick={() => void services.session.signOut().then(closed)}>
						Sign out
					</button>
				</>
			)}
		</Dialog>
	);
}

function KeyForm({ done }: { readonly done: () => void }) {
	const { services } = usePanels();
	const [text, setText] = useState('');
	const [error, setError] = useState<string | null>(null);
	const [busy, setBusy] = useState(false);
	const signIn = async (key: string): Promise<void> => {
		setBusy(true);
		try {
			const why = await services.session.signIn(key);
			setError(why);
			if (why === null) done();
		} catch (thrown) {
			setError(`The engine did not answer: ${reasonOf(thrown)}`);
		} finally {
			setBusy(false);
		}
	};
	return (
		<form
			onSubmit={(event) => {
				event.preventDefault();
				void signIn(text);
			}}
		>
			<p>
				You need to sign in to change the world. Make a key with <code>orrery auth keygen</code>, and ask the
				operator to list it. The page signs once with the key and does not store it.
			</p>
			<label class="key-file">
				Key file
				<input
					type="file"
					accept=".json,application/json"
					onChange={(event) => {
						const [file] = event.currentTarget.files ?? [];
						if (file !== undefined) void file.text().then(signIn);
					}}
				/>
			</label>
			<label class="key-text">
				or its text
				<textarea
					rows={4}
					value={text}
					spellcheck={false}
					autocomplete="off"
					onInput={(event) => setText(event.currentTarget.value)}
				/>
			</label>
			{error !== null && <FieldError sentence={error} />}
			<button type="submit" class="button primary" disabled={busy || text.trim() === ''}>
				Sign in
			</button>
		</form>
	);
}
