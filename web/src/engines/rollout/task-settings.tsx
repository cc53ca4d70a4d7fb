import type { TaskDetail } from '@mooring/contract/engines/rollout/task-calls';
import type { TextKey } from '@mooring/contract/texts';
import type { ReactNode } from 'react';
import { Facts } from '../../kit/detail/detail-page.tsx';
import { useT } from '../../ui/words.ts';
import { useDeliveryFacts } from './delivery-facts.ts';
import { bringsOf, type ReleaseKind } from './release-kind.ts';
import { DeptNames, GroupNames, MerchantNames, RingRules } from './ring-rules.tsx';
import { scopeText } from './scope-name.tsx';
import { UpdatedBy } from './updated-by.tsx';

type Agreed = Pick<TaskDetail, 'delivery' | 'scope' | 'productId'>;
interface Props {
  kind: ReleaseKind;
  row: Agreed;
  /** What is said first: of a release that isn't there yet, all that its page has in its head. */
  first?: readonly (readonly [TextKey, ReactNode])[];
  /** When it opens next. */
  opens?: ReactNode;
}

/** What was agreed for the release, as it was written; or as it is about to be. */
export function TaskSettings({ kind, row, first = [], opens }: Props) {
  const t = useT();
  const deliveryFacts = useDeliveryFacts();
  const { delivery, scope } = row;
  const none = '–';
  const rows: readonly (readonly [TextKey, ReactNode])[] = [
    ...first,
    ['firmware.task.scope', t(scopeText(scope.releaseScope, row.productId !== null || kind.packages !== undefined))],
    ...(scope.releaseScope === '2' ? [['firmware.task.sns', t('firmware.task.snsCount', { count: scope.sns.length })] as const] : []),
    ...(scope.releaseScope === '1'
      ? [
          ...(scope.updatedBy ? [['firmware.task.updatedBy', <UpdatedBy key="by" by={scope.updatedBy} />] as const] : []),
          ['firmware.task.depts', <DeptNames key="depts" ids={scope.deptIds} />] as const,
          ['firmware.task.groups', <GroupNames key="groups" ids={scope.groupIds ?? []} />] as const,
          ['firmware.task.merchants', <MerchantNames key="merchants" ids={scope.merchantIds ?? []} />] as const,
          ['firmware.task.versions', scope.firmware.join(', ') || none] as const,
          ['firmware.task.tags', scope.tags.join(', ') || none] as const,
        ]
      : []),
    ['ring.title', <RingRules key="rings" rings={delivery.rings} />],
    ...deliveryFacts(delivery, bringsOf(kind)),
    ...(opens ? [['window.opens', opens] as const] : []),
  ];
  return <Facts row={row} facts={rows.map(([title, text], at) => ({ key: `_${at}` as const, title, cell: () => text }))} />;
}
