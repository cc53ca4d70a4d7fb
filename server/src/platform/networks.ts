import { BlockList, isIP } from 'node:net';
import { isNetwork, namedNetworks } from './config/is-network.mjs';

const kindOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
/** An IPv4 address that is written as IPv6 is that IPv4 address. */
export const plainAddress = (address: string): string => /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;

/** Whether an address lies in one of these. What is no network is left out. */
export function within(list: readonly string[]): (address: string) => boolean {
  // Apart, since a list takes an IPv4 address for its mapped IPv6 form too.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const network of list.filter(isNetwork).flatMap((one) => namedNetworks[one] ?? [one])) {
    const [address = '', bits] = network.split('/');
    const kind = kindOf(address);
    lists[kind].addSubnet(address, bits === undefined ? (kind === 'ipv6' ? 128 : 32) : Number(bits), kind);
  }
  return (given) => {
    const address = plainAddress(given.split('%')[0] ?? given);
    return isIP(address) !== 0 && lists[kindOf(address)].check(address, kindOf(address));
  };
}
