import type { ServerAct } from '@mooring/contract/audit-log/action';
import { sql } from 'kysely';
import type { Db } from '../context.ts';

export interface Entry {
  readonly requestId: string;
  readonly actorId?: number | null;
  readonly actorName: string;
  readonly path?: string;
  readonly ip: string;
  readonly call: ServerAct;
  readonly target: string | null;
  readonly result: string;
  readonly after?: unknown;
  readonly platform?: string | null;
}

/** A row of the log that no call of a person writes by itself. */
export async function addEntry(db: Db, of: Entry): Promise<void> {
  await sql`
    insert into audit_entry (request_id, actor_id, actor_name, dept_path, platform, ip, call, target, after, result)
    values (${of.requestId}, ${of.actorId ?? null}::bigint, ${of.actorName}, ${of.path ?? '1.'}, ${of.platform ?? null}, ${of.ip}, ${of.call}, ${of.target},
      ${of.after === undefined ? null : JSON.stringify(of.after)}::jsonb, ${of.result})`.execute(db);
}
