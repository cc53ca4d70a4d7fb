import { sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import type { SentBytes } from '../../platform/gateway/serve-files.ts';

const FLUSH_MS = 5000;

interface Sent {
  readonly sn: string;
  readonly at: string;
  readonly sha256: string;
  bytes: number;
  /** Handed to another server: of the whole file all but what was left out. */
  whole: number;
}

/**
 * What terminals fetch, gathered for some seconds: a statement for each part of a download would cost more than the part. A process
 * that is killed loses what it gathered since, of a figure that nobody is charged by.
 */
export function countSentBytes(app: AppContext): SentBytes & { flush(): Promise<void> } {
  let gathered = new Map<string, Sent>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const rows = [...gathered.values()];
    gathered = new Map();
    if (rows.length === 0) return writing;
    writing = writing.then(() =>
      app
        .unscoped((db) =>
          sql`
          insert into stats_change (dept_path, product_id, measure, detail, at, n)
          select d.dept_path, d.product_id, 'bytes', '', s.at, sum(s.bytes + s.whole * coalesce((select max(f.size) from file_file f where f.sha256 = s.sha256), 0))
          from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as s(sn text, at timestamptz, sha256 text, bytes bigint, whole bigint)
            join device d on d.sn = s.sn group by 1, 2, 5`.execute(db),
        )
        .then(
          () => {},
          (error: unknown) => app.log.warn({ error: String(error) }, 'bytes that terminals fetched are not counted'),
        ),
    );
    return writing;
  };
  const entry = (sn: string, sha256: string): Sent => {
    const at = new Date(Math.floor(app.now().getTime() / 3_600_000) * 3_600_000).toISOString();
    const key = `${sn} ${sha256} ${at}`;
    const found = gathered.get(key) ?? { sn, at, sha256, bytes: 0, whole: 0 };
    gathered.set(key, found);
    timer ??= setTimeout(() => void flush(), FLUSH_MS).unref();
    return found;
  };
  return {
    sent(sn, sha256, bytes) {
      if (bytes > 0) entry(sn, sha256).bytes += bytes;
    },
    handedOn(sn, sha256, from) {
      const found = entry(sn, sha256);
      found.whole += 1;
      found.bytes -= from;
    },
    flush,
  };
}
