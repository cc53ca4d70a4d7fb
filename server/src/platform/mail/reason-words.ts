import { t } from '../texts/translate.ts';

const names: Readonly<Record<string, string>> = {
  EAUTH: 'auth',
  EENVELOPE: 'address',
  EMESSAGE: 'message',
  EPROTOCOL: 'protocol',
  ETLS: 'tls',
  EDNS: 'name',
  ENOTFOUND: 'name',
  ECONNECTION: 'silent',
  ECONNREFUSED: 'silent',
  ETIMEDOUT: 'silent',
  ESOCKET: 'broke',
};

/** Of a gateway for text messages, which answers over HTTP; it has no mail server's other reasons. */
const ofGateway: ReadonlySet<string> = new Set(['name', 'silent', 'broke', 'refused']);

/** Why a message wasn't sent, in the reader's language: kept are its code, a fault, or the words of what carried it. */
export function reasonIn(lang: string, kept: string | null, channel = 'email'): string | null {
  if (kept === null) return null;
  const detail = /\(([A-Z]*) ?(\d{3})?\)$/.exec(kept.replace(/^HTTP \d{3}$/, '($&)'));
  const name = detail && (names[detail[1] ?? ''] ?? (detail[2] ? 'refused' : undefined));
  const key = channel === 'sms' && name && ofGateway.has(name) ? `sms.${name}` : name;
  if (detail && key) return `${t(lang, `mail.reason.${key}`)} ${detail[0]}`;
  const fault = `fault.${kept}`;
  const said = /^[A-Z_]+$/.test(kept) ? t(lang, fault) : fault;
  return said === fault ? kept : said;
}
