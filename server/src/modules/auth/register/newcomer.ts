import { Fault } from '@mooring/contract/kit/fault';
import type { Db } from '../../../platform/context.ts';
import { faultOfNewPassword } from '../new-password.ts';
import { policiesAt } from '../policies.ts';

export interface Newcomer {
  readonly account: string;
  readonly userName: string;
  readonly password: string;
}

/** The rules of where somebody comes to. It says nothing about anybody who is there. */
export async function checkNewcomer(db: Db, path: string, of: Newcomer, email: string): Promise<void> {
  const { password: rules } = await policiesAt(db, path);
  const fault = await faultOfNewPassword(of.password, rules, { account: of.account, email });
  if (fault) throw new Fault(fault, { fields: { password: `fault.${fault}` } });
}

export const wrongCode = () => new Fault('CODE_REFUSED', { fields: { code: 'fault.CODE_REFUSED' } });

/** Somebody else took the address between the code and this moment: to the person it is a used code. */
export async function orTaken<T>(work: Promise<T>, taken: () => Fault): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string };
    if (code === '23505' && constraint === 'account_user_email') throw taken();
    throw error;
  }
}
