import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';

/** What one step of a door hands to the next; a step can't be had without the one before. */
export type TicketKind = 'mfa' | 'reset' | 'restore' | 'passkeyLogin' | 'passkeyBind' | 'passkeyProof' | 'oidc' | 'oidcDone';

export interface Ticket {
  readonly userId: number | null;
  readonly data: Readonly<Record<string, unknown>>;
}

const hashOf = (kind: TicketKind, ticket: string) => createHash('sha256').update(`${kind}:${ticket}`).digest();
const TRIES = 5;

export async function giveTicket(
  db: Db,
  kind: TicketKind,
  userId: number | null,
  data: Readonly<Record<string, unknown>> = {},
  minutes = 10,
): Promise<string> {
  const ticket = randomBytes(24).toString('base64url');
  await sql`insert into auth_ticket (hash, kind, user_id, data, expires_at)
    values (${hashOf(kind, ticket)}, ${kind}, ${userId}, ${JSON.stringify(data)}::jsonb, now() + make_interval(mins => ${minutes}))`.execute(
    db,
  );
  return ticket;
}

/** Shows a ticket and counts the try; undefined when it is unknown, too old or tried too often. */
export async function tryTicket(db: Db, kind: TicketKind, ticket: string): Promise<Ticket | undefined> {
  const { rows } = await sql<{ user_id: number | null; data: Record<string, unknown> }>`
    update auth_ticket set tries = tries + 1 where hash = ${hashOf(kind, ticket)} and expires_at > now() and tries < ${TRIES} returning user_id, data`.execute(
    db,
  );
  return rows[0] && { userId: rows[0].user_id, data: rows[0].data };
}

/** Uses a ticket up: of two at once one gets it. */
export async function consumeTicket(db: Db, kind: TicketKind, ticket: string): Promise<Ticket | undefined> {
  const { rows } = await sql<{ user_id: number | null; data: Record<string, unknown> }>`
    delete from auth_ticket where hash = ${hashOf(kind, ticket)} and expires_at > now() returning user_id, data`.execute(db);
  return rows[0] && { userId: rows[0].user_id, data: rows[0].data };
}

/** What was begun with a password that isn't theirs any more, or before they were shut out, leads nowhere. */
export const endTicketsOf = (db: Db, userId: number) => sql`delete from auth_ticket where user_id = ${userId}`.execute(db);
