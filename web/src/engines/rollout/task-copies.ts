import type { TaskCalls, TaskDetail } from '@mooring/contract/engines/rollout/task-calls';
import type { InputOf } from '@mooring/contract/kit/call';
import { t } from '../../ui/words.ts';

type New = Partial<InputOf<TaskCalls['add']>>;

/** What a task sends, as its wizard has it. */
export const subjectIn = ({ package: of, content, productId }: TaskDetail): New => (of ? { packageId: of.id } : { content, productId });

/** The same once more. Its times are over, or would be by now. */
export const copyOf = (row: TaskDetail): New => ({
  ...subjectIn(row),
  name: t('firmware.task.copyOf', { name: row.name }),
  scope: row.scope,
  delivery: { ...row.delivery, startAt: null, expiresAt: null },
  remark: row.remark,
});

/** What a page that shows terminals asks for: the package for those of an organisation that run a version now. */
export function askedFor(search: URLSearchParams): New {
  const packageId = Number(search.get('package'));
  const deptId = Number(search.get('dept'));
  const firmware = search.getAll('version');
  const isSome = deptId > 0 || firmware.length > 0;
  return {
    ...(packageId > 0 ? { packageId } : {}),
    ...(isSome ? { scope: { releaseScope: '1', firmware, deptIds: deptId > 0 ? [deptId] : [], tags: [] } } : {}),
  };
}

/** To the terminals that run its version now, at most those it was for; all at once, and down where that is the way. */
export function backFrom({ package: of, scope, delivery }: TaskDetail, search: URLSearchParams): New {
  const version = of?.version ?? '';
  const running = { firmware: [version], deptIds: [], tags: [] };
  return {
    name: t('firmware.task.backFrom', { version }),
    packageId: Number(search.get('back')),
    scope:
      scope.releaseScope === '2'
        ? scope
        : { releaseScope: '1', ...running, ...(scope.releaseScope === '1' ? { ...scope, firmware: [version] } : {}) },
    delivery: { window: delivery.window, download: delivery.download, network: delivery.network, allowDowngrade: true },
  };
}
