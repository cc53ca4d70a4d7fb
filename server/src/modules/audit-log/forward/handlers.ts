import type { forwardCalls } from '@mooring/contract/audit-log/forward-calls';
import type { OutputOf } from '@mooring/contract/kit/call';
import { Fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { AppContext } from '../../../platform/app-context.ts';
import type { Ctx } from '../../../platform/context.ts';
import { readSetting } from '../../../platform/settings.ts';
import { testMessage } from './format.ts';
import { headOf, reasonOf, sendMessages } from './forward.ts';

export async function forwardState(ctx: Ctx, app: AppContext): Promise<OutputOf<typeof forwardCalls.state>> {
  return ctx.unscoped(async (db) => {
    const { enabled } = await readSetting(db, 'syslog');
    const found = await sql<{
      sentAt: Date | null;
      failingSince: Date | null;
      error: string | null;
      waiting: number;
      waitingSince: Date | null;
    }>`
      select f.sent_at as "sentAt", f.failing_since as "failingSince", f.error, w.n as waiting, w.at as "waitingSince" from audit_forward f
      cross join lateral (select count(*)::int as n, min(at) as at from (select at from audit_entry where seal_no > f.seal_no limit 100000) open) w`.execute(
      db,
    );
    const [row] = found.rows;
    const iso = (at: Date | null | undefined) => at?.toISOString() ?? null;
    return {
      enabled,
      sentAt: iso(row?.sentAt),
      failingSince: enabled ? iso(row?.failingSince) : null,
      error: enabled ? (row?.error ?? null) : null,
      waiting: enabled ? (row?.waiting ?? 0) : 0,
      waitingSince: enabled ? iso(row?.waitingSince) : null,
      clientCertificate: app.config.SYSLOG_CERT !== undefined,
    };
  });
}

export async function testForward(ctx: Ctx, app: AppContext): Promise<OutputOf<typeof forwardCalls.test>> {
  const setting = await ctx.unscoped((db) => readSetting(db, 'syslog'));
  if (setting.host === '') throw new Fault('FORWARD_UNSET');
  ctx.audit({ target: 'setting syslog' });
  return sendMessages(app, setting, [testMessage(headOf(app, setting), ctx.now())]).then(
    () => ({ delivered: true, error: null }),
    (failure: unknown) => ({ delivered: false, error: reasonOf(failure) }),
  );
}
