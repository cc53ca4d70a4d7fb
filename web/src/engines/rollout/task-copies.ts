import type { TaskCalls, TaskDetail } from '@mooring/contract/engines/rollout/task-calls';
import type { InputOf } from '@mooring/contract/kit/call';
import { t } from '../../ui/words.ts';
import { targetsOf } from './targets.ts';

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

/** What a page that shows terminals asks for: the package for those of an organisation that run a version now, of a group, or for given ones alone. */
export function askedFor(search: URLSearchParams): New {
  const packageId = Number(search.get('package'));
  const deptId = Number(search.get('dept'));
  const firmware = search.getAll('version');
  const groupIds = search
    .getAll('group')
    .map(Number)
    .filter((id) => id > 0);
  const targets = search.get('targets');
  const sns = targets ? targetsOf(targets) : search.getAll('sn').filter(Boolean);
  const isSome = deptId > 0 || firmware.length > 0 || groupIds.length > 0;
  return {
    ...(packageId > 0 ? { packageId } : {}),
    ...(sns.length > 0 || targets ? { scope: { releaseScope: '2', sns } } : {}),
    ...(isSome && sns.length === 0
      ? { scope: { releaseScope: '1', firmware, deptIds: deptId > 0 ? [deptId] : [], ...(groupIds.length > 0 ? { groupIds } : {}) } }
      : {}),
  };
}

/** Where the way back leads: from the whole release, from a ring, or from a terminal. */
export interface BackOf {
  readonly ring?: number;
  readonly sn?: string;
}
export const backAddress = (page: string, { id }: Pick<TaskDetail, 'id'>, packageId: number, { ring, sn }: BackOf): string => {
  const search = new URLSearchParams({ copy: String(id), back: String(packageId) });
  if (ring !== undefined) search.set('ring', String(ring));
  if (sn !== undefined) search.set('sn', sn);
  return `${page}/new?${search}`;
};

/** To those that it updated and that run its version still; all at once, and down where that is the way. */
export function backFrom({ id, package: of, delivery }: TaskDetail, search: URLSearchParams): New {
  const version = of?.version ?? '';
  const sn = search.get('sn');
  return {
    name: t('firmware.task.backFrom', { version }),
    packageId: Number(search.get('back')),
    scope: sn
      ? { releaseScope: '2', sns: [sn] }
      : { releaseScope: '1', firmware: [version], updatedBy: { taskId: id, ring: Number(search.get('ring')) || null } },
    delivery: { window: delivery.window, download: delivery.download, network: delivery.network, allowDowngrade: true },
  };
}
