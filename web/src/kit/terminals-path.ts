/** The list of terminals of a platform, filtered. */
export function terminalsPath(platform: 'centre' | 'manager', filter: Readonly<Record<string, string>> = {}): string {
  const text = new URLSearchParams(filter).toString();
  return `${platform === 'centre' ? '/device/device' : '/device/all'}${text ? `?${text}` : ''}`;
}
