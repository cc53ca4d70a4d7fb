import type { AppContext } from '../app-context.ts';
import { accessStateOf } from './access-state.ts';
import { readDeviceToken } from './device-token.ts';

export type Admission =
  /** For so long, and no longer than what it was let in by holds. */
  { readonly ok: true; readonly sn: string; readonly forMs: number } | { readonly ok: false; readonly reason: string };

/** What a connection brings: the certificate of its TLS session, or user name and password. */
export interface Presented {
  readonly clientId: string;
  readonly certificate?: { readonly sn: string; readonly fingerprint: string; readonly endsAtMs: number };
  readonly username?: string;
  readonly password?: string;
}

/** Who may connect. */
export function makeIdentity(app: AppContext) {
  const accessState = accessStateOf(app);

  return async function admit(presented: Presented): Promise<Admission> {
    const { certificate, username, password, clientId } = presented;
    const token = certificate ? undefined : readDeviceToken(app.masterKey, password ?? '', app.now());
    const sn = certificate?.sn ?? token?.sn;
    if (!sn) return { ok: false, reason: 'noIdentity' };
    // Another terminal's client id would take over its connection. Further connections of its own are `<sn>.<name>`.
    if ((clientId !== sn && !clientId.startsWith(`${sn}.`)) || (!certificate && username !== sn))
      return { ok: false, reason: 'otherClientId' };
    const now = await accessState(sn);
    if (!now) return { ok: false, reason: 'unknownDevice' };
    if (now.disabled) return { ok: false, reason: 'disabled' };
    if (certificate ? !now.fingerprints.has(certificate.fingerprint) : token?.gen !== now.gen) return { ok: false, reason: 'revoked' };
    const endsAtMs = certificate?.endsAtMs ?? token?.expiresAt.getTime() ?? 0;
    return { ok: true, sn, forMs: endsAtMs - app.now().getTime() };
  };
}
export type Admit = ReturnType<typeof makeIdentity>;
