/**
 * Main and the forks as a table: tick, digest, contents, and comparison with main.
 * Owns: the columns and the actions of each row.
 */

import { groupDigest } from '../drawn/digest.ts';
import { Icon } from '../drawn/icon.tsx';
import { Signature } from '../drawn/signature.tsx';
import { formatNumber } from '../numbers.ts';
import { usePanels } from '../state/panels.ts';
import { contentWords, MAIN, originWords, type WorldInfo, worldStyle } from '../worlds/fork-list.ts';
import { WorldPicture } from './world-picture.tsx';

/** Lists main and some forks. */
export function WorldTable({ forks }: { readonly forks: readonly WorldInfo[] }) {
	const { worlds } = usePanels();
	const main = worlds.main.value;
	if (main === null) return null;
	const all = [main, ...forks];
	return (
		<section class="pane world-table" aria-label="List of worlds">
			<div class="scroll">
				<table>
					<thead>
						<tr>
							<th>World</th>
							<th class="right">Tick</th>
							<th>State</th>
							<th>Compared with main</th>
							<th>Contents</th>
							<th>Branched from</th>
							<th>
								<span class="only-said">Actions</span>
							</th>
						</tr>
					</thead>
					<tbody>
						{all.map((world, row) => {
							const style = worldStyle(world);
							const isSame = world.digest === main.digest;
							const selected = world.id === worlds.selected.value;
							return (
								<tr key={world.id} class={selected ? 'selected' : undefined}>
									<td>
										<button
											type="button"
											class={`world-name row ${style}`}
											aria-pressed={selected}
											onClick={() => worlds.select(world.id)}
										>
											<WorldPicture world={world} />
											<i class="dot" />
											<b class="cut">{world.id}</b>
										</button>
									</td>
									<td class="right">{formatNumber(world.tick)}</td>
									<td>
										<span class="row">
											<Signature
												digest={world.digest}
												size={24}
												compare={row === 0 ? undefined : main.digest}
											/>
											<span class="mono">{groupDigest(world.digest)}</span>
										</span>
									</td>
									<td class={row === 0 ? 'faint' : isSame ? 'good' : 'soft'}>
										{row === 0 ? 'is main' : isSame ? 'the same state' : 'different'}
									</td>
									<td>{contentWords(world)}</td>
									<td class="soft">{originWords(world)}</td>
									<td>
										<span class="row row-actions">
											<button
												type="button"
												class="button quiet square"
												aria-label={`Step ${world.id} by 60 ticks`}
												title="Step 60"
												disabled={worlds.time.stepping.value > 0}
												onClick={() => void worlds.time.step(60, world.id)}
											>
												<Icon name="step60" />
											</button>
											<button
												type="button"
												class="button quiet square"
												aria-label={`Branch ${world.id}`}
												title="Branch"
												onClick={() => void worlds.forking.branch(world.id)}
											>
												<Icon name="forks" />
											</button>
											<button
												type="button"
												class="button quiet square"
												aria-label={`Delete ${world.id}`}
												title={world.id === MAIN ? 'Main cannot be deleted' : 'Drop'}
												disabled={world.id === MAIN}
												onClick={() => void worlds.forking.drop(world.id)}
											>
												<Icon name="bin" />
											</button>
										</span>
									</td>
								</tr>
							);
						})}
					</tbody>
				</table>
			</div>
		</section>
	);
}
