import type { Call } from '@mooring/contract/kit/call';
import type { keyChanges } from '@mooring/contract/signing/change-calls';
import { keyChangeCalls } from '@mooring/contract/signing/change-calls';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { applyOrHold } from '../settings/api.ts';
import { JOB_GROUP } from './job-rows.ts';
import { KEY_GROUP, type KeyRow, keyById, lockKeys } from './key.resource.ts';

export interface KeyChange {
  readonly call: Call;
  readonly target: (typeof keyChanges)[number];
  readonly input: object;
  readonly before: object;
  readonly after: object;
}

/** Whatever it is, it waits for a second person who approves keys of this organisation. */
export function holdChange(
  ctx: Ctx,
  app: AppContext,
  db: Db,
  key: Pick<KeyRow, 'id' | 'name' | 'dept_id' | 'dept_path'>,
  change: KeyChange,
  apply: () => Promise<unknown>,
) {
  return applyOrHold(
    ctx,
    app,
    db,
    {
      ...change,
      line: { id: key.dept_id, path: key.dept_path },
      subject: { id: key.id, name: key.name },
      always: { home: 'signing', can: keyChangeCalls.approve.can, platform: 'centre' },
    },
    apply,
  );
}

type About = Omit<KeyChange, 'input'> & { readonly apply: (db: Db) => Promise<unknown> };

/** A change of a key that is there: `about` checks it and says what it is, of the key as it stands now, with the others that it is `also` about, all locked in one order. */
export async function changeKey(
  ctx: Ctx,
  app: AppContext,
  input: { readonly id: number },
  about: (key: KeyRow, db: Db) => About | Promise<About>,
  also: (db: Db) => Promise<readonly number[]> = async () => [],
) {
  // In a transaction of its own, which is over before the other one begins: each of many would else hold one connection and wait for a second.
  await ctx.inTx((db) => keyById(db, input.id));
  return ctx.unscoped(async (db) => {
    await lockKeys(db, [input.id, ...(await also(db))]);
    const key = await keyById(db, input.id);
    const { apply, ...change } = await about(key, db);
    const outcome = await holdChange(ctx, app, db, key, { ...change, input }, () => apply(db));
    ctx.audit({ target: `signing key ${key.name}`, ...(outcome ? { after: outcome } : { before: change.before, after: change.after }) });
    await ctx.invalidate(db, KEY_GROUP, key.dept_path);
    // Requests say whether it has another certificate by now.
    await ctx.invalidate(db, JOB_GROUP, key.dept_path);
    return outcome;
  });
}
