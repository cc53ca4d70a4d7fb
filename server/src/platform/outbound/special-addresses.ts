import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { plainAddress, within } from '../networks.ts';

/** Of IPv6 only this is the public internet's at all: what maps, translates (64:ff9b::/96, ::ffff:0:0:0/96), is a site's or a link's lies outside. */
const publicV6 = within(['2000::/3']);

/** IANA's special-purpose registries (IPv4, IPv6 within 2000::/3), whatever they say of reachability. */
const special = within([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
]);

/** Public by number, and a cloud's own to the machines in it: keys and settings are read there. */
const platforms = within(['168.63.129.16/32', '161.26.0.0/16', '166.8.0.0/14', '192.80.8.124/32']);

const isOwn = (address: string): boolean =>
  Object.values(networkInterfaces()).some((all) => all?.some((one) => one.address.split('%')[0] === address));

/** Whether an address is the public internet's, and nothing else. */
export function isPublic(given: string): boolean {
  const address = plainAddress(given);
  if (isIP(address) === 0 || special(address) || platforms(address) || isOwn(address)) return false;
  return isIP(address) === 4 || publicV6(address);
}
