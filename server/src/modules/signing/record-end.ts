import { addEntry } from '../../platform/audit/entry.ts';
import type { Db } from '../../platform/context.ts';
import { type JobRow, jobById } from './job-rows.ts';

/** Why it isn't signed, as the log says it. */
const resultOf = ({ state, reason }: JobRow): string => {
  if (state === 'signed') return 'done';
  return state === 'expired' ? 'CHANGE_EXPIRED' : (reason ?? 'SIGNING_FAILED');
};

/** What came of it, as its record says from now on for ever: in the transaction that ends it, after the move. */
export async function recordEnd(db: Db, id: number): Promise<void> {
  const row = await jobById(db, id);
  await addEntry(db, {
    requestId: `signing-${id}`,
    actorName: 'signing',
    path: row.dept_path,
    ip: 'local',
    call: 'signing:sign',
    target: `signing of ${row.file_name}`,
    result: resultOf(row),
    after: {
      job: id,
      outcome: row.state,
      sha256Before: row.sha256_before,
      sha256After: row.sha256_after,
      certificateSha256: row.certificate_sha256,
      author: row.author,
      decidedBy: row.decided_by,
      deliveredBy: row.delivered_by,
      signedAt: row.signed_at,
      stampedAt: row.stamped_at,
      stampedBy: row.stamped_by || null,
    },
  });
}
