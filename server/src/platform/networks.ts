import { BlockList, isIP } from 'node:net';

const named: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

const kindOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
/** An IPv4 address that is written as IPv6 is that IPv4 address. */
export const plainAddress = (address: string): string => /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;

/** An address, a network or one of the names above. */
export function isNetwork(text: string): boolean {
  if (text in named) return true;
  const [address = '', bits, ...rest] = text.split('/');
  const most = isIP(address) === 6 ? 128 : 32;
  return rest.length === 0 && isIP(address) !== 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most));
}

/** Whether an address lies in one of these. What is no network is left out. */
export function within(list: readonly string[]): (address: string) => boolean {
  // Apart, since a list takes an IPv4 address for its mapped IPv6 form too.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const network of list.filter(isNetwork).flatMap((one) => named[one] ?? [one])) {
    const [address = '', bits] = network.split('/');
    const kind = kindOf(address);
    lists[kind].addSubnet(address, bits === undefined ? (kind === 'ipv6' ? 128 : 32) : Number(bits), kind);
  }
  return (given) => {
    const address = plainAddress(given.split('%')[0] ?? given);
    return isIP(address) !== 0 && lists[kindOf(address)].check(address, kindOf(address));
  };
}
