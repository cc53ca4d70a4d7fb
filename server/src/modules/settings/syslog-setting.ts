import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { Fault } from '@mooring/contract/kit/fault';
import type { SettingOf } from '@mooring/contract/settings/kinds';

const isLoopback = (host: string) => host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

/** Faults: BAD_INPUT with the field that is wrong. */
export function checkSyslog({ enabled, host, security, ca }: SettingOf<'syslog'>): void {
  const wrong = (field: string, key: string) => new Fault('BAD_INPUT', { fields: { [field]: key } });
  if (enabled && host === '') throw wrong('host', 'invalid.required');
  if (security === 'none' && host !== '' && !isLoopback(host)) throw wrong('security', 'invalid.plainSyslog');
  if (ca === '') return;
  try {
    new X509Certificate(ca);
  } catch {
    throw wrong('ca', 'invalid.certificate');
  }
}
