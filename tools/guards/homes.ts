/** The project's list of domains, and what each is home to. */
export interface Homes {
  readonly domains: Readonly<Record<string, { readonly screens: readonly string[]; readonly calls: readonly string[] }>>;
}

interface Declared {
  readonly path: string;
  readonly domain: string;
}

/** `/a/{id}`, `/a/:id` and `/a/:id?` are one address. */
const shape = (path: string) => path.replace(/\{\w+\??\}|:\w+\??/g, '{}').replace(/(.)\/$/, '$1');

type Entry = readonly [entry: string, domain: string];

/** The domain of the longest entry that covers the address; `*` covers whatever follows. */
function homeOf(path: string, entries: readonly Entry[]): string | undefined {
  const wanted = shape(path);
  const covers = (entry: string) => (entry.endsWith('*') ? wanted.startsWith(shape(entry.slice(0, -1))) : wanted === shape(entry));
  return entries.filter(([entry]) => covers(entry)).sort(([a], [b]) => b.replace('*', '').length - a.replace('*', '').length)[0]?.[1];
}

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/'));

/** Who owns the address that this one lies below: the page of one row of a list. */
const aboveOf = (path: string, entries: readonly Entry[]): string[] =>
  entries.filter(([entry]) => path.startsWith(`${entry}/`)).map(([, domain]) => domain);

/** Who owns calls in the same folder: an address that the list leaves to us lies beside one that it names. */
function neighboursOf(path: string, entries: readonly Entry[]): string[] {
  // Many domains share /sys, so lying there says nothing.
  for (let folder = folderOf(path); folder.length > 1 && folder !== '/sys'; folder = folderOf(folder)) {
    const domains = entries.filter(([entry]) => folderOf(entry) === folder).map(([, domain]) => domain);
    if (domains.length > 0) return domains;
  }
  return [];
}

const entriesOf = (homes: Homes, kind: 'screens' | 'calls') =>
  Object.entries(homes.domains).flatMap(([domain, home]) => home[kind].map((entry) => [entry, domain] as const));

/** Calls and screens that are declared elsewhere than at home. `homeless` lists, with a reason each, those that no domain owns. */
export function homeFaults(
  homes: Homes,
  kind: 'screens' | 'calls',
  declared: readonly Declared[],
  homeless: Readonly<Record<string, string>> = {},
): string[] {
  const entries = entriesOf(homes, kind);
  return declared.flatMap(({ path, domain }) => {
    if (path in homeless) return [];
    const home = homeOf(path, entries);
    if (home === domain || (!home && [...aboveOf(path, entries), ...neighboursOf(path, entries)].includes(domain))) return [];
    return [home ? `${path} is declared in ${domain}; its home is ${home}` : `${path} (${domain}) has no home`];
  });
}
