import { taskPermission } from '@mooring/contract/engines/rollout/task-kind';
import type { Bytes } from '../../engines/rollout/differences/tools.ts';
import type { ReleaseGate } from '../../engines/rollout/gate.ts';
import { type KindOfRelease, makeRollouts } from '../../engines/rollout/module.ts';
import type { Asking, Published } from '../../engines/rollout/places/publish-job.ts';
import type { RolloutKind, TellNews } from '../../engines/rollout/task.ts';
import type { AppContext } from '../../platform/app-context.ts';
import type { BlobStore } from '../../platform/files/blob-store.ts';
import { openStore } from '../../platform/files/open-store.ts';
import { ownFileUrl } from '../../platform/gateway/file-token.ts';
import { KEYS_MS, keptFresh } from '../../platform/gateway/kept-fresh.ts';
import { loadReleaseKeys, type ReleaseKeys } from '../../platform/gateway/release-keys.ts';
import type { Module } from '../../platform/module.ts';
import { mayStill } from '../access/api.ts';
import { DROP_BLOB, freeFile, keepBuilt } from '../file/api.ts';
import { notify } from '../message/api.ts';

const newsNames = { halted: 'taskHalted', finished: 'taskFinished', expired: 'taskExpired', asks: 'taskAsks' } as const;

/** Who looks after a task's organisation hears what became of it; an alarm where it stopped by itself. */
export const tell: TellNews = (db, kind, task, { what, ...figures }) => {
  const isUrgent = what === 'halted' || what === 'asks';
  return notify(db, {
    name: newsNames[what],
    params: { task: task.name, ...figures },
    to: { above: task.dept_path, can: taskPermission(kind, 'page') },
    deptPath: task.dept_path,
    priority: isUrgent || ('failed' in figures && figures.failed > 0) ? '1' : '3',
    link: `${kind.screens.task}/${task.id}`,
    channels: isUrgent ? ['centre', 'popup'] : ['centre'],
    alarm: what === 'halted',
  });
};

/** What releases do with bytes. */
export const bytesOf = (app: AppContext, store: BlobStore): Bytes => ({
  store,
  keep: ({ userId, path }, stored, work) => keepBuilt({ ...app, actor: { userId }, scope: { path } }, stored, work),
  free: (db, fileId) => freeFile(app, db, fileId),
  drop: (db, sha256) => app.enqueue(db, DROP_BLOB, { sha256 }),
  mayStill,
});

const MINUTES = 10;
/** How what is published is asked for elsewhere, and who hears that it isn't there. */
const askingOf = (app: AppContext, store: BlobStore): Asking => ({
  store,
  pathOf: (sha256) => ownFileUrl(app.masterKey, sha256, new Date(app.now().getTime() + MINUTES * 60_000)),
  storeOrigins: app.config.S3_ENDPOINT ? [new URL(app.config.S3_ENDPOINT).origin] : [],
  tell: (db, { what, name, link, can, userId, deptPath, failed }) =>
    notify(db, {
      name: what === 'failed' ? 'publishFailed' : 'publishPartly',
      params: { name, failed },
      to: userId === null ? { above: deptPath, can } : { users: [userId] },
      deptPath,
      priority: what === 'failed' ? '1' : '2',
      link,
    }),
});

/** The kinds of releases of an installation; each is declared in its domain's `release.ts`. */
export function makeReleases(
  app: AppContext,
  kinds: (keys: () => Promise<ReleaseKeys>, app: AppContext) => readonly KindOfRelease[],
  gate: (kind: RolloutKind) => ReleaseGate | undefined,
  published: readonly Published[],
): Module {
  const keys = keptFresh(
    KEYS_MS,
    () => app.now().getTime(),
    () => loadReleaseKeys(app),
  );
  const bytes = bytesOf(app, openStore(app.config, app.counts));
  return makeRollouts(
    kinds(keys, app),
    tell,
    async () => (await keys()).sign,
    bytes,
    { asking: askingOf(app, bytes.store), also: published },
    gate,
  );
}
