import type { TaskKind } from '@mooring/contract/engines/rollout/task-kind';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/context.ts';
import { shareSet } from '../../../platform/db/lock-set.ts';
import { fileUrl } from '../../../platform/gateway/file-token.ts';
import type { ReleaseKeys } from '../../../platform/gateway/release-keys.ts';
import { idleTo } from '../differences/difference-queries.ts';
import type { Payload, RolloutKind, Subject, SubjectOf } from '../task.ts';
import { packageBack } from './package-back.ts';
import { imageOf, isPublished, type PackageRow, packageById, publishedFull, releasablePackage } from './package-queries.ts';
import { packageSource } from './package-source.ts';
import { releasesOf } from './publish-package.ts';
import { diffsTo, packageFor, type Sent, sentPackage } from './sent-package.ts';
import { manifestOf } from './sign-package.ts';

/** A link outlives a slow download and a night offline; the terminal asks again after that. */
export const LINK_HOURS = 72;

interface PackageKind {
  readonly of: TaskKind;
  readonly files: readonly string[];
  readonly keys: () => Promise<ReleaseKeys>;
  /** Version on a device `d` of what the package is of, by its name. */
  has(name: RawBuilder<string>): RawBuilder<string | null>;
  fits?(subject: Subject): RawBuilder<boolean>;
  readonly renews?: readonly TaskKind[];
}

/** A kind that is sent as a signed package: downloaded, checked and installed. */
export function packageKind({ of, files, keys, has, fits, renews }: PackageKind): RolloutKind {
  const current = ({ name }: Subject) => has(sql<string>`${name}::text`);
  const differences = packageSource({ of, current, ...(fits ? { fits } : {}) });
  const idOf = (task: SubjectOf) => task.package_id ?? 0;
  const wholeOf = async (db: Db, chosen: PackageRow) => {
    const whole = chosen.kind === 'TA' ? chosen : await publishedFull(db, of, chosen);
    return whole && imageOf(whole) === imageOf(chosen) ? whole : undefined;
  };
  /** What there is to send for a package: all of it makes the one image that was agreed to. */
  const choiceOf = async (db: Db, chosen: PackageRow) => {
    const whole = await wholeOf(db, chosen);
    return { whole, full: whole && sentPackage(whole), diffs: await diffsTo(db, of, differences, chosen, whole) };
  };
  return {
    of,
    files,
    current,
    has,
    ordered: true,
    ...(renews ? { renews } : {}),
    differences,
    back: packageBack(of),
    ...(fits ? { fits } : {}),
    async subjectOf(db, task) {
      // Also of one that was deleted since: what it brought stays what it was.
      const row = await db
        .selectFrom('rollout_package')
        .select(['name', 'version', 'product_id'])
        .where('id', '=', idOf(task))
        .where('content', '=', of.kind)
        .executeTakeFirst();
      if (!row) throw new Error(`package ${task.package_id} is gone`);
      return { name: row.name, version: row.version, productId: row.product_id };
    },
    async check(ctx, task) {
      // Until it is written: whoever withdraws or deletes the package meanwhile waits, and sees it.
      await shareSet(ctx.db, releasesOf(idOf(task)));
      const chosen = await releasablePackage(ctx, of, idOf(task));
      // Terminals that lack its base get the whole one.
      const whole = chosen.kind === 'DI' && (await ctx.unscoped((all) => wholeOf(all, chosen)));
      if (whole) await shareSet(ctx.db, releasesOf(whole.id));
    },
    async weigh({ db, unscoped }, task) {
      const chosen = await packageById(db, of, idOf(task));
      if (!chosen) return () => undefined;
      // What is sent goes by no policy, and neither does what is said of it; what a person could enable does.
      const { whole, full, diffs } = await unscoped((all) => choiceOf(all, chosen));
      const idle = whole ? await idleTo(db, differences, whole.id) : new Set<string>();
      return (current) => {
        // Of many terminals at once: what most of them can.
        const gets = packageFor(full, diffs, { current, unfit: false, capabilities: undefined });
        if (!gets) return undefined;
        if (gets.kind === 'DI') return { gets: 'diff', bytes: gets.size };
        return { gets: 'full', bytes: gets.size, ...(current !== null && idle.has(current) ? { idle: true } : {}) };
      };
    },
    async payloadsFor(db, app, task, targets) {
      const chosen = await packageById(db, of, idOf(task));
      const payloads = new Map<number, Payload>();
      if (!chosen || !isPublished(chosen)) return payloads;
      const { full, diffs } = await choiceOf(db, chosen);
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
