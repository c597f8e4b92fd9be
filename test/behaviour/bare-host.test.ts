/** Runs the table of the bare host on an engine in this process. */

import { createEngine } from '../../web/host/engine.ts';
import { clientOf } from '../support/engine.ts';
import { describeBareHost, describePoints } from './bare-host.ts';

describeBareHost('a bare engine', async () => clientOf((await createEngine({ profile: 'bare' })).handle));

describePoints();
