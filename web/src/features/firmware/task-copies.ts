import type { taskCalls } from '@mooring/contract/firmware/task-calls';
import type { InputOf } from '@mooring/contract/kit/call';
import { t } from '../../ui/words.ts';
import type { Detail } from './task-head.tsx';

type New = Partial<InputOf<typeof taskCalls.add>>;

/** The same once more. Its times are over, or would be by now. */
export const copyOf = ({ name, package: { id }, scope, delivery, remark }: Detail): New => ({
  name: t('firmware.task.copyOf', { name }),
  packageId: id,
  scope,
  delivery: { ...delivery, startAt: null, expiresAt: null },
  remark,
});

/** To the terminals that run its version now, at most those it was for; all at once, and down where that is the way. */
export function backFrom({ package: of, scope, delivery }: Detail, search: URLSearchParams): New {
  const running = { firmware: [of.version], deptIds: [], tags: [] };
  return {
    name: t('firmware.task.backFrom', { version: of.version }),
    packageId: Number(search.get('back')),
    scope:
      scope.releaseScope === '2'
        ? scope
        : { releaseScope: '1', ...running, ...(scope.releaseScope === '1' ? { ...scope, firmware: [of.version] } : {}) },
    delivery: { window: delivery.window, download: delivery.download, network: delivery.network, allowDowngrade: true },
  };
}
