import { BlockList, isIPv6 } from 'node:net';
import { type LoginPolicy, loginPresets, type PasswordPolicyEdit, passwordPresets } from '@mooring/contract/auth/policy';
import { isMobile } from '@mooring/contract/shared/patterns';
import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';

/** What a stored policy lacks, because it was written by an older version, comes from the preset `spec`. */
export const loginPolicyOf = (stored: unknown): LoginPolicy => ({ ...loginPresets.spec, ...(stored as Partial<LoginPolicy> | null) });
export const passwordPolicyOf = (stored: unknown): PasswordPolicyEdit => ({
  ...passwordPresets.spec,
  ...(stored as Partial<PasswordPolicyEdit> | null),
});

export interface Policies {
  readonly login: LoginPolicy;
  readonly password: PasswordPolicyEdit;
}

async function read(db: Db, line: ReturnType<typeof sql<number>>): Promise<Policies> {
  const { rows } = await sql<{ kind: string; value: unknown }>`select kind, value from auth_policy where line = ${line}`.execute(db);
  const storedOf = (kind: string) => rows.find((row) => row.kind === kind)?.value ?? null;
  return { login: loginPolicyOf(storedOf('login')), password: passwordPolicyOf(storedOf('password')) };
}

export const policiesOfLine = (db: Db, line: number): Promise<Policies> => read(db, sql<number>`${line}::bigint`);
/** The policies that hold for the people of a department; the platform's own people have theirs. Without one, those of the first product line. */
export const policiesAt = (db: Db, deptPath: string | undefined): Promise<Policies> =>
  read(db, sql<number>`product_line_of(${deptPath ?? '1.2.'})`);

/**
 * The rules that a stranger may hear of: the strictest of all product lines, whoever asks. Those of the line of an address would tell
 * whether somebody has it. A password that keeps these keeps those of each line, unless two lines leave no length in common.
 */
export async function strictestPassword(db: Db): Promise<PasswordPolicyEdit> {
  const rows = await db.selectFrom('auth_policy').select('value').where('kind', '=', 'password').execute();
  const all = [passwordPolicyOf(null), ...rows.map((row) => passwordPolicyOf(row.value))];
  const [first] = all;
  const most = (of: (one: PasswordPolicyEdit) => number) => Math.max(...all.map(of));
  const least = (of: (one: PasswordPolicyEdit) => number) => Math.min(...all.map((one) => of(one) || Number.MAX_SAFE_INTEGER));
  const [min, max] = [most((one) => one.passwordMinLength), least((one) => one.passwordMaxLength)];
  const same = least((one) => one.sameCharLimit);
  return {
    ...(first ?? passwordPolicyOf(null)),
    passwordMinLength: min,
    passwordMaxLength: Math.max(min, max),
    charTypeMin: most((one) => one.charTypeMin),
    sameCharLimit: same === Number.MAX_SAFE_INTEGER ? 0 : same,
  };
}

async function loginOfLines(db: Db): Promise<LoginPolicy[]> {
  const { rows } = await sql<{ value: unknown }>`select p.value from org_dept d
    left join auth_policy p on p.line = d.id and p.kind = 'login' where d.kind in ('productLine', 'platform')`.execute(db);
  return rows.length > 0 ? rows.map((row) => loginPolicyOf(row.value)) : [loginPolicyOf(null)];
}

/** Whether who is asked for at this address or number may sign in by a code that goes there. */
export const sendsCodes = ({ codes }: Pick<LoginPolicy, 'codes'>, to: string): boolean =>
  codes === 'emailAndText' || (codes === 'email' && !isMobile(to));

/** What a door offers before it knows anybody: what the installation sends, as far as any line allows it. */
export async function codesOffered(db: Db, sends: Record<'email' | 'sms', boolean>): Promise<typeof sends> {
  const lines = await loginOfLines(db);
  return {
    email: sends.email && lines.some(({ codes }) => codes !== 'off'),
    sms: sends.sms && lines.some(({ codes }) => codes === 'emailAndText'),
  };
}

/**
 * What somebody meets who hasn't proved anything yet, whoever they say they are: the strictest of all product lines, from where any of
 * them lets people in. By the rules of a person's own line one would learn that the person is here.
 */
export async function policyBeforeSignIn(db: Db, ip: string): Promise<LoginPolicy | undefined> {
  const lines = await loginOfLines(db);
  if (!lines.some((line) => mayComeFrom(line, ip))) return undefined;
  return {
    ...loginPolicyOf(null),
    maxTries: Math.min(...lines.map((line) => line.maxTries)),
    lockMinutes: Math.max(...lines.map((line) => line.lockMinutes)),
    captchaAfter: Math.min(...lines.map((line) => line.captchaAfter)),
  };
}

export async function writePolicy(
  db: Db,
  line: number,
  kind: 'login' | 'password',
  value: LoginPolicy | PasswordPolicyEdit,
): Promise<void> {
  const json = JSON.stringify(value);
  await sql`insert into auth_policy (line, kind, value) values (${line}, ${kind}, ${json}::jsonb)
    on conflict (line, kind) do update set value = excluded.value, updated_at = now()`.execute(db);
}

/** An IPv4 address that came in over IPv6 is itself. */
const plain = (ip: string): string => ip.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');

/** Whether people may come from here. An empty list lets everybody in. */
export function mayComeFrom(policy: Pick<LoginPolicy, 'addresses'>, ip: string): boolean {
  if (policy.addresses.length === 0) return true;
  const list = new BlockList();
  for (const network of policy.addresses) {
    const [address = '', bits] = network.split('/');
    const kind = isIPv6(address) ? 'ipv6' : 'ipv4';
    list.addSubnet(address, bits === undefined ? (kind === 'ipv6' ? 128 : 32) : Number(bits), kind);
  }
  const from = plain(ip);
  return list.check(from, isIPv6(from) ? 'ipv6' : 'ipv4');
}

const DAY_MS = 86_400_000;

/** Whether a password has outlived its time. `usesMfa` spares those whom the policy spares. */
export function isExpired(policy: PasswordPolicyEdit, passwordAt: Date | null, usesMfa: boolean, now: Date): boolean {
  if (policy.remainValidPeriod === 0 || (usesMfa && !policy.expiresWithMfa) || !passwordAt) return false;
  return now.getTime() - passwordAt.getTime() > policy.remainValidPeriod * DAY_MS;
}
