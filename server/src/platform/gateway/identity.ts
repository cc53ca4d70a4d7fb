import { sql } from 'kysely';
import type { House } from '../house.ts';
import { coalesce } from './coalesce.ts';
import { readDeviceToken } from './device-token.ts';

export type Admission = { readonly ok: true; readonly sn: string } | { readonly ok: false; readonly reason: string };

/** What a connection brings: the certificate of its TLS session, or user name and password. */
export interface Presented {
  readonly clientId: string;
  readonly certificate?: { readonly sn: string; readonly fingerprint: string };
  readonly username?: string;
  readonly password?: string;
}

interface Standing {
  readonly gen: number;
  readonly disabled: boolean;
  readonly fingerprints: ReadonlySet<string>;
}

/** Who may connect. Standing is asked in batches, so that all terminals may reconnect at once. */
export function makeIdentity(house: House) {
  const standing = coalesce<string, Standing>(async (sns) =>
    house.unscoped(async (db) => {
      const found = await sql<{ sn: string; gen: number; disabled: boolean; fingerprints: string[] | null }>`
        select d.sn, d.credential_gen as gen, d.status = '4' as disabled,
          (select array_agg(c.fingerprint) from device_credential c where c.device_id = d.id and c.revoked_at is null and c.expires_at > ${house.now()}) as fingerprints
        from device d where d.sn = any(${sns}::text[]) and d.deleted_at is null`.execute(db);
      return new Map(
        found.rows.map((row) => [row.sn, { gen: row.gen, disabled: row.disabled, fingerprints: new Set(row.fingerprints ?? []) }]),
      );
    }),
  );

  return async function admit(presented: Presented): Promise<Admission> {
    const { certificate, username, password, clientId } = presented;
    const token = certificate ? undefined : readDeviceToken(house.masterKey, password ?? '', house.now());
    const sn = certificate?.sn ?? token?.sn;
    if (!sn) return { ok: false, reason: 'noIdentity' };
    // Another terminal's client id would take over its connection. Further connections of its own are `<sn>.<name>`.
    if ((clientId !== sn && !clientId.startsWith(`${sn}.`)) || (!certificate && username !== sn))
      return { ok: false, reason: 'otherClientId' };
    const now = await standing(sn);
    if (!now) return { ok: false, reason: 'unknownDevice' };
    if (now.disabled) return { ok: false, reason: 'disabled' };
    if (certificate ? !now.fingerprints.has(certificate.fingerprint) : token?.gen !== now.gen) return { ok: false, reason: 'revoked' };
    return { ok: true, sn };
  };
}
export type Admit = ReturnType<typeof makeIdentity>;
