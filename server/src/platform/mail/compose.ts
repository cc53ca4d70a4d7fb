import { createHash } from 'node:crypto';
import { isRightToLeft } from '@mooring/contract/shared/format';
import type { TextKey } from '@mooring/contract/texts';
import { textOf } from '../texts/texts.ts';
import { t } from '../texts/translate.ts';

export type Channel = 'email' | 'sms';
type Named<K, Part extends string> = K extends `mail.${infer Name}.${Part}` ? Name : never;
export type MailTemplate = Named<TextKey, 'subject'>;

/** One line without control characters: a name that carries a line break starts no header of its own. */
export const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 300);

/** A text of several lines, without other control characters. */
const manyLines = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replace(/[^\P{Cc}\n]|[\p{Zl}\p{Zp}]/gu, ' ')
    .trim()
    .slice(0, 20_000);

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
const isCode = (paragraph: string) => /^[\dA-Z]{4,}([ -][\dA-Z]+)*$/.test(paragraph);

/** `page`: the paragraph that is this address leads there; no other one does. */
function html(lang: string, brand: string, body: string, foot: string, page: string): string {
  const paragraphs = body.split('\n\n').map((one) => {
    const style = isCode(one) ? 'font:600 28px/1.4 monospace;letter-spacing:4px;margin:24px 0' : 'margin:0 0 16px';
    const text = escapeHtml(one).replaceAll('\n', '<br>');
    return `<p style="${style}">${page !== '' && one === page ? `<a href="${text}" style="color:#0a6a74">${text}</a>` : text}</p>`;
  });
  return `<!doctype html><html lang="${escapeHtml(lang)}" dir="${isRightToLeft(lang) ? 'rtl' : 'ltr'}"><meta charset="utf-8"><body style="margin:0;background:#f4f6f7;color:#1a2528;font:16px/1.5 system-ui,sans-serif"><div style="max-width:520px;margin:0 auto;padding:32px 24px"><p style="font-weight:600;font-size:18px;color:#0a6a74;margin:0 0 24px">${escapeHtml(brand)}</p><div style="background:#fff;border:1px solid #dbe3e5;border-radius:8px;padding:24px 24px 8px">${paragraphs.join('')}</div><p style="font-size:13px;color:#5b6b70;margin:16px 0 0">${escapeHtml(foot)}</p></div></body></html>`;
}

export interface Composed {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A template in a language. What comes from people is one line, but for the `text` of a message, and text in HTML. */
export function compose(
  channel: Channel,
  template: MailTemplate,
  lang: string,
  brand: string,
  given: Readonly<Record<string, string | number>>,
): Composed {
  const own = Object.entries(given).map(
    ([key, value]) => [key, typeof value === 'string' ? (key === 'text' ? manyLines(value) : oneLine(value)) : value] as const,
  );
  const params = { ...Object.fromEntries(own), brand: oneLine(brand) };
  if (channel === 'sms') return { subject: '', text: t(lang, `mail.${template}.sms`, params), html: '' };
  const body = t(lang, `mail.${template}.body`, params);
  const foot = t(lang, 'mail.foot', params);
  return {
    subject: oneLine(t(lang, `mail.${template}.subject`, params)),
    text: `${body}\n\n-- \n${foot}\n`,
    // A language without these texts is answered in English, and reads from left to right then.
    html: html(textOf(lang, `mail.${template}.body`)?.spoken ?? lang, params.brand, body, foot, String(given.page ?? '')),
  };
}

/** The same for each try of a row, so that a mailbox shows it once. */
export const messageIdOf = (id: number, createdAt: Date, from: string): string =>
  `<${createHash('sha256').update(`${id}:${createdAt.toISOString()}`).digest('hex').slice(0, 24)}@${from.split('@').at(-1) ?? 'mooring'}>`;
