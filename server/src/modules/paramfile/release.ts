import { fault } from '@mooring/contract/kit/fault';
import { ParamFileContent, paramTaskCalls, paramTaskDeviceCalls } from '@mooring/contract/paramfile/calls';
import { paramFileKind } from '@mooring/contract/paramfile/kind';
import { sql } from 'kysely';
import type { KindOfRelease } from '../../engines/rollout/module.ts';
import { LINK_HOURS } from '../../engines/rollout/packages/package-kind.ts';
import type { Payload, Subject, SubjectOf } from '../../engines/rollout/task.ts';
import type { Db } from '../../platform/context.ts';
import { fileUrl } from '../../platform/gateway/file-token.ts';
import type { ReleaseKeys } from '../../platform/gateway/release-keys.ts';
import { PARAM_DIGEST } from './add-set.ts';
import { fileBack } from './file-back.ts';

const { kind } = paramFileKind;
const setIn = (content: unknown) => ParamFileContent.parse(content).setId;

async function setOf(db: Db, task: SubjectOf) {
  const row = await db.selectFrom('paramfile_set').selectAll().where('id', '=', setIn(task.content)).executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return row;
}
/** The digest of the file of a device `d`; of who has exactly this, the version of the whole is there. */
const own = ({ source }: Subject) =>
  sql<string>`(select left(f.sha256, ${sql.lit(PARAM_DIGEST)}) from paramfile_file f where f.set_id = ${source ?? 0} and f.device_id = d.id)`;

/** A file of its own for each terminal, signed under the terminal's name: nobody else's is taken. */
export const paramFileRelease = (keys: () => Promise<ReleaseKeys>): KindOfRelease => ({
  kind: {
    of: paramFileKind,
    files: [],
    current: (subject) => sql<string | null>`case when d.settings ->> ${kind} = ${own(subject)} then ${subject.version}::text end`,
    // Of whose file it is nobody can tell by it: each terminal has one of its own.
    runs: () => sql<string | null>`d.settings ->> ${kind}`,
    back: fileBack,
    fits: (subject) => sql<boolean>`${own(subject)} is not null`,
    async subjectOf(db, task) {
      const set = await setOf(db, task);
      return { name: kind, version: set.version, productId: task.product_id, source: set.id };
    },
    check: async () => {},
    async filled(ctx, task) {
      const { id, name } = await setOf(ctx.db, task);
      return { setId: id, setName: name };
    },
    async weigh({ db }, task) {
      const { size, files } = await setOf(db, task);
      return () => ({ gets: 'full', bytes: Math.ceil(size / files) });
    },
    async payloadsFor(db, app, task, targets) {
      const ids = targets.map((target) => target.deviceId);
      const files = await db
        .selectFrom('paramfile_file as f')
        .innerJoin('device as d', 'd.id', 'f.device_id')
        .innerJoin('product_product as p', 'p.id', 'd.product_id')
        .select(['f.device_id', 'f.sha256', 'f.size', 'd.sn', 'p.code'])
        .where('f.set_id', '=', setIn(task.content))
        .where('f.device_id', 'in', ids)
        .execute();
      const { key, sign } = await keys();
      const expiresAt = new Date(app.now().getTime() + LINK_HOURS * 3_600_000);
      return new Map(
        files.map(({ device_id, sha256, size, sn, code }): [number, Payload] => {
          const version = sha256.slice(0, PARAM_DIGEST);
          const { manifest, signature } = sign({ product: code, kind: 'TA', version, base: null, size, sha256, content: kind, name: sn });
          return [
            device_id,
            { package: { ...manifest, signature }, releaseKey: key, url: fileUrl(app.masterKey, { sn, sha256, expiresAt }) },
          ];
        }),
      );
    },
  },
  calls: { tasks: paramTaskCalls, devices: paramTaskDeviceCalls },
});
