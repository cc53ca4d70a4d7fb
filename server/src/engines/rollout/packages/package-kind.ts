import type { TaskKind } from '@mooring/contract/engines/rollout/task-kind';
import type { RawBuilder } from 'kysely';
import { shareSet } from '../../../platform/db/lock-set.ts';
import { fileUrl } from '../../../platform/gateway/file-token.ts';
import type { ReleaseKeys } from '../../../platform/gateway/release-keys.ts';
import type { Payload, RolloutKind, Subject, SubjectOf } from '../task.ts';
import { isPublished, packageById, publishedFull, publishedPackage } from './package-queries.ts';
import { releasesOf } from './publish-package.ts';
import { diffsTo, packageFor, type Sent, sentPackage } from './sent-package.ts';
import { manifestOf } from './sign-package.ts';

/** A link outlives a slow download and a night offline; the terminal asks again after that. */
export const LINK_HOURS = 72;

interface PackageKind {
  readonly of: TaskKind;
  readonly files: readonly string[];
  readonly keys: () => Promise<ReleaseKeys>;
  /** Version on a device `d` of what the package is of. */
  current(subject: Subject): RawBuilder<string | null>;
  fits?(subject: Subject): RawBuilder<boolean>;
}

/** A kind that is sent as a signed package: downloaded, checked and installed. */
export function packageKind({ of, files, keys, current, fits }: PackageKind): RolloutKind {
  const idOf = (task: SubjectOf) => task.package_id ?? 0;
  return {
    of,
    files,
    current,
    ...(fits ? { fits } : {}),
    async subjectOf(db, task) {
      const row = await packageById(db, of, idOf(task));
      if (!row) throw new Error(`package ${task.package_id} is gone`);
      return { name: row.name, version: row.version, productId: row.product_id };
    },
    async check(ctx, task) {
      // Until it is written: whoever withdraws or deletes the package meanwhile waits, and sees it.
      await shareSet(ctx.db, releasesOf(idOf(task)));
      await publishedPackage(ctx, of, idOf(task));
    },
    async weigh(db, task) {
      const chosen = await packageById(db, of, idOf(task));
      if (!chosen) return () => ({ gets: 'full', bytes: 0 });
      const diffs = await diffsTo(db, of, chosen);
      const full = chosen.kind === 'TA' ? sentPackage(chosen) : undefined;
      return (current) => {
        // Of many terminals at once: what most of them can.
        const gets = packageFor(full, diffs, { current, unfit: false, capabilities: undefined });
        return { gets: gets?.kind === 'DI' ? 'diff' : 'full', bytes: gets?.size ?? 0 };
      };
    },
    async payloadsFor(db, app, task, targets) {
      const chosen = await packageById(db, of, idOf(task));
      const payloads = new Map<number, Payload>();
      if (!chosen || !isPublished(chosen)) return payloads;
      const whole = chosen.kind === 'TA' ? chosen : await publishedFull(db, of, chosen);
      const full = whole && sentPackage(whole);
      const diffs = await diffsTo(db, of, chosen);
      const { key, sign } = await keys();
      const expiresAt = new Date(app.now().getTime() + LINK_HOURS * 3_600_000);
      const signed = new Map<Sent, ReturnType<typeof sign>>();
      for (const target of targets) {
        const row = packageFor(full, diffs, target);
        if (!row) continue;
        const { manifest, signature } = signed.get(row) ?? sign(manifestOf(row));
        signed.set(row, { manifest, signature });
        payloads.set(target.deviceId, {
          package: { ...manifest, signature },
          releaseKey: key,
          url: fileUrl(app.masterKey, { sn: target.sn, sha256: row.sha256, expiresAt }),
        });
      }
      return payloads;
    },
  };
}
