import { cutTo, NAME_MOST } from '@mooring/contract/desktop/numbered';
import type { TaskCalls, TaskDetail } from '@mooring/contract/engines/rollout/task-calls';
import type { InputOf, OutputOf } from '@mooring/contract/kit/call';
import { t } from '../../ui/words.ts';
import { bringsOf, type ReleaseKind } from './release-kind.ts';
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

const idsIn = (search: URLSearchParams, name: string): number[] =>
  search
    .getAll(name)
    .map(Number)
    .filter((id) => id > 0);

/** What a page that shows terminals asks for: the package, or what is set on a product, for those of an organisation that run a version now, of a group or a merchant, or for given ones alone. */
export function askedFor(search: URLSearchParams): New {
  const packageId = Number(search.get('package'));
  const [deptId, productId] = [Number(search.get('dept')), Number(search.get('product'))];
  const firmware = search.getAll('version');
  const [groupIds, merchantIds] = [idsIn(search, 'group'), idsIn(search, 'merchant')];
  const targets = search.get('targets');
  const sns = targets ? targetsOf(targets) : search.getAll('sn').filter(Boolean);
  const isSome = deptId > 0 || firmware.length > 0 || groupIds.length > 0 || merchantIds.length > 0;
  return {
    ...(packageId > 0 ? { packageId } : {}),
    ...(productId > 0 ? { productId } : {}),
    ...(sns.length > 0 || targets ? { scope: { releaseScope: '2', sns } } : {}),
    ...(isSome && sns.length === 0
      ? {
          scope: {
            releaseScope: '1',
            firmware,
            deptIds: deptId > 0 ? [deptId] : [],
            ...(groupIds.length > 0 ? { groupIds } : {}),
            ...(merchantIds.length > 0 ? { merchantIds } : {}),
          },
        }
      : {}),
  };
}

type Ways = OutputOf<TaskCalls['previous']>;
type Way = Ways[number];
/** Something that a release can send. */
export const isWay = ({ packageId, content }: Way): boolean => packageId !== null || content !== null;

/** Whose way back it is: of the whole release, of a ring, or of a terminal. */
export interface BackOf {
  readonly ring?: number | undefined;
  readonly deviceId?: number | undefined;
  readonly sn?: string | undefined;
}
/** Of nothing that was there before, an empty word. */
const wordOf = ({ version }: Pick<Way, 'version'>) => version ?? '';
export function backAddress(page: string, { id }: Pick<TaskDetail, 'id'>, way: Way, { ring, deviceId, sn }: BackOf): string {
  const search = new URLSearchParams({ copy: String(id), back: wordOf(way) });
  if (ring !== undefined) search.set('ring', String(ring));
  if (deviceId !== undefined && sn !== undefined) {
    search.set('device', String(deviceId));
    search.set('sn', sn);
  }
  return `${page}?${search}`;
}
const numberIn = (search: URLSearchParams, name: string): number | undefined => Number(search.get(name)) || undefined;

/** What the ways are asked by, of an address that leads back. */
export function waysOf(id: number, search: URLSearchParams): InputOf<TaskCalls['previous']> | undefined {
  if (!search.has('back')) return undefined;
  const [ring, deviceId] = [numberIn(search, 'ring'), numberIn(search, 'device')];
  return { id, ...(ring === undefined ? {} : { ring }), ...(deviceId === undefined ? {} : { deviceId }) };
}

/** To those that it updated, had the same before, and have what it brought still; all at once, and down where that is the way. */
export function backFrom(kind: ReleaseKind, row: TaskDetail, search: URLSearchParams, ways: Ways = []): New {
  const { id, package: of, delivery, productId } = row;
  const way = ways.find((one) => isWay(one) && wordOf(one) === search.get('back'));
  const sn = search.get('sn');
  const ring = numberIn(search, 'ring') ?? null;
  const { versions } = bringsOf(kind);
  return {
    name: cutTo(t('firmware.task.backFrom', { version: of?.version ?? row.name }), NAME_MOST),
    ...(way?.packageId ? { packageId: way.packageId } : {}),
    ...(way?.content ? { content: way.content, productId } : {}),
    scope: { releaseScope: '1', updatedBy: { taskId: id, ring, ...(way ? { had: way.had } : {}), ...(sn ? { sn } : {}) } },
    delivery: {
      window: delivery.window,
      download: delivery.download,
      network: delivery.network,
      ...(versions ? { allowDowngrade: true } : {}),
    },
  };
}
