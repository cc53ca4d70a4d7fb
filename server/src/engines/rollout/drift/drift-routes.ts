import type { DriftCalls } from '@mooring/contract/engines/rollout/drift-calls';
import { handlers, type Route } from '../../../platform/module.ts';
import { startExport } from '../../../platform/work/exporter.ts';
import type { RolloutKind } from '../task.ts';
import { applyAgain } from './apply-again.ts';
import { countDrift, driftExporter, pageDrift } from './page-drift.ts';

/** What differs from what releases of these kinds left: of one kind, or of all that share a list. */
export const driftRoutes = (kinds: readonly RolloutKind[], calls: DriftCalls): Route[] =>
  handlers(calls, {
    page: pageDrift(kinds, 'page'),
    count: countDrift(kinds),
    export: (ctx, input) => startExport(ctx, driftExporter(kinds, calls.export), input),
    applyAgain: applyAgain(kinds),
  });
