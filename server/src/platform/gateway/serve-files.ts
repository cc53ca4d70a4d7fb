import type { OutgoingHttpHeaders } from 'node:http';
import { pipeline } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppContext } from '../app-context.ts';
import type { BlobStore } from '../files/blob-store.ts';
import { provesItself } from '../http/unknown.ts';
import { accessStateOf, type Domain } from './access-state.ts';
import { atDomain, awayFrom } from './away-from.ts';
import { readRange } from './byte-range.ts';
import { OWN, readFileToken } from './file-token.ts';
import { sendRange } from './send-range.ts';
import { throttle } from './throttle.ts';
import { whenClosed } from './when-closed.ts';

export interface FileCaps {
  /** Transfers at once, in all and of one device. */
  readonly atOnce: number;
  readonly perDevice: number;
  /** Bytes a second of one transfer; 0 sets no limit. */
  readonly speed: number;
}
/** Told what each terminal fetched. */
export interface SentBytes {
  sent(sn: string, sha256: string, bytes: number): void;
  /** Another server sends it, from this byte on. */
  handedOn(sn: string, sha256: string, from: number): void;
}
const uncounted: SentBytes = { sent() {}, handedOn() {} };
const firstByte = (range: string | undefined): number => Number(/^bytes=(\d{1,15})-$/.exec(range ?? '')?.[1] ?? 0);

export const defaultCaps: FileCaps = { atOnce: 2000, perDevice: 3, speed: 0 };

const BUSY_SECONDS = 15;
const REDIRECT_SECONDS = 3600;

/** `GET /d/files/{token}`: the bytes of one file for one device (design 3, "Bytes"). */
export function serveFiles(
  http: FastifyInstance,
  app: AppContext,
  store: BlobStore,
  counting: SentBytes = uncounted,
  caps: FileCaps = defaultCaps,
): void {
  /** A link outlives many things; that its terminal is still let in is asked each time. */
  const accessState = accessStateOf(app);
  const away = awayFrom(app);
  /** The nearest one that isn't known to lack these bytes. */
  const nearest = async (domains: readonly Domain[], sha256: string): Promise<string | undefined> => {
    const lacking = await Promise.all(domains.map((domain) => away(atDomain(sha256, domain))));
    return domains.find(({ url }, at) => !lacking[at]?.has(url))?.url;
  };
  let open = 0;
  const ofDevice = new Map<string, number>();
  const take = (sn: string) => {
    open += 1;
    ofDevice.set(sn, (ofDevice.get(sn) ?? 0) + 1);
    let given = false;
    return () => {
      if (given) return;
      given = true;
      open -= 1;
      const left = (ofDevice.get(sn) ?? 1) - 1;
      if (left > 0) ofDevice.set(sn, left);
      else ofDevice.delete(sn);
    };
  };
  const transfers = new Set<FastifyReply['raw']>();
  // Terminals go on where they were; a stop doesn't wait for their lines.
  http.addHook('preClose', async () => {
    for (const transfer of transfers) transfer.destroy();
  });
  const plain = (reply: FastifyReply, status: number, word: string) => reply.code(status).type('text/plain').send(word);

  http.route({
    method: ['GET', 'HEAD'],
    url: '/d/files/:token',
    handler: async (request: FastifyRequest, reply) => {
      const token = readFileToken(app.masterKey, (request.params as { token: string }).token, app.now());
      if (token === 'wrong') return plain(reply, 403, 'wrong token');
      if (token === 'expired') return plain(reply, 410, 'expired token');
      const { sn, sha256 } = token;
      const isOwn = sn === OWN;
      provesItself(request, isOwn ? 'published file' : `terminal ${sn}`);
      const now = isOwn ? undefined : await accessState(sn);
      if (!isOwn && (!now || now.disabled || now.fingerprints.size === 0)) return plain(reply, 403, 'shut out');
      const isRead = request.method !== 'HEAD';
      const isVia = isOwn || (request.query as { via?: string }).via !== undefined;
      // What a cache fetches for itself was counted where its terminal was sent there.
      const isCounted = isRead && !isVia;
      // The mark keeps a cache that asks us in turn from being sent in a circle.
      const domain = now && !isVia ? await nearest(now.domains, sha256) : undefined;
      if (domain !== undefined) {
        if (isCounted) counting.handedOn(sn, sha256, firstByte(request.headers.range));
        return reply.redirect(`${domain}${request.url.split('?')[0]}?via=1`, 302);
      }
      if (store.signedUrl && isCounted) counting.handedOn(sn, sha256, firstByte(request.headers.range));
      if (store.signedUrl)
        return reply.redirect(await store.signedUrl(sha256, REDIRECT_SECONDS, request.method === 'HEAD' ? 'HEAD' : 'GET'), 302);
      const blob = store.open ? await store.open(sha256) : undefined;
      if (blob) whenClosed(reply.raw, () => blob.close());
      const size = store.open ? blob?.size : await store.size(sha256);
      if (size === undefined) return plain(reply, 404, 'no such file');
      const etag = `"${sha256}"`;
      void reply
        .header('etag', etag)
        .header('accept-ranges', 'bytes')
        .header('content-type', 'application/octet-stream')
        .header('cache-control', 'private, no-transform');
      if (request.headers['if-none-match'] === etag) return reply.code(304).send();
      const condition = request.headers['if-range'];
      // The proxy knows nothing of our ETag and would answer a resume with the whole.
      if (app.config.ACCEL_LOCATION && store.pathOf && condition !== etag) {
        if (isCounted) counting.handedOn(sn, sha256, firstByte(request.headers.range));
        return reply.header('x-accel-redirect', `${app.config.ACCEL_LOCATION.replace(/\/$/, '')}/${store.pathOf(sha256)}`).send();
      }
      // A resume against other bytes gets the whole.
      const range = condition !== undefined && condition !== etag ? 'whole' : readRange(request.headers.range, size);
      if (range === 'unsatisfiable') return plain(reply.header('content-range', `bytes */${size}`), 416, 'no such range');
      const { start, end } = range === 'whole' ? { start: 0, end: size - 1 } : range;
      if (range !== 'whole') void reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`);
      void reply.header('content-length', end - start + 1);
      if (!isRead) return reply.send();
      if (open >= caps.atOnce || (!isOwn && (ofDevice.get(sn) ?? 0) >= caps.perDevice)) {
        return plain(
          reply.removeHeader('content-range').removeHeader('content-length').header('retry-after', BUSY_SECONDS),
          503,
          'too many transfers',
        );
      }
      const give = take(sn);
      const { socket } = request.raw;
      const before = socket.bytesWritten ?? 0;
      try {
        transfers.add(reply.raw);
        whenClosed(reply.raw, () => {
          transfers.delete(reply.raw);
          give();
          const whole = end - start + 1;
          const got = reply.raw.writableFinished ? whole : Math.min(whole, (socket.bytesWritten ?? 0) - before);
          if (isCounted) counting.sent(sn, sha256, got);
        });
        const slow = throttle(caps.speed);
        if (blob && !slow) {
          reply.hijack();
          reply.raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
          void sendRange(reply.raw, blob, start, end);
          return reply;
        }
        const bytes = await store.read(sha256, { start, end });
        // A client that leaves in the middle is ordinary; the source is closed with it.
        return reply.send(slow ? pipeline(bytes, slow, () => {}) : bytes);
      } catch (error) {
        give();
        throw error;
      }
    },
  });
}
