import type { Fault } from '@mooring/contract/kit/fault';
import type { FastifyReply } from 'fastify';

/** What terminals call; they know statuses and names, and no envelope (docs/device-protocol.md). */
export const TERMINALS = '/d/';

const statuses = new Set([404, 413, 429, 503]);
const statusOf = ({ code, fault }: Fault): number => {
  if (fault === 'NOT_FOUND') return 404;
  if (statuses.has(code)) return code;
  return fault === 'UNEXPECTED' ? 500 : 400;
};

export function refuseTerminal(reply: FastifyReply, fault: Fault, now: Date): FastifyReply {
  if (typeof fault.params.seconds === 'number') void reply.header('retry-after', String(fault.params.seconds));
  return reply.code(statusOf(fault)).header('cache-control', 'no-store').send({ error: fault.fault, time: now.toISOString() });
}
