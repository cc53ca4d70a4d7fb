import { Delivery, EXPIRY_DAYS, type TaskClass, TaskScope } from '@mooring/contract/engines/rollout/schemas';
import { packageCalls } from '@mooring/contract/firmware/package-calls';
import type { taskCalls } from '@mooring/contract/firmware/task-calls';
import type { InputOf } from '@mooring/contract/kit/call';
import { useCall } from '../../kit/queries.ts';
import { useFormat, useT } from '../../ui/words.ts';
import { TaskSettings } from './task-settings.tsx';

/** What is about to be released, as the release's own page will say it. */
export function TaskReview({ values, taskClass }: { values: Partial<InputOf<typeof taskCalls.add>>; taskClass: TaskClass }) {
  const t = useT();
  const format = useFormat();
  const { packageId, name, remark } = values;
  const { data: chosen } = useCall(packageCalls.detail, { id: packageId ?? 0 }, { enabled: packageId !== undefined });
  const scope = TaskScope.safeParse(values.scope);
  const delivery = Delivery.safeParse(values.delivery ?? {});
  if (!scope.success || !delivery.success) return null;
  const { startAt, expiresAt } = delivery.data;
  return (
    <TaskSettings
      row={{ scope: scope.data, delivery: delivery.data }}
      first={[
        ['firmware.task.name', name ?? ''],
        ['firmware.task.package', chosen ? `${chosen.productName} ${chosen.version} (${chosen.kind})` : '…'],
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
