import { z } from 'zod';

/** Patterns of specification section 5. Messages are text keys: the server and the console translate them. */
export const Digits = z.string().regex(/^\d{3,15}$/, 'invalid.digits');
const email = '[^\\s@]+@[^\\s@.]+(\\.[^\\s@.]+)+';
/** Satellite and premium networks (+881, +882, +883, +979) belong to nobody’s pocket, and a message there is dear. */
const mobile = '\\+(?!88[123]|979)[1-9]\\d{6,14}';
export const Email = z
  .string()
  .max(254, 'invalid.email')
  .regex(new RegExp(`^${email}$`), 'invalid.email');
/** How people write a number: with spaces, dots, dashes and brackets. An address stays as it is. */
const dialled = (typed: string) => (typed.includes('@') ? typed : typed.replace(/[\s().-]/g, ''));
/** In the international form, as telephones dial it (E.164): +4917012345. */
export const Mobile = z
  .string()
  .max(254, 'invalid.mobile')
  .overwrite(dialled)
  .regex(new RegExp(`^${mobile}$`), 'invalid.mobile');
/** Where a code goes. */
export const EmailOrMobile = z
  .string()
  .max(254, 'invalid.emailOrMobile')
  .overwrite(dialled)
  .regex(new RegExp(`^(${mobile}|${email})$`), 'invalid.emailOrMobile');
export const isMobile = (to: string): boolean => Mobile.safeParse(to).success;
export const WebUrl = z
  .string()
  .max(2048, 'invalid.url')
  .regex(/^(https?|ftp):\/\/[^\s/?#]+\S*$/i, 'invalid.url');
/** Of a page that a person opens in a browser. */
export const SiteUrl = z
  .string()
  .trim()
  .regex(/^https?:\/\/[^\s/?#@\\\p{Cf}]+(?:[/?#][^\s\\\p{Cf}]*)?$/iu, 'invalid.site');

const octet = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const ipv4Port = new RegExp(`^(${octet}\\.){3}${octet}:(\\d{1,5})$`);

/** `10.0.0.7:8080`: an IPv4 address with its port, 1 to 65535. */
export function isIpv4WithPort(value: string): boolean {
  const port = Number(ipv4Port.exec(value)?.at(-1));
  return port >= 1 && port <= 65_535;
}

export const hasChinese = (value: string): boolean => /\p{Script=Han}/u.test(value);

/** The file's name without folders and without its last extension. */
export function baseName(file: string): string {
  const name = file.split(/[\\/]/).at(-1) ?? '';
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}

export const fileName = (max: number) =>
  z.string().refine((name) => baseName(name).length >= 1 && baseName(name).length <= max, { error: 'invalid.fileName', params: { max } });

/** What divides the decimals off: the last of dot and comma; a comma with three digits after it stands between thousands. */
const withDot = (typed: string): string => {
  const comma = typed.lastIndexOf(',');
  if (comma < typed.lastIndexOf('.') || /,\d{3}$/.test(typed)) return typed;
  return `${typed.slice(0, comma).replaceAll('.', '')}.${typed.slice(comma + 1)}`;
};

/** What money input keeps of typed text: digits and one dot, 8 integer digits, 2 decimals. A comma is taken for the dot, as half of the world writes it. */
export function moneyInput(typed: string): string {
  const kept = (typed.includes(',') ? withDot(typed) : typed).replace(/[^\d.]/g, '');
  const dot = kept.indexOf('.');
  if (dot < 0) return kept.slice(0, 8);
  return `${kept.slice(0, dot).slice(0, 8)}.${kept
    .slice(dot + 1)
    .replaceAll('.', '')
    .slice(0, 2)}`;
}

export const Money = z.string().regex(/^\d{1,8}(\.\d{1,2})?$/, 'invalid.money');
