import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { within } from '../networks.ts';

/** Nobody, so many proxies one behind the other, or the networks that they stand in. */
export type TrustedProxies = false | number | readonly string[];

/** Whether a connection from there is a proxy's, which many people share. */
export function isProxy(trusted: TrustedProxies): (address: string) => boolean {
  if (trusted === false) return () => false;
  return typeof trusted === 'number' ? () => true : within(trusted);
}

/** The same for the framework, which counts from the connection's own end. */
export function trustOf(trusted: TrustedProxies): false | ((address: string, hop: number) => boolean) {
  if (trusted === false) return false;
  return typeof trusted === 'number' ? (_address, hop) => hop < trusted : within(trusted);
}

const HEADER = 'x-forwarded-for';
const MOST = 32;

/**
 * Addresses count from the right: each proxy adds the one that it saw. What is no address, and all that stands before it, anybody may have
 * written: it is cut off before anything reads it.
 */
export function cutJunk({ headers }: IncomingMessage): void {
  const given = headers[HEADER];
  if (given === undefined) return;
  const hops = String(given).split(',').slice(-MOST);
  const sound = hops.slice(hops.findLastIndex((one) => isIP(one.trim()) === 0) + 1);
  if (sound.length > 0) headers[HEADER] = sound.map((one) => one.trim()).join(', ');
  else delete headers[HEADER];
}
