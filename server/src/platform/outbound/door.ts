import { type LookupAddress, lookup as resolve } from 'node:dns';
import { type IncomingHttpHeaders, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { connect, isIP, type Socket } from 'node:net';
import { connect as secure } from 'node:tls';
import { Fault } from '@mooring/contract/kit/fault';
import { inTime } from '../in-time.ts';
import { within } from '../networks.ts';
import { isPublic } from './special-addresses.ts';

/** Networks and host names that an administrator lets the server reach though they aren't public. */
export type Allowed = readonly string[];

/** Whether this address may be connected to as this host. */
function reachable(host: string, allowed: Allowed): (address: string) => boolean {
  const isListed = within(allowed);
  const isNamed = allowed.some((one) => one.toLowerCase() === host.toLowerCase());
  return (address) => isNamed || isListed(address) || isPublic(address);
}
const bare = (host: string) => host.replace(/^\[|\]$/g, '');
const refused = (field?: string) =>
  new Fault('ADDRESS_NOT_PUBLIC', field === undefined ? {} : { fields: { [field]: 'fault.ADDRESS_NOT_PUBLIC' } });

const addressesOf = (host: string): Promise<LookupAddress[]> =>
  isIP(host) === 0
    ? new Promise((done, fail) => resolve(host, { all: true }, (error, found) => (error ? fail(error) : done(found))))
    : Promise.resolve([{ address: host, family: isIP(host) }]);

/** The addresses of a host at this moment, if each of them may be reached: one wrong among them is no accident. Fault: ADDRESS_NOT_PUBLIC. */
async function checked(host: string, allowed: Allowed): Promise<LookupAddress[]> {
  const name = bare(host);
  const addresses = await addressesOf(name);
  const mayReach = reachable(name, allowed);
  if (addresses.length === 0 || !addresses.every((one) => mayReach(one.address))) throw refused();
  return addresses;
}

/** For a clear error while an address is typed; it is asked again when it is used. Fault: ADDRESS_NOT_PUBLIC. */
export async function checkOutside(
  host: string,
  allowed: Allowed,
  field = 'url',
  unknown: 'refused' | 'passes' = 'refused',
): Promise<void> {
  await checked(host, allowed).catch((error: unknown) => {
    if (unknown === 'refused' || error instanceof Fault) throw refused(field);
  });
}
export const hostOf = (url: string): string => new URL(url).hostname;

/** A connection to the very address that was checked. Faults: ADDRESS_NOT_PUBLIC. */
export async function connectOutside(host: string, port: number, allowed: Allowed, timeoutMs = 10_000): Promise<Socket> {
  const [first] = await checked(host, allowed);
  if (!first) throw refused();
  return new Promise((done, fail) => {
    const socket = connect({ host: first.address, port, timeout: timeoutMs });
    const late = () => socket.destroy(Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' }));
    socket.once('timeout', late);
    socket.once('error', fail);
    socket.once('connect', () => {
      socket.removeListener('error', fail);
      socket.removeListener('timeout', late);
      socket.setTimeout(0);
      done(socket);
    });
  });
}

export interface Outbound {
  readonly url: string;
  readonly method?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly allowed: Allowed;
  readonly timeoutMs?: number;
  /** So much of the answer is read. */
  readonly mostBytes?: number;
  /** What comes after them isn't waited for. */
  readonly cutOff?: boolean;
  /** The authority of the other side's certificate; those of the system where it isn't said. */
  readonly ca?: string | undefined;
}
export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly bytes: Buffer;
  /** Not from inside, where it isn't for whoever named the address. */
  readonly isPublic: boolean;
}
const ANSWER_BYTES = 4096;

/**
 * Asks an address that a person named, if it resolves to public ones at this very moment: the connection goes to the address that was
 * checked, so a name can't turn to another meanwhile. Redirects aren't followed. Fault: ADDRESS_NOT_PUBLIC.
 */
export async function sendOutside(ask: Outbound): Promise<Answered> {
  const { url, method = 'POST', headers, body, allowed, timeoutMs = 15_000, mostBytes = ANSWER_BYTES, cutOff = false, ca } = ask;
  const target = new URL(url);
  // The look-up of the name is within the time too: whoever names a host may also be who answers for it.
  const signal = AbortSignal.timeout(timeoutMs);
  const addresses = await inTime(checked(target.hostname, allowed), signal);
  const isOutside = addresses.every((one) => isPublic(one.address));
  const send = target.protocol === 'https:' ? secureRequest : plainRequest;
  return new Promise((done, reject) => {
    const fail = (error: Error) => reject(Object.assign(error, { isPublic: isOutside }));
    const request = send(
      target,
      {
        method,
        headers: body === undefined ? headers : { ...headers, 'content-length': Buffer.byteLength(body) },
        signal,
        agent: false,
        ...(ca ? { ca, minVersion: 'TLSv1.2' } : {}),
        // Asked again it could be another.
        lookup: (_name, options, found) =>
          options.all ? found(null, addresses) : found(null, addresses[0]?.address ?? '', addresses[0]?.family ?? 4),
      },
      (answer) => {
        const parts: Buffer[] = [];
        let left = mostBytes;
        const end = () => {
          const bytes = Buffer.concat(parts);
          done({ status: answer.statusCode ?? 0, headers: answer.headers, text: bytes.toString('utf8'), bytes, isPublic: isOutside });
        };
        answer.on('data', (part: Buffer) => {
          if (left > 0) parts.push(part.subarray(0, left));
          left -= part.length;
          if (!cutOff || left >= 0) return;
          end();
          request.destroy();
        });
        answer.on('end', end);
        answer.on('error', fail);
      },
    );
    request.on('error', fail);
    request.end(body);
  });
}

export interface Parcel {
  readonly host: string;
  readonly port: number;
  readonly allowed: Allowed;
  readonly bytes: Buffer;
  /** Over TLS, and the authority that the other side's certificate is of; those of the system where it isn't said. */
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  readonly timeoutMs?: number;
}

/**
 * Sends bytes, says that these were all, and waits until the other side has closed its own: it has read them then. Who breaks off, or still holds its side
 * open after the time, didn't. Nothing that it says is read. Fault: ADDRESS_NOT_PUBLIC.
 */
export async function sendAll({ host, port, allowed, bytes, tls, timeoutMs = 15_000 }: Parcel): Promise<void> {
  const socket = await connectOutside(host, port, allowed);
  const name = bare(host);
  await new Promise<void>((done, fail) => {
    const line = tls
      ? secure({ ...tls, socket, minVersion: 'TLSv1.2', host: name, ...(isIP(name) === 0 ? { servername: name } : {}) })
      : socket;
    const timer = setTimeout(() => {
      const late = Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' });
      line.destroy(late);
      socket.destroy();
    }, timeoutMs);
    let isEnded = false;
    const over = (error?: Error) => {
      clearTimeout(timer);
      socket.destroy();
      if (error) fail(error);
      else if (isEnded) done();
      else fail(Object.assign(new Error('closed before all was read'), { code: 'ECONNRESET' }));
    };
    line.once('error', over);
    socket.once('error', over);
    line.once('end', () => {
      isEnded = line.writableFinished;
    });
    line.once('close', () => over());
    // A receiver of logs says nothing: who does is something else.
    line.once('data', () => over(Object.assign(new Error('not a syslog server'), { code: 'EPROTO' })));
    if (tls) line.once('secureConnect', () => line.end(bytes));
    else line.end(bytes);
  });
}
