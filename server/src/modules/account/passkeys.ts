import { Fault } from '@mooring/contract/kit/fault';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { sql } from 'kysely';
import type { Config } from '../../platform/config/config.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import type { Wire } from '../../platform/module.ts';
import { consumeTicket, giveTicket, type Ticket, type TicketKind } from '../auth/api.ts';

/** Whose passkeys these are: the console's own address. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

/** From the public address, else from the request: a browser binds what it signs to the address that it sees. */
export function relyingParty(config: Config, { request }: Wire): RelyingParty {
  const url = new URL(config.PUBLIC_URL ?? `${request.protocol}://${request.headers.host ?? 'localhost'}`);
  return { id: url.hostname, origin: url.origin };
}

const refused = () => new Fault('PASSKEY_REFUSED');
const MINUTES = 5;
type Kind = Extract<TicketKind, 'passkeyLogin' | 'passkeyProof'>;

/** A question to the browser. Without a person any passkey of this address may answer. */
export async function askPasskey(
  db: Db,
  rp: RelyingParty,
  kind: Kind,
  userId: number | null,
): Promise<{ ticket: string; options: string }> {
  const own =
    userId === null
      ? []
      : await db.selectFrom('account_passkey').select(['credential_id', 'transports']).where('user_id', '=', userId).execute();
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  const options = await generateAuthenticationOptions({
    rpID: rp.id,
    userVerification: 'required',
    allowCredentials: own.map((one) => ({ id: one.credential_id, transports: one.transports as never })),
  });
  const ticket = await giveTicket(db, kind, userId, { challenge: options.challenge }, MINUTES);
  return { ticket, options: JSON.stringify(options) };
}

function parsed<T extends { id: string }>(text: string): T {
  try {
    const value = JSON.parse(text) as T;
    if (typeof value?.id === 'string') return value;
  } catch {
    // answered below, like any other answer that isn't one
  }
  throw refused();
}

/** Checks an answer to `askPasskey`, which must be given with a passkey of whom it is `from`, and says whose it was. The question is used up by any answer: in a transaction of its own, or a refusal would give it back. */
export async function consumePasskey(
  ctx: Ctx,
  rp: RelyingParty,
  kind: Kind,
  ticket: string,
  credential: string,
  from: number | 'anyone',
): Promise<number> {
  const asked = await ctx.unscoped((db) => consumeTicket(db, kind, ticket));
  return ctx.unscoped((db) => checkAnswer(db, rp, asked, credential, from));
}

async function checkAnswer(
  db: Db,
  rp: RelyingParty,
  asked: Ticket | undefined,
  credential: string,
  from: number | 'anyone',
): Promise<number> {
  const response = parsed<AuthenticationResponseJSON>(credential);
  const key = await db.selectFrom('account_passkey').selectAll().where('credential_id', '=', response.id).forUpdate().executeTakeFirst();
  if (!asked || !key || (asked.userId !== null && asked.userId !== key.user_id)) throw refused();
  if (from !== 'anyone' && (key.user_id !== from || asked.userId !== from)) throw refused();
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const checked = await verifyAuthenticationResponse({
    response,
    expectedChallenge: String(asked.data.challenge),
    expectedOrigin: rp.origin,
    expectedRPID: rp.id,
    requireUserVerification: true,
    credential: {
      id: key.credential_id,
      publicKey: new Uint8Array(key.public_key),
      counter: key.counter,
      transports: key.transports as never,
    },
  }).catch(() => undefined);
  if (!checked?.verified) throw refused();
  await sql`update account_passkey set counter = ${checked.authenticationInfo.newCounter}, used_at = now() where id = ${key.id}`.execute(
    db,
  );
  return key.user_id;
}

/** What the browser needs to make a new passkey for somebody who is signed in. */
export async function offerPasskey(
  db: Db,
  rp: RelyingParty,
  brand: string,
  user: { id: number; account: string; name: string },
): Promise<{ ticket: string; options: string }> {
  const own = await db.selectFrom('account_passkey').select('credential_id').where('user_id', '=', user.id).execute();
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  const options = await generateRegistrationOptions({
    rpName: brand,
    rpID: rp.id,
    userID: new TextEncoder().encode(`mooring-${user.id}`),
    userName: user.account,
    userDisplayName: user.name,
    attestationType: 'none',
    excludeCredentials: own.map((one) => ({ id: one.credential_id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return {
    ticket: await giveTicket(db, 'passkeyBind', user.id, { challenge: options.challenge }, MINUTES),
    options: JSON.stringify(options),
  };
}

const MOST = 20;

export async function bindPasskey(
  db: Db,
  rp: RelyingParty,
  userId: number,
  asked: Ticket | undefined,
  credential: string,
  name: string,
): Promise<void> {
  if (asked?.userId !== userId) throw refused();
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const checked = await verifyRegistrationResponse({
    response: parsed<RegistrationResponseJSON>(credential),
    expectedChallenge: String(asked.data.challenge),
    expectedOrigin: rp.origin,
    expectedRPID: rp.id,
    requireUserVerification: true,
  }).catch(() => undefined);
  const made = checked?.verified ? checked.registrationInfo.credential : undefined;
  if (!made) throw refused();
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from account_passkey where user_id = ${userId}`.execute(db);
  if ((rows[0]?.n ?? 0) >= MOST) throw refused();
  const bound = await db
    .insertInto('account_passkey')
    .values({
      user_id: userId,
      credential_id: made.id,
      public_key: Buffer.from(made.publicKey),
      counter: made.counter,
      transports: made.transports ?? [],
      name,
    })
    .onConflict((on) => on.column('credential_id').doNothing())
    .returning('id')
    .execute();
  // Somebody has it already: nothing was bound.
  if (bound.length === 0) throw refused();
}
