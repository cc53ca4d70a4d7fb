import type { House } from '../house.ts';
import { readDeviceToken } from './device-token.ts';
import { standingOf } from './standing.ts';

export type Admission = { readonly ok: true; readonly sn: string } | { readonly ok: false; readonly reason: string };

/** What a connection brings: the certificate of its TLS session, or user name and password. */
export interface Presented {
  readonly clientId: string;
  readonly certificate?: { readonly sn: string; readonly fingerprint: string };
  readonly username?: string;
  readonly password?: string;
}

/** Who may connect. */
export function makeIdentity(house: House) {
  const standing = standingOf(house);

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
