/**
 * A typed condition and its exact chance.
 * Owns: the form, and the words and bars of the answer.
 */

import './question.css';
import { useState } from 'preact/hooks';
import { FieldError } from '../controls/field-error.tsx';
import { Icon } from '../drawn/icon.tsx';
import { count, formatNumber, formatTime } from '../numbers.ts';
import type { Refusal } from '../state/ask.ts';
import { usePanels } from '../state/panels.ts';
import { FractionMark, isShort } from './fraction.tsx';
import { decimal, oneIn, saidFraction, writtenFraction } from './fraction-words.ts';
import { tallyOf } from './odds.ts';
import { type AnsweredQuestion, askChance, type When } from './question.ts';

const TICKS = 600;
const MAX_TICKS = 10_000;
/** Examples of conditions, which the field proposes. */
const EXAMPLES = ['death', 'count alive+team:1 min=1', 'field:health.percent<50 & role:hero', 'winner:1'];
/** Maximum number of bars. If there are more ticks, several share a bar. */
const MAX_BARS = 48;

export function QuestionView() {
	const { services, worlds } = usePanels();
	const [text, setText] = useState('');
	const [ticks, setTicks] = useState(String(TICKS));
	const [when, setWhen] = useState<When>('within');
	const [isAsking, setAsking] = useState(false);
	const [result, setResult] = useState<AnsweredQuestion | Refusal | null>(null);
	const tickCount = Number(ticks);
	const areTicksValid = Number.isInteger(tickCount) && tickCount >= 1 && tickCount <= MAX_TICKS;
	const submit = async (event: Event) => {
		event.preventDefault();
		if (isAsking || text.trim() === '' || !areTicksValid) return;
		setAsking(true);
		setResult(
			await askChance(services, worlds.selected.value, { text: text.trim(), ticks: tickCount, when }),
		);
		setAsking(false);
	};
	const refusal = result !== null && 'sentence' in result ? result : null;
	const answered = result !== null && !('sentence' in result) ? result : null;
	return (
		<div class="scroll question">
			<form class="question-form" onSubmit={(event) => void submit(event)}>
				<label class="question-text">
					<span>Condition</span>
					<span class={`field wide${refusal === null ? '' : ' error'}`}>
						<input
							aria-label="Condition"
							aria-invalid={refusal !== null}
							placeholder="such as death, or field:gold>=3 & tag:purse"
							list="question-examples"
							autocomplete="off"
							spellcheck={false}
							maxLength={1000}
							value={text}
							onInput={(event) => setText(event.currentTarget.value)}
						/>
					</span>
					<datalist id="question-examples">
						{EXAMPLES.map((example) => (
							<option key={example} value={example} />
						))}
					</datalist>
				</label>
				<fieldset class="segmented" aria-label="Time">
					{(['within', 'after'] as const).map((name) => (
						<button
							key={name}
							type="button"
							aria-pressed={when === name}
							title={
								name === 'within' ? 'It holds at least once in this time' : 'It holds at the end of this time'
							}
							onClick={() => setWhen(name)}
						>
							{name === 'within' ? 'Within' : 'After'}
						</button>
					))}
				</fieldset>
				<label class="question-ticks">
					<span class="only-said">Ticks</span>
					<span class={`field${areTicksValid ? '' : ' error'}`}>
						<input
							aria-label="Ticks"
							aria-invalid={!areTicksValid}
							inputMode="numeric"
							value={ticks}
							onInput={(event) => setTicks(event.currentTarget.value.trim())}
						/>
						<span class="unit">ticks</span>
					</span>
				</label>
				<button
					type="submit"
					class="button primary"
					disabled={isAsking || text.trim() === '' || !areTicksValid}
				>
					{isAsking ? <span class="waiting-ring" /> : <Icon name="odds" />}
					Ask
				</button>
			</form>
			{!areTicksValid && (
				<FieldError sentence={`Send a whole number of ticks from 1 to ${formatNumber(MAX_TICKS)}.`} />
			)}
			{refusal !== null && <FieldError sentence={shortRefusal(refusal)} />}
			<div aria-live="polite">
				{answered === null ? (
					refusal === null && (
						<p class="soft">
							Every branch of the coming ticks is followed, so the chance is exact. Conditions are those of
							rules, in their short form.
						</p>
					)
				) : (
					<AnswerOf answered={answered} />
				)}
			</div>
		</div>
	);
}

/** Shortens a refusal: the list of all known conditions is too long here. */
function shortRefusal({ sentence, fix }: Refusal): string {
	const [short = sentence] = sentence.split('; known:');
	const head = short.length < sentence.length ? `${short.split('; did you mean')[0]}.` : sentence;
	return `${head} ${fix}`;
}

/** Returns the chance in words. */
function chanceWords({ p, probability }: AnsweredQuestion): string {
	if (p === null) return 'not every branch was followed';
	if (p === 0) return 'never';
	if (p === 1) return 'certain';
	return isShort(probability) ? saidFraction(probability) : `about ${formatNumber(p * 100, 1)} %`;
}

function AnswerOf({ answered }: { readonly answered: AnsweredQuestion }) {
	const { worlds } = usePanels();
	const { question, reading, probability, p, atMost, byTick, way, tick, digest, warnings } = answered;
	const selectedWorld = worlds.selectedInfo.value;
	const isOld = selectedWorld?.digest !== digest;
	const time = `${formatNumber(question.ticks)} ticks (${formatTime(question.ticks)})`;
	return (
		<section class="question-answer" aria-label="Chance">
			<p class="row">
				<span class="question-chance">
					{atMost !== null && <span class="soft">at least </span>}
					<FractionMark value={probability} />
				</span>
				<span>
					<b>{p === null ? `up to ${writtenFraction(atMost ?? probability)}` : decimal(p)}</b>
					<br />
					<span class="soft">{chanceWords(answered)}</span>
				</span>
			</p>
			<p>
				{reading}, <span class="soft">{`${question.when} ${time}, asked at tick ${formatNumber(tick)}`}</span>
				{isOld && <span class="warn"> The world has changed since: ask again.</span>}
			</p>
			{warnings.map((warning) => (
				<p key={warning} class="warn">
					{warning}
				</p>
			))}
			{byTick.length > 1 && <Bars from={tick} byTick={byTick} />}
			{way !== null && way.length > 0 && (
				<details>
					<summary>One way to it: {count(way.length, 'draw')}</summary>
					<ol>
						{way.map(({ tick: drawTick, choices }) => (
							<li key={drawTick}>
								<span class="soft">tick {formatNumber(drawTick + 1)}</span> {tallyOf(choices)}
							</li>
						))}
					</ol>
				</details>
			)}
		</section>
	);
}

/** Bars of the chance that the condition first holds within a group of ticks. */
function Bars({ from, byTick }: { readonly from: number; readonly byTick: AnsweredQuestion['byTick'] }) {
	const last = byTick.at(-1)!.tick;
	const step = Math.max(1, Math.ceil((last - from) / MAX_BARS));
	const bars = new Map<number, number>();
	for (const { tick, p } of byTick) {
		const bar = Math.floor(Math.max(0, tick - from - 1) / step);
		bars.set(bar, (bars.get(bar) ?? 0) + p);
	}
	const maxChance = Math.max(...bars.values());
	const total = Math.max(...bars.keys()) + 1;
	const [likeliest] = [...byTick].sort((a, b) => b.p - a.p);
	return (
		<figure class="question-bars">
			<div
				role="img"
				aria-label={`Likeliest at tick ${formatNumber(likeliest!.tick)}: ${oneIn(likeliest!.probability)}`}
			>
				{Array.from({ length: total }, (_, bar) => (
					<i
						key={bar}
						style={{ height: `${((bars.get(bar) ?? 0) / maxChance) * 100}%` }}
						title={`${decimal(bars.get(bar) ?? 0)} until tick ${formatNumber(from + (bar + 1) * step)}`}
					/>
				))}
			</div>
			<figcaption>
				<span>tick {formatNumber(from)}</span>
				<span>when it first holds</span>
				<span>tick {formatNumber(from + total * step)}</span>
			</figcaption>
		</figure>
	);
}
