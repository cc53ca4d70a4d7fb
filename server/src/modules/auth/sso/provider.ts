import { Fault } from '@mooring/contract/kit/fault';
import type { SettingOf } from '@mooring/contract/settings/kinds';
import type { Configuration } from 'openid-client';
import type { AppContext } from '../../../platform/app-context.ts';
import type { Db } from '../../../platform/context.ts';
import { type Allowed, checkOutside, sendOutside } from '../../../platform/outbound/door.ts';
import { openSecret, readSetting } from '../../../platform/settings.ts';

export type SsoSetting = SettingOf<'singleSignOn'>;
const KEEP_MS = 300_000;
const TIMEOUT_S = 10;
const ANSWER_BYTES = 1024 * 1024;
const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Asks the provider, and whatever address it names, through the one door. */
const fetchOutside =
  (allowed: Allowed) =>
  async (
    url: string,
    ask: { readonly method: string; readonly headers: Record<string, string>; readonly body?: unknown },
  ): Promise<Response> => {
    const { body } = ask;
    const { status, headers, text } = await sendOutside({
      url,
      method: ask.method,
      headers: ask.headers,
      ...(body === undefined || body === null ? {} : { body: String(body) }),
      allowed,
      timeoutMs: TIMEOUT_S * 1000,
      mostBytes: ANSWER_BYTES,
    });
    const type = headers['content-type'];
    return new Response([204, 304].includes(status) ? null : text, { status, ...(type ? { headers: { 'content-type': type } } : {}) });
  };

/** What a provider tells of itself. Plain http is for this machine alone. Fault: SSO_UNREACHABLE. */
export async function discover(issuer: string, clientId: string, secret: string, allowed: Allowed): Promise<Configuration> {
  const url = new URL(issuer);
  const plain = url.protocol === 'http:' && loopback.test(url.hostname);
  const { allowInsecureRequests, customFetch, discovery } = await import('openid-client');
  await checkOutside(url.hostname, allowed, 'issuer', 'passes');
  try {
    return await discovery(url, clientId, secret || undefined, undefined, {
      timeout: TIMEOUT_S,
      [customFetch]: fetchOutside(allowed),
      ...(plain ? { execute: [allowInsecureRequests] } : {}),
    });
  } catch {
    throw new Fault('SSO_UNREACHABLE', { fields: { issuer: 'fault.SSO_UNREACHABLE' } });
  }
}

/** The provider as the settings name it, asked anew every few minutes. Fault: SSO_OFF. */
export function makeProvider(app: AppContext) {
  let kept: { readonly key: string; readonly at: number; readonly found: Promise<Configuration> } | undefined;
  return async (db: Db): Promise<{ setting: SsoSetting; config: Configuration }> => {
    const setting = await readSetting(db, 'singleSignOn');
    if (!setting.enabled || setting.issuer === '' || setting.clientId === '') throw new Fault('SSO_OFF');
    const { allowed } = await readSetting(db, 'outbound');
    const key = JSON.stringify([setting, allowed]);
    if (kept?.key !== key || performance.now() - kept.at > KEEP_MS) {
      const found = discover(setting.issuer, setting.clientId, openSecret(app.masterKey, setting.clientSecret), allowed);
      kept = { key, at: performance.now(), found };
      found.catch(() => {
        kept = undefined;
      });
    }
    return { setting, config: await kept.found };
  };
}
