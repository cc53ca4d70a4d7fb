import { md5, sha256 } from '../bytes.ts';
import type { World } from '../world/world.ts';
import type { Invariant } from './invariant.ts';

const PARAM_FILES = '9';

/** Blobs that were read and found right: their names are their digests, so once is enough. */
const checked = new WeakMap<World, Set<string>>();

/** An upload is whole and what was sent, or may be gone on with; nothing hangs between. */
export const uploads: Invariant = {
  name: 'uploads',
  async check(world) {
    const known = checked.get(world) ?? new Set<string>();
    checked.set(world, known);
    const found: string[] = [];
    const rows = await world.query<{
      name: string;
      kind: string;
      identifier: string;
      state: string;
      reason: string | null;
      sha256: string | null;
      size: number;
      missing: number;
    }>(
      `select u.name, u.kind, u.identifier, u.state, u.reason, f.sha256, u.size::float8 as size, u.parts - (select count(*)::int from file_part p where p.upload_id = u.id) as missing
       from file_upload u left join file_file f on f.id = u.file_id`,
    );
    for (const row of rows) {
      if (row.state === 'uploading' || row.state === 'cancelled') continue;
      // An archive of parameter files is taken apart; what was in it stays.
      const isKept = row.sha256 !== null || row.kind === PARAM_FILES;
      if (row.state !== 'done' || !isKept) found.push(`${row.name} is ${row.state} ${row.reason ?? ''}`);
    }
    const files = await world.query<{ name: string; sha256: string; md5: string; size: number }>(
      "select name, sha256, md5, size::float8 as size from file_file where name like '%.zip'",
    );
    for (const file of files) {
      if (known.has(file.sha256)) continue;
      const bytes = await world.blob(file.sha256);
      if (!bytes) found.push(`${file.name} has no bytes`);
      else if (bytes.length !== file.size || sha256(bytes) !== file.sha256 || md5(bytes) !== file.md5)
        found.push(`${file.name} is not what was sent`);
      else known.add(file.sha256);
    }
    return found;
  },
};

/** No job lies about that nobody works on, and none was given up. */
export const jobs: Invariant = {
  name: 'jobs',
  async check(world) {
    const rows = await world.query<{ word: string }>(
      `select t.identifier || ' attempt ' || j.attempts || ' of ' || j.max_attempts || coalesce(', locked by ' || j.locked_by, '') || coalesce(': ' || left(j.last_error, 200), '') as word
       from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id where j.locked_at is not null or j.attempts > 0 or j.run_at < now() - interval '10 seconds'`,
    );
    return rows.map((row) => row.word);
  },
};
