import type { RegisterKind } from '@mooring/contract/auth/register-calls';
import type { Db } from '../../../platform/context.ts';

/** Which one is somebody's own; null for those who were asked to join in another way. */
export async function registrationOf(db: Db, userId: number): Promise<{ id: number; kind: RegisterKind } | null> {
  const row = await db.selectFrom('auth_registration').select(['id', 'kind']).where('user_id', '=', userId).executeTakeFirst();
  return row ? { id: row.id, kind: row.kind as RegisterKind } : null;
}
