import { lookup as resolve } from 'node:dns';
import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { BlockList, isIP } from 'node:net';
import { Fault } from '@mooring/contract/kit/fault';

// Everything that isn't the public internet (IANA special-purpose registries).
// Apart, since a list takes an IPv4 address for its mapped IPv6 form too.
const closed = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const [address, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  closed.ipv4.addSubnet(address, bits, 'ipv4');
for (const [address, bits] of [
  ['::', 96],
  ['::ffff:0:0', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  closed.ipv6.addSubnet(address, bits, 'ipv6');

const kindOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Networks and host names that an administrator lets the server reach though they aren't public. */
function allowList(allowed: readonly string[]) {
  const list = new BlockList();
  const hosts = new Set<string>();
  for (const one of allowed) {
    const [address = '', bits] = one.split('/');
    if (isIP(address) === 0) hosts.add(one.toLowerCase());
    else list.addSubnet(address, bits === undefined ? (isIP(address) === 6 ? 128 : 32) : Number(bits), kindOf(address));
  }
  return { list, hosts };
}

export const isPublic = (address: string): boolean => isIP(address) !== 0 && !closed[kindOf(address)].check(address, kindOf(address));

export interface Outbound {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly allowed: readonly string[];
  readonly timeoutMs?: number;
}
export interface Answered {
  readonly status: number;
  readonly text: string;
}
const ANSWER_BYTES = 4096;

/**
 * Sends to an address that a person named, if it resolves to public ones at this very moment: the connection goes to the address that was
 * checked, so a name can't turn to another meanwhile. Redirects aren't followed. Fault: ADDRESS_NOT_PUBLIC.
 */
export function sendOutside({ url, headers, body, allowed, timeoutMs = 15_000 }: Outbound): Promise<Answered> {
  const target = new URL(url);
  const host = target.hostname.replace(/^\[|\]$/g, '');
  const { list, hosts } = allowList(allowed);
  const mayReach = (address: string) => hosts.has(host.toLowerCase()) || list.check(address, kindOf(address)) || isPublic(address);
  if (isIP(host) !== 0 && !mayReach(host)) return Promise.reject(new Fault('ADDRESS_NOT_PUBLIC'));
  return new Promise((done, fail) => {
    const send = target.protocol === 'https:' ? secureRequest : plainRequest;
    const request = send(
      target,
      {
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        signal: AbortSignal.timeout(timeoutMs),
        agent: false,
        lookup: (name, options, found) =>
          resolve(name, { ...options, all: true }, (error, addresses) => {
            if (error) return found(error, '', 4);
            const wrong = addresses.find((one) => !mayReach(one.address));
            if (wrong || !addresses[0]) return found(Object.assign(new Fault('ADDRESS_NOT_PUBLIC'), { code: 400 }) as never, '', 4);
            return (options as { all?: boolean }).all
              ? found(null, addresses as never, 4)
              : found(null, addresses[0].address, addresses[0].family);
          }),
      },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (part: string) => {
          text = (text + part).slice(0, ANSWER_BYTES);
        });
        answer.on('end', () => done({ status: answer.statusCode ?? 0, text }));
        answer.on('error', fail);
      },
    );
    request.on('error', fail);
    request.end(body);
  });
}

/** Whether a name leads outside now, for a clear error while the address is typed. */
export async function checkOutside(url: string, allowed: readonly string[]): Promise<void> {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const { list, hosts } = allowList(allowed);
  if (hosts.has(host.toLowerCase())) return;
  const addresses = isIP(host)
    ? [host]
    : await new Promise<string[]>((done) =>
        resolve(host, { all: true }, (error, found) => done(error ? [] : found.map((one) => one.address))),
      );
  if (addresses.length === 0 || addresses.some((one) => !list.check(one, kindOf(one)) && !isPublic(one)))
    throw new Fault('ADDRESS_NOT_PUBLIC', { fields: { url: 'fault.ADDRESS_NOT_PUBLIC' } });
}
