import type { Content, TaskKind } from '../../engines/rollout/task.ts';
import type { AppContext } from '../../platform/app-context.ts';
import type { Db } from '../../platform/context.ts';
import { fileUrl } from '../../platform/gateway/file-token.ts';
import type { ReleaseKeys } from '../../platform/gateway/release-keys.ts';
import { notify } from '../message/api.ts';
import { isPublished, type PackageRow, packageById, packagesOf } from './package-queries.ts';
import { manifestOf } from './sign-package.ts';

/** A link outlives a slow download and a night offline; the terminal asks again after that. */
const LINK_HOURS = 72;

/** Who couldn't apply a difference gets the full package at its next attempt. */
const unfit: ReadonlySet<string> = new Set(['baseWrong', 'notSupported']);

/** Published difference packages to the same version, by the version they start from. */
export async function diffsTo(db: Db, of: Pick<PackageRow, 'product_id' | 'version'>): Promise<Map<string, PackageRow>> {
  const rows = await packagesOf(db)
    .where('f.product_id', '=', of.product_id)
    .where('f.version', '=', of.version)
    .where('f.kind', '=', 'DI')
    .where('f.publish_state', 'in', ['1', '3'])
    .execute();
  return new Map(rows.map((row) => [row.base ?? '', row]));
}

/** The difference from its version where there is one, else the full package (design 2: "a device without the base gets the full package"). */
export function packageFor(chosen: PackageRow, diffs: ReadonlyMap<string, PackageRow>, firmware: string | null): PackageRow | undefined {
  const diff = firmware === null ? undefined : diffs.get(firmware);
  return diff ?? (chosen.kind === 'TA' ? chosen : undefined);
}

const newsNames = { halted: 'taskHalted', finished: 'taskFinished', asks: 'taskAsks' } as const;

export const firmwareKind = (keys: () => Promise<ReleaseKeys>): TaskKind => ({
  kind: 'firmware',
  groups: { tasks: '/api/fotaUptask', preTasks: '/api/fotaPreUptask', results: '/api/fotataskdevice' },
  tell(db, task, { what, ...figures }) {
    const isUrgent = what !== 'finished';
    return notify(db, {
      name: newsNames[what],
      params: { task: task.name, ...figures },
      to: { above: task.dept_path, can: 'firmware:task:page' },
      deptPath: task.dept_path,
      priority: isUrgent || ('failed' in figures && figures.failed > 0) ? '1' : '3',
      link: `/device/fota/taskmod/${task.id}`,
      channels: isUrgent ? ['centre', 'popup'] : ['centre'],
      alarm: what === 'halted',
    });
  },
  async targetVersion(db, task) {
    const row = await packageById(db, task.package_id);
    if (!row) throw new Error(`package ${task.package_id} is gone`);
    return row.version;
  },
  async contentFor(db, app: AppContext, task, targets) {
    const chosen = await packageById(db, task.package_id);
    const contents = new Map<number, Content>();
    if (!chosen || !isPublished(chosen)) return contents;
    const full =
      chosen.kind === 'TA'
        ? chosen
        : await packagesOf(db)
            .where('f.product_id', '=', chosen.product_id)
            .where('f.version', '=', chosen.version)
            .where('f.kind', '=', 'TA')
            .where('f.publish_state', 'in', ['1', '3'])
            .executeTakeFirst();
    const diffs = await diffsTo(db, chosen);
    const { key, sign } = await keys();
    const expiresAt = new Date(app.now().getTime() + LINK_HOURS * 3_600_000);
    const signed = new Map<number, ReturnType<typeof sign>>();
    for (const target of targets) {
      const row = packageFor(full ?? chosen, diffs, unfit.has(target.lastReason ?? '') ? null : target.firmware);
      if (!row) continue;
      const made = signed.get(row.id) ?? sign(manifestOf(row));
      signed.set(row.id, made);
      contents.set(target.deviceId, {
        ...made,
        releaseKey: key,
        url: fileUrl(app.masterKey, { sn: target.sn, sha256: row.sha256, expiresAt }),
        full: row.kind === 'TA',
      });
    }
    return contents;
  },
});
