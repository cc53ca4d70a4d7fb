import type { PackageCalls } from '@mooring/contract/engines/rollout/package-calls';
import { Delivery, EXPIRY_DAYS, type TaskClass, TaskScope } from '@mooring/contract/engines/rollout/schemas';
import type { TaskCalls } from '@mooring/contract/engines/rollout/task-calls';
import type { InputOf } from '@mooring/contract/kit/call';
import type { Values } from '../../kit/form/types.ts';
import { useCall } from '../../kit/queries.ts';
import { useFormat, useT } from '../../ui/words.ts';
import { isPackaged, type ReleaseKind } from './release-kind.ts';
import { TaskSettings } from './task-settings.tsx';
import { withKind } from './with-kind.ts';

/** A package as it is called, once it is known. */
function PackageName({ calls, id }: { calls: PackageCalls; id: number | undefined }) {
  const { data } = useCall(calls.detail, { id: id ?? 0 }, { enabled: id !== undefined });
  return data ? withKind([data.productName, data.name, data.version].filter(Boolean).join(' '), data.kind) : '…';
}

/** What is about to be released, as the release's own page will say it. */
interface Props {
  kind: ReleaseKind;
  values: Partial<InputOf<TaskCalls['add']>>;
  taskClass: TaskClass;
}
export function TaskReview({ kind, values, taskClass }: Props) {
  const t = useT();
  const format = useFormat();
  const { packageId, content, name, remark } = values;
  const scope = TaskScope.safeParse(values.scope);
  const delivery = Delivery.safeParse(values.delivery ?? {});
  if (!scope.success || !delivery.success) return null;
  const { startAt, expiresAt } = delivery.data;
  const along = kind.content?.along?.of((content ?? {}) as Values);
  return (
    <TaskSettings
      kind={kind}
      row={{ scope: scope.data, delivery: delivery.data, productId: values.productId ?? null }}
      first={[
        ['firmware.task.name', name ?? ''],
        isPackaged(kind)
          ? ['firmware.task.package', <PackageName key="package" calls={kind.calls.packages} id={packageId} />]
          : [kind.content?.title ?? 'release.content', kind.content && content ? kind.content.words(content as Values) : '–'],
        ...(kind.content?.along && along ? [[kind.content.along.title, along.name] as const] : []),
        ['firmware.task.startAt', startAt ? format.moment(startAt) : t('firmware.task.startNow')],
        [
          'firmware.task.expiresAt',
          expiresAt ? format.moment(expiresAt) : t('firmware.task.expiresByItself', { days: EXPIRY_DAYS[taskClass] }),
        ],
        ...(remark ? [['firmware.task.remark', remark] as const] : []),
      ]}
    />
  );
}
