import { z } from 'zod';

const octet = /^(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/;

function isIpv6(text: string): boolean {
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  const whole = halves.length === 1 ? groups.length === 8 : groups.length < 8;
  return whole && groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group));
}

/** A network or a single address: `10.0.0.0/8`, `192.0.2.7`, `2001:db8::/32`. */
export function isCidr(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  if (more.length > 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return false;
  const parts = address.split('.');
  if (parts.length === 4 && parts.every((part) => octet.test(part))) return bits === undefined || Number(bits) <= 32;
  return address.includes(':') && isIpv6(address) && (bits === undefined || Number(bits) <= 128);
}

/** Bits behind the mask are allowed, as people type them: `10.20.3.4/16` means 10.20.0.0/16. */
export const Cidr = z.string().trim().max(49).refine(isCidr, 'invalid.cidr');
