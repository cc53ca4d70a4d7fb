import type { Drift, DriftCalls } from '@mooring/contract/engines/rollout/drift-calls';
import { bind } from '../../kit/bind-page.ts';
import { ListView } from '../../kit/list/list-view.tsx';
import type { Column } from '../../kit/list/types.ts';
import { DriftCount, driftSpec } from './drift-list.tsx';
import type { ReleaseKind } from './release-kind.ts';

/** Beside the releases of these kinds: what terminals have of them no more. */
export const driftTab = (kinds: readonly ReleaseKind[], calls: DriftCalls, code: string, own: readonly Column<Drift>[] = []) => ({
  key: 'drift',
  title: 'drift.title' as const,
  call: calls.page,
  actions: [],
  Count: bind(DriftCount, { calls }),
  Body: bind(ListView<DriftCalls['page']>, { spec: driftSpec(kinds, calls, code, own), queryPrefix: 'd.' }),
});
