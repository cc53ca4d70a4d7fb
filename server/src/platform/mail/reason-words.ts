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

/** Why a message wasn't sent, in the reader's language: kept are its code, a fault, or the words of what carried it. */
export function reasonIn(lang: string, kept: string | null): string | null {
  if (kept === null) return null;
  const detail = /\(([A-Z]*) ?(\d{3})?\)$/.exec(kept);
  const name = detail && (names[detail[1] ?? ''] ?? (detail[2] ? 'refused' : undefined));
  if (detail && name) return `${t(lang, `mail.reason.${name}`)} ${detail[0]}`;
  const fault = `fault.${kept}`;
  const said = /^[A-Z_]+$/.test(kept) ? t(lang, fault) : fault;
  return said === fault ? kept : said;
}
