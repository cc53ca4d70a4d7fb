import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const pack = promisify(brotliCompress);
/** Below it a packet is saved at most. */
const LEAST_BYTES = 2048;
/** The texts of each language and the countries, as they are now and were a moment ago. */
const KEPT = 40;
const kept = new Map<string, Promise<Buffer>>();

function packed(text: string): Promise<Buffer> {
  const known = kept.get(text);
  if (known) return known;
  const [oldest] = kept.keys();
  if (kept.size >= KEPT && oldest !== undefined) kept.delete(oldest);
  const made = pack(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
  kept.set(text, made);
  return made;
}

/** Over plain HTTP browsers say so of this machine alone. */
export const takesBrotli = (request: FastifyRequest): boolean =>
  /\bbr\b(?!;q=0(\.0*)?(,|$))/.test(String(request.headers['accept-encoding'] ?? ''));

/**
 * Packs what anybody gets alike. An answer to a person, or to who holds a secret link, isn't packed: its length would tell of the secrets in it to whoever
 * can put words of theirs beside them (BREACH). Fault: none; a browser that doesn't take brotli gets the text as it is.
 */
export async function packedFor(request: FastifyRequest, reply: FastifyReply, text: string): Promise<string | Buffer> {
  if (text.length < LEAST_BYTES) return text;
  void reply.header('vary', 'accept-encoding');
  if (!takesBrotli(request)) return text;
  void reply.header('content-encoding', 'br');
  return packed(text);
}
